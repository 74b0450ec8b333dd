import { endpoint } from '#control-plane/http/endpoint.ts'
import { noContent } from '#control-plane/http/reply.ts'
import { deleteMonitor } from '#control-plane/monitoring/monitors/delete.ts'
import { agentAccess } from './access.ts'
import { findAgent } from './row.ts'

export const deleteAgentMonitor = endpoint({
  method: 'DELETE',
  path: '/agent-monitors/{agent_monitor}',
  summary: 'Delete a monitored server with its incidents; its tokens end at once',
  access: agentAccess.write,
  returns: noContent,

  async handle(facts) {
    const { id } = await findAgent(facts.em, facts.tenant, facts.params.agent_monitor)
    await deleteMonitor.handle({ ...facts, params: { monitor: id } })
  },
})
