import { endpoint } from '#control-plane/http/endpoint.ts'
import { noContent } from '#control-plane/http/reply.ts'
import { deleteMonitor } from '#control-plane/monitoring/monitors/delete.ts'
import { agentAccess } from './access.ts'
import { findAgent } from './row.ts'

export const deleteAgentMonitor = endpoint({
  method: 'DELETE',
  path: '/agent-monitors/{agent_monitor}',
  summary: 'Delete an agent monitor with its incidents and tokens',
  access: agentAccess.write,
  returns: noContent,

  async handle(context) {
    const { id } = await findAgent(context.em, context.tenant, context.params.agent_monitor)
    await deleteMonitor.handle({ ...context, params: { monitor: id } })
  },
})
