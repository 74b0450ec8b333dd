import { endpoint } from '#control-plane/http/endpoint.ts'
import { offsetQuery, partOf } from '#control-plane/http/page.ts'
import { offsetPage } from '#control-plane/http/reply.ts'
import { type AgentRow, AgentView, agentColumns, viewAgent } from './view.ts'

export const listAgents = endpoint({
  method: 'GET',
  path: '/agents',
  summary: 'List the agents of all regions and when each was last heard of',
  access: 'super-admin',
  query: offsetQuery(),
  returns: offsetPage(AgentView),

  async handle({ services, query, now, url }) {
    const { rows } = await services.platform.query<AgentRow>(
      `select ${agentColumns} from agents order by revoked_at is not null, region, enrolled_at, id limit 1000`,
    )
    const agents = rows.map(row => viewAgent(row, now))
    return partOf(agents, query, url)
  },
})
