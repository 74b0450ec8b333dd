import { queries, total } from '#control-plane/db/queries.ts'
import { endpoint } from '#control-plane/http/endpoint.ts'
import { offsetParts, offsetQuery } from '#control-plane/http/page.ts'
import { offsetPage } from '#control-plane/http/reply.ts'
import { mayRead } from './access.ts'
import { readSteps, selectPolicies } from './rows.ts'
import { PolicyView, viewPolicy } from './view.ts'

export const listPolicies = endpoint({
  method: 'GET',
  path: '/escalation-policies',
  summary: 'List escalation policies, oldest first',
  access: mayRead,
  query: offsetQuery(),
  returns: offsetPage(PolicyView),

  async handle({ em, tenant, query, url }) {
    const count = await queries(em)
      .selectFrom('escalation_policies')
      .where('tenant_id', '=', tenant.id)
      .select(total)
      .executeTakeFirstOrThrow()
    const rows = await selectPolicies(em, tenant)
      .orderBy('p.created_at')
      .orderBy('p.id')
      .limit(query.per_page)
      .offset((query.page - 1) * query.per_page)
      .execute()
    const steps = await readSteps(
      em,
      rows.map(({ id }) => id),
    )
    return { data: rows.map(row => viewPolicy(row, steps.get(row.id))), ...offsetParts(query, count.total, url) }
  },
})
