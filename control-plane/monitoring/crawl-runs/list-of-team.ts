import { z } from 'zod'
import { amongTexts, total } from '#control-plane/db/queries.ts'
import { endpoint } from '#control-plane/http/endpoint.ts'
import { commaList, offsetParts, offsetQuery } from '#control-plane/http/page.ts'
import { offsetPage } from '#control-plane/http/reply.ts'
import { selectRuns } from './row.ts'
import { CrawlRunView, runStates, viewRun } from './view.ts'

export const listTeamCrawlRuns = endpoint({
  method: 'GET',
  path: '/crawl-runs',
  summary: 'List the crawls of all monitors, newest first',
  description: 'Of each monitor the one under way, if there is one, and the last five that ended.',
  tag: 'crawl-runs',
  access: { tenant: 'monitors:read', reseller: 'monitors:read' },
  query: offsetQuery().extend({
    monitor_id: z.uuid().toLowerCase().optional().meta({ description: 'Only the crawls of this monitor.' }),
    state: commaList(runStates).optional().meta({ description: 'Comma list of states.' }),
  }),
  returns: offsetPage(CrawlRunView),

  async handle({ em, tenant, query, url }) {
    let runs = selectRuns(em, tenant)
    if (query.monitor_id !== undefined) runs = runs.where('r.monitor_id', '=', query.monitor_id)
    if (query.state) runs = runs.where('r.state', '=', amongTexts(query.state))
    const count = await runs.clearSelect().select(total).executeTakeFirstOrThrow()
    const rows = await runs
      .orderBy('r.created_at', 'desc')
      .orderBy('r.id', 'desc')
      .limit(query.per_page)
      .offset((query.page - 1) * query.per_page)
      .execute()
    return { data: rows.map(viewRun), ...offsetParts(query, count.total, url) }
  },
})
