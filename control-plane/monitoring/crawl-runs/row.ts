import type { EntityManager } from '@mikro-orm/postgresql'
import type { InferResult } from 'kysely'
import { notFound } from '#control-plane/base/refusal.ts'
import { queries, stamp } from '#control-plane/db/queries.ts'

/** A crawl as it is stored. Times are text in the API's form. */
export type CrawlRunRow = InferResult<ReturnType<typeof selectRuns>>[number]

/** Crawls of this tenant. */
export const selectRuns = (em: EntityManager, tenant: { id: string }) =>
  queries(em)
    .selectFrom('crawl_runs as r')
    .where('r.tenant_id', '=', tenant.id)
    .select([
      'r.id',
      'r.monitor_id',
      'r.cause',
      'r.state',
      'r.reason',
      'r.region',
      'r.page_limit',
      'r.found',
      'r.visited',
      'r.checked',
      'r.queued',
      'r.broken',
      'r.mixed',
      'r.bytes',
      'r.findings',
    ])
    .select(({ ref }) => [
      ref('r.refused').$castTo<Record<string, number>>().as('refused'),
      stamp(ref('r.created_at')).as('created_at'),
      stamp(ref('r.started_at')).as('started_at'),
      stamp(ref('r.finished_at')).as('finished_at'),
    ])

/** The one way to reach a crawl by id: it exists, and it is this tenant's. */
export async function findRun(em: EntityManager, tenant: { id: string }, id: string): Promise<CrawlRunRow> {
  const row = await selectRuns(em, tenant).where('r.id', '=', id).executeTakeFirst()
  if (!row) throw notFound('Crawl run')
  return row
}
