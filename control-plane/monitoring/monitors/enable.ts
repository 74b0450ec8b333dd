import { endpoint, type RequestContext } from '#control-plane/http/endpoint.ts'
import { ok } from '#control-plane/http/reply.ts'
import { changeMonitors } from './change-monitors.ts'
import { findMonitor } from './find.ts'
import { single } from './vet.ts'
import { MonitorView, viewMonitors } from './view.ts'

export const enableMonitor = endpoint({
  method: 'POST',
  path: '/monitors/{monitor}/enable',
  summary: 'Look at a monitor again',
  access: { tenant: 'monitors:write', reseller: 'monitors:write' },
  returns: ok({ data: MonitorView }),
  handle: facts => switchTo(true, facts),
})

export const disableMonitor = endpoint({
  method: 'POST',
  path: '/monitors/{monitor}/disable',
  summary: 'Look at a monitor no more, until it is enabled again',
  access: { tenant: 'monitors:write', reseller: 'monitors:write' },
  returns: ok({ data: MonitorView }),
  handle: facts => switchTo(false, facts),
})

async function switchTo(is_enabled: boolean, facts: RequestContext<{ monitor: string }>) {
  const { id } = await findMonitor(facts.em, facts.tenant, facts.params.monitor)
  await changeMonitors(facts, [{ id, is_enabled }], single)
  const [monitor] = await viewMonitors(facts, [await findMonitor(facts.em, facts.tenant, id)])
  return { data: monitor! }
}
