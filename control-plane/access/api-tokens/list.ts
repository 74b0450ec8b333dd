import { listTokens } from '#control-plane/access/tokens/row.ts'
import { GeneralTokenView, viewGeneralTokens } from '#control-plane/access/tokens/view.ts'
import { endpoint } from '#control-plane/http/endpoint.ts'
import { offsetParts, offsetQuery } from '#control-plane/http/page.ts'
import { offsetPage } from '#control-plane/http/reply.ts'
import { tokensOf } from './tokens-of.ts'

export const listApiTokens = endpoint({
  method: 'GET',
  path: '/api-tokens',
  summary: 'List your tokens, newest first, without their secrets',
  access: 'session',
  underImpersonation: 'refused',
  query: offsetQuery(),
  returns: offsetPage(GeneralTokenView),

  async handle(context) {
    const { em, caller, query, url } = context
    const { rows, total } = await listTokens(em, tokensOf(caller).holder, query)
    return { data: await viewGeneralTokens(context, rows), ...offsetParts(query, total, url) }
  },
})
