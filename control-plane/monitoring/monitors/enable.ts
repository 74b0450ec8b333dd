import { endpoint, type RequestContext } from '#control-plane/http/endpoint.ts'
import { ok } from '#control-plane/http/reply.ts'
import { changeMonitors } from './change-monitors.ts'
import { findMonitor } from './find.ts'
import { single } from './vet.ts'
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
  const { id } = await findMonitor(context.em, context.tenant, context.params.monitor)
  await changeMonitors(context, [{ id, is_enabled }], single)
  const [monitor] = await viewMonitors(context, [await findMonitor(context.em, context.tenant, id)])
  return { data: monitor! }
}
