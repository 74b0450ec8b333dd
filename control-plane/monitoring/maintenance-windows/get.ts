import { endpoint } from '#control-plane/http/endpoint.ts'
import { ok } from '#control-plane/http/reply.ts'
import { mayRead } from './input.ts'
import { findWindow } from './row.ts'
import { MaintenanceWindowView, viewWindow } from './view.ts'

export const getMaintenanceWindow = endpoint({
  method: 'GET',
  path: '/maintenance-windows/{maintenance_window}',
  summary: 'Get a maintenance window',
  access: mayRead,
  returns: ok({ data: MaintenanceWindowView }),
  handle: async ({ em, tenant, params }) => ({
    data: viewWindow(await findWindow(em, tenant, params.maintenance_window)),
  }),
})
