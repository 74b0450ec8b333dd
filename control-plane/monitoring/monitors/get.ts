import { endpoint } from '#control-plane/http/endpoint.ts'
import { ok } from '#control-plane/http/reply.ts'
import { findMonitor } from './find.ts'
import { MonitorView, viewMonitors } from './view.ts'

export const getMonitor = endpoint({
  method: 'GET',
  path: '/monitors/{monitor}',
  summary: 'Read a monitor with its status and checks',
  access: { tenant: 'monitors:read', reseller: 'monitors:read' },
  returns: ok({ data: MonitorView }),

  async handle(context) {
    const [monitor] = await viewMonitors(context, [
      await findMonitor(context.em, context.tenant, context.params.monitor),
    ])
    return { data: monitor! }
  },
})
