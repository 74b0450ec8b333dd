import { amongTexts } from '#control-plane/db/queries.ts'
import { endpoint } from '#control-plane/http/endpoint.ts'
import { commaList, offsetQuery, partOf } from '#control-plane/http/page.ts'
import { offsetPage } from '#control-plane/http/reply.ts'
import { findMonitor } from '#control-plane/monitoring/monitors/find.ts'
import { selectRuns } from './row.ts'
import { CrawlRunView, runStates, viewRun } from './view.ts'

export const listCrawlRuns = endpoint({
  method: 'GET',
  path: '/monitors/{monitor}/crawl-runs',
  summary: 'List the crawls of a monitor, newest first',
  description: 'The one under way, if there is one, and the last five that ended.',
  tag: 'crawl-runs',
  access: { tenant: 'monitors:read', reseller: 'monitors:read' },
  query: offsetQuery().extend({ state: commaList(runStates).optional() }),
  returns: offsetPage(CrawlRunView),

  async handle({ em, tenant, params, query, url }) {
    const monitor = await findMonitor(em, tenant, params.monitor)
    const own = selectRuns(em, tenant).where('r.monitor_id', '=', monitor.id)
    const rows = await (query.state ? own.where('r.state', '=', amongTexts(query.state)) : own)
      .orderBy('r.created_at', 'desc')
      .orderBy('r.id', 'desc')
      .limit(20)
      .execute()
    return partOf(rows.map(viewRun), query, url)
  },
})
