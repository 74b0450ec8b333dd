import { endpoint, type RequestContext } from '#control-plane/http/endpoint.ts'
import { ok } from '#control-plane/http/reply.ts'
import { changeMonitor } from './change-monitors.ts'
import { MonitorView, viewMonitors } from './view.ts'

export const enableMonitor = endpoint({
  method: 'POST',
  path: '/monitors/{monitor}/enable',
  summary: 'Enable a monitor',
  access: { tenant: 'monitors:write', reseller: 'monitors:write' },
  returns: ok({ data: MonitorView }),
  handle: context => switchTo(true, context),
})

export const disableMonitor = endpoint({
  method: 'POST',
  path: '/monitors/{monitor}/disable',
  summary: 'Disable a monitor',
  access: { tenant: 'monitors:write', reseller: 'monitors:write' },
  returns: ok({ data: MonitorView }),
  handle: context => switchTo(false, context),
})

async function switchTo(is_enabled: boolean, context: RequestContext<{ monitor: string }>) {
  const changed = await changeMonitor(context, { id: context.params.monitor, is_enabled })
  const [monitor] = await viewMonitors(context, [changed])
  return { data: monitor! }
}
