import { z } from 'zod'
import { endpoint } from '#control-plane/http/endpoint.ts'
import { commaList, offsetParts, offsetQuery } from '#control-plane/http/page.ts'
import { offsetPage } from '#control-plane/http/reply.ts'
import { type CrawlRunRow, selectRuns } from './row.ts'
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
    const wanted = ['r.tenant_id = ?']
    const values: unknown[] = [tenant.id]
    const want = (sql: string, value: unknown) => {
      if (value === undefined) return
      wanted.push(sql)
      values.push(value)
    }
    want('r.monitor_id = ?', query.monitor_id)
    want('r.state = any(array[?]::varchar[])', query.state)
    const where = wanted.join(' and ')
    const counted = `select count(*)::int as total from crawl_runs r where ${where}`
    const [{ total } = { total: 0 }] = await em.execute<{ total: number }[]>(counted, values)
    const rows = await em.execute<CrawlRunRow[]>(
      `select ${selectRuns} from crawl_runs r where ${where} order by r.created_at desc, r.id desc limit ? offset ?`,
      [...values, query.per_page, (query.page - 1) * query.per_page],
    )
    return { data: rows.map(viewRun), ...offsetParts(query, total, url) }
  },
})
