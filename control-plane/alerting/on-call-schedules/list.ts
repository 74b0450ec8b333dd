import { queries, total } from '#control-plane/db/queries.ts'
import { endpoint } from '#control-plane/http/endpoint.ts'
import { offsetParts, offsetQuery } from '#control-plane/http/page.ts'
import { offsetPage } from '#control-plane/http/reply.ts'
import { mayRead } from './access.ts'
import { readRotations, selectSchedules } from './rows.ts'
import { ScheduleView, viewSchedule } from './view.ts'

export const listSchedules = endpoint({
  method: 'GET',
  path: '/on-call-schedules',
  summary: 'List on-call schedules, oldest first',
  access: mayRead,
  query: offsetQuery(),
  returns: offsetPage(ScheduleView),

  async handle({ em, tenant, query, url }) {
    const count = await queries(em)
      .selectFrom('on_call_schedules')
      .where('tenant_id', '=', tenant.id)
      .select(total)
      .executeTakeFirstOrThrow()
    const rows = await selectSchedules(em, tenant)
      .orderBy('s.created_at')
      .orderBy('s.id')
      .limit(query.per_page)
      .offset((query.page - 1) * query.per_page)
      .execute()
    const rotations = await readRotations(
      em,
      tenant,
      rows.map(({ id }) => id),
    )
    return { data: rows.map(row => viewSchedule(row, rotations.get(row.id))), ...offsetParts(query, count.total, url) }
  },
})
