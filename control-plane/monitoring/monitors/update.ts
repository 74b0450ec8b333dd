import { endpoint } from '#control-plane/http/endpoint.ts'
import { ok } from '#control-plane/http/reply.ts'
import { changeMonitor } from './change-monitors.ts'
import { MonitorChanges } from './input.ts'
import { MonitorView, viewMonitors } from './view.ts'

export const updateMonitor = endpoint({
  method: 'PATCH',
  path: '/monitors/{monitor}',
  summary: 'Change fields of a monitor',
  access: { tenant: 'monitors:write', reseller: 'monitors:write' },
  body: MonitorChanges,
  returns: ok({ data: MonitorView }),

  async handle(context) {
    const changed = await changeMonitor(context, { ...context.body, id: context.params.monitor })
    const [monitor] = await viewMonitors(context, [changed])
    return { data: monitor! }
  },
})
