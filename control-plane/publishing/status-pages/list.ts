import { pageStates } from '#control-plane/db/model/status-page-values.ts'
import { amongTexts, queries, total } from '#control-plane/db/queries.ts'
import { endpoint } from '#control-plane/http/endpoint.ts'
import { commaList, offsetParts, offsetQuery } from '#control-plane/http/page.ts'
import { offsetPage } from '#control-plane/http/reply.ts'
import { keptOriginOf } from '#control-plane/tenancy/portal-hosts/origin.ts'
import { mayRead } from './access.ts'
import { selectPages } from './row.ts'
import { PageView, viewPage } from './view.ts'

export const listStatusPages = endpoint({
  method: 'GET',
  path: '/status-pages',
  summary: 'List status pages, oldest first',
  access: mayRead,
  query: offsetQuery().extend({ state: commaList(pageStates).optional() }),
  returns: offsetPage(PageView),

  async handle({ em, tenant, query, url, services }) {
    const wanted = amongTexts(query.state ?? pageStates)
    const count = await queries(em)
      .selectFrom('status_pages')
      .where('tenant_id', '=', tenant.id)
      .where('state', '=', wanted)
      .select(total)
      .executeTakeFirstOrThrow()
    const rows = await selectPages(em, tenant)
      .where('s.state', '=', wanted)
      .orderBy('s.created_at')
      .orderBy('s.id')
      .limit(query.per_page)
      .offset((query.page - 1) * query.per_page)
      .execute()
    const origin = await keptOriginOf(services, tenant.id)
    return {
      data: rows.map(row => viewPage(row, origin)),
      ...offsetParts(query, count.total, url),
    }
  },
})
