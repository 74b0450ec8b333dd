import { sql } from 'kysely'
import { queries } from '#control-plane/db/queries.ts'
import { endpoint, type RequestContext } from '#control-plane/http/endpoint.ts'
import { noContent } from '#control-plane/http/reply.ts'
import { endIncidents } from '#control-plane/monitoring/checks/end-incidents.ts'
import { endUncovered } from '#control-plane/monitoring/maintenance-windows/end-uncovered.ts'
import { followObjectives } from '#control-plane/monitoring/objectives/follow.ts'
import { pauseOverPlan } from '#control-plane/monitoring/plans/pause-over-plan.ts'
import { lockCount } from '#control-plane/tenancy/plans/enforce.ts'
import { findMonitor, lockMonitor } from './find.ts'

export const deleteMonitor = endpoint({
  method: 'DELETE',
  path: '/monitors/{monitor}',
  summary: 'Delete a monitor with its checks',
  description:
    'Monitors that depended on it no longer do. A maintenance window that covers no other monitor ends: one that is ' +
    'scheduled is cancelled. Its incidents stay, and reports of the time before go on to name it.',
  access: { tenant: 'monitors:write', reseller: 'monitors:write' },
  returns: noContent,

  handle: context => removeMonitor(context, context.params.monitor),
})

/** Also for types that have endpoints of their own. Every monitor is deleted here; what it was called is kept. */
export async function removeMonitor(
  context: Pick<RequestContext, 'em' | 'tenant' | 'now' | 'emit' | 'audit'>,
  wanted: string,
): Promise<void> {
  const { em, tenant, now, emit, audit } = context
  await lockCount(em, tenant, 'monitors')
  const { id, name, url } = await findMonitor(em, tenant, wanted)
  await lockMonitor(em, tenant, id)
  await endIncidents(context, { monitor_id: id })
  await endUncovered(context, id)
  const db = queries(em)
  await db
    .updateTable('monitors')
    .set({ depends_on: sql<string[]>`array_remove(depends_on, ${id}::uuid)`, updated_at: now.toISOString() })
    .where('tenant_id', '=', tenant.id)
    .where('depends_on', '@>', sql<string[]>`array[${id}]::uuid[]`)
    .execute()
  await db
    .insertInto('removed_monitors')
    .columns(['id', 'tenant_id', 'name', 'url', 'tags', 'created_at'])
    .expression(
      db.selectFrom('monitors').where('id', '=', id).select(['id', 'tenant_id', 'name', 'url', 'tags', 'created_at']),
    )
    .execute()
  await db.deleteFrom('monitors').where('tenant_id', '=', tenant.id).where('id', '=', id).execute()
  await followObjectives(em, [id])
  await pauseOverPlan(em, tenant.id)
  audit('monitor.deleted', { type: 'monitor', id }, { name, url })
  emit('monitor.deleted', { monitor_id: id, monitor_name: name, monitor_url: url })
}
