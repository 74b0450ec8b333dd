import { mayRead } from '#control-plane/alerting/channels/input.ts'
import { endpoint } from '#control-plane/http/endpoint.ts'
import { offsetParts, offsetQuery } from '#control-plane/http/page.ts'
import { offsetPage } from '#control-plane/http/reply.ts'
import { type RuleRow, RuleView, selectRules } from './row.ts'

export const listRules = endpoint({
  method: 'GET',
  path: '/notification-rules',
  summary: 'List notification rules, oldest first',
  access: mayRead,
  query: offsetQuery(),
  returns: offsetPage(RuleView),

  async handle({ em, tenant, query, url }) {
    const [{ total } = { total: 0 }] = await em.execute<{ total: number }[]>(
      'select count(*)::int as total from notification_rules where tenant_id = ?',
      [tenant.id],
    )
    const data = await em.execute<RuleRow[]>(
      `select ${selectRules} from notification_rules r where tenant_id = ? order by r.created_at, r.id limit ? offset ?`,
      [tenant.id, query.per_page, (query.page - 1) * query.per_page],
    )
    return { data, ...offsetParts(query, total, url) }
  },
})
