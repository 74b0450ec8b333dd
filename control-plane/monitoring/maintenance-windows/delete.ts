import { queries } from '#control-plane/db/queries.ts'
import { endpoint } from '#control-plane/http/endpoint.ts'
import { noContent } from '#control-plane/http/reply.ts'
import { mayWrite } from './input.ts'
import { emitWindow, lockScheduled } from './row.ts'

export const deleteMaintenanceWindow = endpoint({
  method: 'DELETE',
  path: '/maintenance-windows/{maintenance_window}',
  summary: 'Delete a maintenance window that is scheduled',
  description: 'An active window is stopped first. Windows that are over stay, as uptime refers to them.',
  access: mayWrite,
  returns: noContent,

  async handle({ em, tenant, params, audit }) {
    const { id, title } = await lockScheduled(em, tenant, params.maintenance_window)
    await emitWindow(em, tenant, 'maintenance.cancelled', id)
    await queries(em)
      .deleteFrom('maintenance_windows')
      .where('tenant_id', '=', tenant.id)
      .where('id', '=', id)
      .execute()
    audit('maintenance_window.deleted', { type: 'maintenance_window', id }, { title })
  },
})
