import { endpoint } from '#control-plane/http/endpoint.ts'
import { offsetParts, offsetQuery } from '#control-plane/http/page.ts'
import { offsetPage } from '#control-plane/http/reply.ts'
import { findMonitor } from '#control-plane/monitoring/monitors/find.ts'
import { type GeoAuditRow, selectGeoAudits } from './row.ts'
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
    const [{ total } = { total: 0 }] = await em.execute<{ total: number }[]>(
      'select count(*)::int as total from geo_audits where tenant_id = ? and monitor_id = ?',
      [tenant.id, monitor.id],
    )
    const rows = await em.execute<GeoAuditRow[]>(
      `select ${selectGeoAudits} from geo_audits g where g.tenant_id = ? and g.monitor_id = ? order by g.created_at desc, g.id desc limit ? offset ?`,
      [tenant.id, monitor.id, query.per_page, (query.page - 1) * query.per_page],
    )
    return { data: rows.map(viewItem), ...offsetParts(query, total, url) }
  },
})
