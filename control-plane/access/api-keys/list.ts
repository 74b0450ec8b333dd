import { listTokens } from '#control-plane/access/tokens/row.ts'
import { GeneralTokenView, viewGeneralTokens } from '#control-plane/access/tokens/view.ts'
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

  async handle(context) {
    const { em, tenant, query, url } = context
    const { rows, total } = await listTokens(em, keysOf(tenant).holder, query)
    return { data: await viewGeneralTokens(context, rows), ...offsetParts(query, total, url) }
  },
})
