import { listTokens } from '#control-plane/access/tokens/row.ts'
import { endpoint } from '#control-plane/http/endpoint.ts'
import { offsetParts, offsetQuery } from '#control-plane/http/page.ts'
import { offsetPage } from '#control-plane/http/reply.ts'
import { tokensOf } from './find.ts'
import { ResellerTokenView, viewResellerToken } from './view.ts'

export const listResellerTokens = endpoint({
  method: 'GET',
  path: '/reseller/tokens',
  summary: 'List the reseller’s tokens',
  description: 'Newest first, without their secrets.',
  access: { reseller: 'teams:read' },
  query: offsetQuery(),
  returns: offsetPage(ResellerTokenView),

  async handle({ em, tenant, query, url }) {
    const { rows, total } = await listTokens(em, tokensOf(tenant), query)
    return { data: rows.map(viewResellerToken), ...offsetParts(query, total, url) }
  },
})
