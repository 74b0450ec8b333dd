import { total } from '#control-plane/db/queries.ts'
import { endpoint } from '#control-plane/http/endpoint.ts'
import { offsetParts, offsetQuery } from '#control-plane/http/page.ts'
import { offsetPage } from '#control-plane/http/reply.ts'
import { refusedTokensOf, ScimTokenView, selectScimTokens, viewScimToken } from './view.ts'

export const listScimTokens = endpoint({
  method: 'GET',
  path: '/scim-tokens',
  summary: 'List the tokens of directories',
  description: 'Newest first, without their secrets.',
  access: { tenant: 'settings:manage' },
  underImpersonation: 'refused',
  query: offsetQuery(),
  returns: offsetPage(ScimTokenView),

  async handle({ em, tenant, query, url, services }) {
    const tokens = selectScimTokens(em, tenant)
    const rows = await tokens
      .orderBy('scim_tokens.created_at', 'desc')
      .orderBy('id', 'desc')
      .limit(query.per_page)
      .offset((query.page - 1) * query.per_page)
      .execute()
    const count = await tokens.clearSelect().select(total).executeTakeFirstOrThrow()
    const refused = await refusedTokensOf(services.platform, tenant.id)
    return { data: rows.map(row => viewScimToken(row, refused)), ...offsetParts(query, count.total, url) }
  },
})
