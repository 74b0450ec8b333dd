import { z } from 'zod'
import { endpoint } from '#control-plane/kernel/endpoint.ts'
import { ok } from '#control-plane/kernel/reply.ts'
import { type AgentRow, AgentView, agentColumns, viewAgent } from './view.ts'

export const listAgents = endpoint({
  method: 'GET',
  path: '/agents',
  summary: 'List the agents of all regions and when each was last heard of',
  access: 'super-admin',
  returns: ok({ data: z.array(AgentView) }),

  async handle({ services, now }) {
    const { rows } = await services.platform.query<AgentRow>(
      `select ${agentColumns} from agents order by revoked_at is not null, region, enrolled_at, id limit 1000`,
    )
    return { data: rows.map(row => viewAgent(row, now)) }
  },
})
