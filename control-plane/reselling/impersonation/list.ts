import { endpoint } from '#control-plane/http/endpoint.ts'
import { offsetParts, offsetQuery } from '#control-plane/http/page.ts'
import { offsetPage } from '#control-plane/http/reply.ts'
import { activeTokens, ImpersonationTokenView } from './active.ts'

export const listImpersonationTokens = endpoint({
  method: 'GET',
  path: '/reseller/managed-teams/{managed_team}/impersonation-tokens',
  summary: 'List the valid impersonation tokens of a team',
  access: { reseller: 'teams:write' },
  query: offsetQuery(),
  returns: offsetPage(ImpersonationTokenView),

  async handle({ em, tenant, caller, query, url, now }) {
    const living = await activeTokens(em, { tenant, reseller: caller.tenant }, now)
    const { page, per_page } = query
    return { data: living.slice((page - 1) * per_page, page * per_page), ...offsetParts(query, living.length, url) }
  },
})
