import { mayRead } from '#control-plane/alerting/channels/input.ts'
import { total } from '#control-plane/db/queries.ts'
import { endpoint } from '#control-plane/http/endpoint.ts'
import { offsetParts, offsetQuery } from '#control-plane/http/page.ts'
import { offsetPage } from '#control-plane/http/reply.ts'
import { RuleView, selectRules } from './row.ts'

export const listRules = endpoint({
  method: 'GET',
  path: '/notification-rules',
  summary: 'List notification rules, oldest first',
  access: mayRead,
  query: offsetQuery(),
  returns: offsetPage(RuleView),

  async handle({ em, tenant, query, url }) {
    const rules = selectRules(em, tenant)
    const count = await rules.clearSelect().select(total).executeTakeFirstOrThrow()
    const data = await rules
      .orderBy('r.created_at')
      .orderBy('r.id')
      .limit(query.per_page)
      .offset((query.page - 1) * query.per_page)
      .execute()
    return { data, ...offsetParts(query, count.total, url) }
  },
})
