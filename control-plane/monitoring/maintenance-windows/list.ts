import { amongTexts, queries, total } from '#control-plane/db/queries.ts'
import { endpoint } from '#control-plane/http/endpoint.ts'
import { commaList, offsetParts, offsetQuery } from '#control-plane/http/page.ts'
import { offsetPage } from '#control-plane/http/reply.ts'
import { mayRead } from './input.ts'
import { selectWindows, states } from './row.ts'
import { MaintenanceWindowView, viewWindow } from './view.ts'

export const listMaintenanceWindows = endpoint({
  method: 'GET',
  path: '/maintenance-windows',
  summary: 'List maintenance windows, newest first',
  access: mayRead,
  query: offsetQuery().extend({ state: commaList(states).optional() }),
  returns: offsetPage(MaintenanceWindowView),

  async handle({ em, tenant, query, url }) {
    const wanted = amongTexts(query.state ?? states)
    const count = await queries(em)
      .selectFrom('maintenance_windows')
      .where('tenant_id', '=', tenant.id)
      .where('state', '=', wanted)
      .select(total)
      .executeTakeFirstOrThrow()
    const rows = await selectWindows(em, tenant)
      .where('w.state', '=', wanted)
      .orderBy('w.created_at', 'desc')
      .orderBy('w.id', 'desc')
      .limit(query.per_page)
      .offset((query.page - 1) * query.per_page)
      .execute()
    return { data: rows.map(viewWindow), ...offsetParts(query, count.total, url) }
  },
})
