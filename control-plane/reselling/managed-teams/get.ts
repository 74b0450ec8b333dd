import { endpoint } from '#control-plane/http/endpoint.ts'
import { ok } from '#control-plane/http/reply.ts'
import { loadTeam } from './load.ts'
import { TeamView, viewTeam } from './view.ts'

export const getManagedTeam = endpoint({
  method: 'GET',
  path: '/reseller/managed-teams/{managed_team}',
  summary: 'Get a managed team',
  access: { reseller: 'teams:read' },
  returns: ok({ data: TeamView }),

  async handle({ em, params, now }) {
    return { data: viewTeam(await loadTeam(em, params.managed_team), now) }
  },
})
