import { total } from '#control-plane/db/queries.ts'
import { endpoint } from '#control-plane/http/endpoint.ts'
import { offsetParts, offsetQuery } from '#control-plane/http/page.ts'
import { offsetPage } from '#control-plane/http/reply.ts'
import { findMonitor } from '#control-plane/monitoring/monitors/find.ts'
import { selectGeoAudits } from './row.ts'
import { GeoAuditItem, viewItem } from './view.ts'

export const listGeoAudits = endpoint({
  method: 'GET',
  path: '/monitors/{monitor}/geo-audits',
  summary: 'List the geo audits of a monitor, newest first',
  description: 'The newest hundred are kept.',
  access: { tenant: 'monitors:read', reseller: 'monitors:read' },
  query: offsetQuery(),
  returns: offsetPage(GeoAuditItem),

  async handle({ em, tenant, params, query, url }) {
    const monitor = await findMonitor(em, tenant, params.monitor)
    const own = selectGeoAudits(em, tenant).where('g.monitor_id', '=', monitor.id)
    const count = await own.clearSelect().select(total).executeTakeFirstOrThrow()
    const rows = await own
      .orderBy('g.created_at', 'desc')
      .orderBy('g.id', 'desc')
      .limit(query.per_page)
      .offset((query.page - 1) * query.per_page)
      .execute()
    return { data: rows.map(viewItem), ...offsetParts(query, count.total, url) }
  },
})
