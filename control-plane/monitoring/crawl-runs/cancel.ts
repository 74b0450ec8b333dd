import { invalid } from '#control-plane/base/refusal.ts'
import { queries } from '#control-plane/db/queries.ts'
import { endpoint } from '#control-plane/http/endpoint.ts'
import { ok } from '#control-plane/http/reply.ts'
import { findRun } from './row.ts'
import { CrawlRunView, viewRun } from './view.ts'

export const cancelCrawlRun = endpoint({
  method: 'POST',
  path: '/crawl-runs/{crawl_run}/cancel',
  summary: 'Call a crawl off',
  description: 'What it has found until then can be read; no check is judged by it.',
  tag: 'crawl-runs',
  access: { tenant: 'monitors:write', reseller: 'monitors:write' },
  returns: ok({ data: CrawlRunView }),

  async handle({ em, tenant, params, now, audit }) {
    const run = await findRun(em, tenant, params.crawl_run)
    const changed = await queries(em)
      .updateTable('crawl_runs')
      .set({ state: 'cancelled', reason: 'Called off.', finished_at: now.toISOString() })
      .where('id', '=', run.id)
      .where('tenant_id', '=', tenant.id)
      .where('state', 'in', ['queued', 'running'])
      .returning('id')
      .executeTakeFirst()
    if (!changed) throw invalid({ state: ['This crawl is over.'] }, 'crawl_over')
    audit('crawl_run.cancelled', { type: 'monitor', id: run.monitor_id }, { crawl_run: run.id })
    return { data: viewRun(await findRun(em, tenant, run.id)) }
  },
})
