import { endpoint } from '#control-plane/http/endpoint.ts'
import { ok } from '#control-plane/http/reply.ts'
import { changeMonitors } from './change-monitors.ts'
import { findMonitor } from './find.ts'
import { MonitorChanges } from './input.ts'
import { single } from './vet.ts'
import { MonitorView, viewMonitors } from './view.ts'

export const updateMonitor = endpoint({
  method: 'PATCH',
  path: '/monitors/{monitor}',
  summary: 'Change fields of a monitor',
  access: { tenant: 'monitors:write', reseller: 'monitors:write' },
  body: MonitorChanges,
  returns: ok({ data: MonitorView }),

  async handle(context) {
    const { em, tenant, params, body } = context
    const { id } = await findMonitor(em, tenant, params.monitor)
    await changeMonitors(context, [{ ...body, id }], single)
    const [monitor] = await viewMonitors(context, [await findMonitor(em, tenant, id)])
    return { data: monitor! }
  },
})
