import { agent } from '#checks/agent/kind.ts'
import { endpoint } from '#control-plane/http/endpoint.ts'
import { ok } from '#control-plane/http/reply.ts'
import { changeCheck } from '#control-plane/monitoring/checks/change.ts'
import { findCheck } from '#control-plane/monitoring/checks/find.ts'
import { changeMonitor } from '#control-plane/monitoring/monitors/change-monitors.ts'
import { agentAccess } from './access.ts'
import { AgentMonitorChanges } from './input.ts'
import { findAgent } from './row.ts'
import { AgentMonitorView, viewAgent } from './view.ts'

export const updateAgentMonitor = endpoint({
  method: 'PATCH',
  path: '/agent-monitors/{agent_monitor}',
  summary: 'Update an agent monitor',
  description: 'The list of thresholds is replaced as a whole.',
  access: agentAccess.write,
  body: AgentMonitorChanges,
  returns: ok({ data: AgentMonitorView }),

  async handle(context) {
    const { em, tenant, params, body } = context
    const { thresholds, no_data_after_minutes, severity, ...monitor } = body
    const { id, check_id } = await findAgent(em, tenant, params.agent_monitor)
    await changeMonitor(context, { ...monitor, id })
    const check = await findCheck(em, tenant, check_id, id)
    const settings = agent.settings.parse({
      ...check.settings,
      ...(thresholds && { thresholds }),
      ...(no_data_after_minutes !== undefined && { no_data_after_minutes }),
    })
    await changeCheck(context, check, { settings, ...(severity && { severity }) })
    return { data: viewAgent(await findAgent(em, tenant, id)) }
  },
})
