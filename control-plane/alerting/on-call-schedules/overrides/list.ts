import { mayRead } from '#control-plane/alerting/on-call-schedules/access.ts'
import { findSchedule, selectOverrides } from '#control-plane/alerting/on-call-schedules/rows.ts'
import { OverrideView, viewOverride } from '#control-plane/alerting/on-call-schedules/view.ts'
import { queries, total } from '#control-plane/db/queries.ts'
import { endpoint } from '#control-plane/http/endpoint.ts'
import { offsetParts, offsetQuery } from '#control-plane/http/page.ts'
import { offsetPage } from '#control-plane/http/reply.ts'

export const listOverrides = endpoint({
  method: 'GET',
  path: '/on-call-schedules/{on_call_schedule}/overrides',
  summary: 'List the overrides of an on-call schedule',
  description: 'The latest start first.',
  access: mayRead,
  query: offsetQuery(),
  returns: offsetPage(OverrideView),

  async handle({ em, tenant, params, query, url }) {
    const { id } = await findSchedule(em, tenant, params.on_call_schedule)
    const count = await queries(em)
      .selectFrom('on_call_overrides')
      .where('tenant_id', '=', tenant.id)
      .where('schedule_id', '=', id)
      .select(total)
      .executeTakeFirstOrThrow()
    const rows = await selectOverrides(em, tenant, [id])
      .orderBy('o.starts_at', 'desc')
      .orderBy('o.id')
      .limit(query.per_page)
      .offset((query.page - 1) * query.per_page)
      .execute()
    return { data: rows.map(viewOverride), ...offsetParts(query, count.total, url) }
  },
})
