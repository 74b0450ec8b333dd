import { endpoint } from '#control-plane/http/endpoint.ts'
import { created } from '#control-plane/http/reply.ts'
import { createMonitors } from './create-monitors.ts'
import { NewMonitor } from './input.ts'
import { single } from './validate.ts'
import { MonitorView, readMonitors } from './view.ts'

export const createMonitor = endpoint({
  method: 'POST',
  path: '/monitors',
  summary: 'Create a monitor with its checks',
  description:
    'Of type website or host. Jobs and servers have endpoints of their own: `POST /cron-monitors` and ' +
    '`POST /agent-monitors`.',
  access: { tenant: 'monitors:write', reseller: 'monitors:write' },
  body: NewMonitor,
  returns: created({ data: MonitorView }),

  async handle(context) {
    const [monitor] = await readMonitors(context, await createMonitors(context, [context.body], single))
    return { data: monitor! }
  },
})
