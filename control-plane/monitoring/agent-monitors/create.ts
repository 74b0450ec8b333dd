import { z } from 'zod'
import { agent } from '#checks/agent/kind.ts'
import { endpoint } from '#control-plane/kernel/endpoint.ts'
import { created } from '#control-plane/kernel/reply.ts'
import { insertChecks } from '#control-plane/monitoring/checks/store.ts'
import type { MonitorFields } from '#control-plane/monitoring/monitors/row.ts'
import { insertMonitors } from '#control-plane/monitoring/monitors/store.ts'
import { Complaints, single, vetParents, vetReferences } from '#control-plane/monitoring/monitors/vet.ts'
import { agentAccess, takeServerPlace } from './access.ts'
import { NewAgentMonitor } from './input.ts'
import { InstallView, installOf } from './install.ts'
import { findAgent } from './row.ts'
import { mintServerToken } from './token.ts'
import { AgentMonitorView, viewAgent } from './view.ts'

export const createAgentMonitor = endpoint({
  method: 'POST',
  path: '/agent-monitors',
  summary: 'Monitor a server by an agent on it; the agent’s token is shown once',
  description: 'Needs the plan feature `server_monitoring`, and a place within `agent_limit`. It is a monitor of type `agent` with one check of kind `agent`.',
  access: agentAccess.write,
  body: NewAgentMonitor,
  returns: created({ data: AgentMonitorView, plain_text_token: z.string(), install: InstallView }),

  async handle(facts) {
    const { em, tenant, body, now, services, audit, emit } = facts
    await takeServerPlace(facts)
    const complaints = new Complaints(single)
    await vetReferences(em, tenant, [body], complaints)
    await vetParents(em, tenant, [body], complaints)
    complaints.refuseIfAny()

    const { thresholds, no_data_after_minutes, severity, is_enabled } = body
    const fields = fieldsOf(body)
    const [id = ''] = await insertMonitors(em, tenant, [fields], now)
    const settings = agent.settings.parse({ thresholds, no_data_after_minutes })
    await insertChecks({ em, ring: services.config }, tenant, [{ monitor_id: id, type: 'agent', settings, interval: null, severity, is_enabled: true }], now)
    const token = await mintServerToken(em, tenant, id, now)
    audit('monitor.created', { type: 'monitor', id }, { name: fields.name, url: fields.url, is_enabled })
    emit('monitor.created', { monitor_id: id, monitor_name: fields.name, monitor_url: fields.url })
    return { data: viewAgent(await findAgent(em, tenant, id)), plain_text_token: token, install: installOf(services.config.baseUrl, token) }
  },
})

function fieldsOf({ group, thresholds: _, no_data_after_minutes: __, severity: ___, ...same }: NewAgentMonitor): MonitorFields {
  const place = same.name
    .toLowerCase()
    .replace(/[^a-z0-9.]+/g, '-')
    .replace(/^[-.]+|[-.]+$/g, '')
  return {
    ...same,
    group_name: group,
    url: `agent://${place || 'server'}`,
    type: 'agent',
    check_interval: 60,
    timeout: 10,
    regions: [],
    region_policy: { mode: 'majority', count: null },
    confirmations: 1,
    recovery_confirmations: 1,
  }
}
