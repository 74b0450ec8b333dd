import { endpoint } from '#control-plane/http/endpoint.ts'
import { ok } from '#control-plane/http/reply.ts'
import { agentAccess } from './access.ts'
import { findAgent } from './row.ts'
import { AgentMonitorView, viewAgent } from './view.ts'

export const getAgentMonitor = endpoint({
  method: 'GET',
  path: '/agent-monitors/{agent_monitor}',
  summary: 'Get an agent monitor with its thresholds',
  access: agentAccess.read,
  returns: ok({ data: AgentMonitorView }),

  handle: async ({ em, tenant, params }) => ({ data: viewAgent(await findAgent(em, tenant, params.agent_monitor)) }),
})
