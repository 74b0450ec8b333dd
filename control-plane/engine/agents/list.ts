import { queries, stamp } from '#control-plane/db/queries.ts'
import { endpoint } from '#control-plane/http/endpoint.ts'
import { offsetQuery, partOf } from '#control-plane/http/page.ts'
import { offsetPage } from '#control-plane/http/reply.ts'
import { AgentView, viewAgent } from './view.ts'

export const listAgents = endpoint({
  method: 'GET',
  path: '/agents',
  summary: 'List the agents of all regions',
  description: 'With the time of their last message.',
  access: 'super-admin',
  query: offsetQuery(),
  returns: offsetPage(AgentView),

  async handle({ services, query, now, url }) {
    const rows = await queries(services.platform)
      .selectFrom('agents as a')
      .select(({ ref }) => [
        'a.id',
        'a.region',
        'a.name',
        stamp(ref('a.enrolled_at')).as('enrolled_at'),
        stamp(ref('a.last_seen_at')).as('last_seen_at'),
        stamp(ref('a.revoked_at')).as('revoked_at'),
      ])
      .orderBy(({ eb }) => eb('a.revoked_at', 'is not', null))
      .orderBy('a.region')
      .orderBy('a.enrolled_at')
      .orderBy('a.id')
      .limit(1000)
      .execute()
    const agents = rows.map(row => viewAgent(row, now))
    return partOf(agents, query, url)
  },
})
