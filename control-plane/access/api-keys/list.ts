import { listTokens } from '#control-plane/access/tokens/row.ts'
import { GeneralTokenView, viewGeneralToken } from '#control-plane/access/tokens/view.ts'
import { endpoint } from '#control-plane/http/endpoint.ts'
import { offsetParts, offsetQuery } from '#control-plane/http/page.ts'
import { offsetPage } from '#control-plane/http/reply.ts'
import { keysOf, reading } from './keys-of.ts'

export const listApiKeys = endpoint({
  method: 'GET',
  path: '/api-keys',
  summary: 'List the team’s API keys',
  description: 'Newest first, without their secrets.',
  access: reading,
  underImpersonation: 'refused',
  query: offsetQuery(),
  returns: offsetPage(GeneralTokenView),

  async handle({ em, tenant, query, url }) {
    const { rows, total } = await listTokens(em, keysOf(tenant).holder, query)
    return { data: rows.map(viewGeneralToken), ...offsetParts(query, total, url) }
  },
})
