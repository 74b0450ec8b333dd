import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { effectiveLimits } from '#contract/plans.ts'
import { invalid, notInPlan } from '#control-plane/base/refusal.ts'
import { queries, rows } from '#control-plane/db/queries.ts'
import { mayCrawl } from '#control-plane/engine/crawls/begin.ts'
import { crawlNotice } from '#control-plane/engine/crawls/notice.ts'
import { isWatched } from '#control-plane/engine/state/state.ts'
import { endpoint } from '#control-plane/http/endpoint.ts'
import { created } from '#control-plane/http/reply.ts'
import { findMonitor } from '#control-plane/monitoring/monitors/find.ts'
import { notRunning } from '#control-plane/monitoring/monitors/not-running.ts'
import { findRun } from './row.ts'
import { CrawlRunView, viewRun } from './view.ts'

export const startCrawlRun = endpoint({
  method: 'POST',
  path: '/monitors/{monitor}/crawl-runs',
  summary: 'Crawl the site of a monitor now',
  description:
    'Gives results to all checks of kind crawl, broken_links and mixed_content of the monitor. A monitor has one ' +
    'crawl at a time: while it is under way, another is refused with code `crawl_under_way`.',
  tag: 'crawl-runs',
  access: { tenant: 'monitors:write', reseller: 'monitors:write' },
  returns: created({ data: CrawlRunView }),

  async handle({ em, tenant, params, now, services, audit, afterCommit }) {
    const monitor = await findMonitor(em, tenant, params.monitor)
    if (monitor.type !== 'website') throw invalid({ monitor: ['Only a website can be crawled.'] })
    if (!isWatched(monitor.state) || monitor.is_paused_by_maintenance)
      throw notRunning('monitor', { ...monitor, is_team_paused: monitor.state === 'team_paused' })
    if (!mayCrawl(effectiveLimits(tenant.plan, tenant.featureOverrides)))
      throw notInPlan('site_crawls', tenant.plan, 'The plan does not include site crawls.')
    const id = randomUUID()
    const made = await queries(em)
      .insertInto('crawl_runs')
      .values({ id, tenant_id: tenant.id, monitor_id: monitor.id, cause: 'request', created_at: now.toISOString() })
      .onConflict(conflict =>
        conflict.column('monitor_id').where(sql<boolean>`state in ('queued', 'running')`).doNothing(),
      )
      .returning('id')
      .executeTakeFirst()
    if (!made) throw invalid({ monitor: ['A crawl of it is under way.'] }, 'crawl_under_way')
    audit('crawl_run.started', { type: 'monitor', id: monitor.id }, { crawl_run: id })
    afterCommit(async () => {
      await rows(services.platform)`select pg_notify(${crawlNotice}, '')`
    })
    return { data: viewRun(await findRun(em, tenant, id)) }
  },
})
