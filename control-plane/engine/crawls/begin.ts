import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import type { PoolClient } from 'pg'
import { keyOf } from '#checks/crawl/address.ts'
import { effectiveLimits, type Limits } from '#contract/plans.ts'
import { type Db, json, queries } from '#control-plane/db/queries.ts'
import { idOf } from './step.ts'
import { crawlKinds, planCrawl } from './terms.ts'

export const mayCrawl = (limits: Pick<Limits, 'site_crawls' | 'crawl_pages'>) =>
  limits.site_crawls && limits.crawl_pages !== 0

/** Sets the terms of a queued run and its first page. False for one that cannot begin. */
export async function beginCrawl(
  client: PoolClient,
  run: { id: string; monitor_id: string; tenant_id: string },
): Promise<boolean> {
  const db = queries(client)
  const monitor = await db
    .selectFrom('monitors as m')
    .innerJoin('tenants as t', 't.id', 'm.tenant_id')
    .where('m.id', '=', run.monitor_id)
    .select(['m.url', 'm.type', 't.plan', 't.feature_overrides'])
    .executeTakeFirst()
  const limits = monitor && effectiveLimits(monitor.plan, monitor.feature_overrides)
  if (monitor?.type !== 'website' || !limits || !mayCrawl(limits)) return false
  const checks = await db
    .selectFrom('checks')
    .where('monitor_id', '=', run.monitor_id)
    .where('is_enabled', '=', true)
    .where('type', 'in', crawlKinds)
    .select(['type', 'settings'])
    .execute()
  const { terms, pages } = planCrawl(monitor.url, checks, limits)
  await db
    .updateTable('crawl_runs')
    .set({ terms: json(terms), page_limit: pages })
    .where('id', '=', run.id)
    .where('terms', 'is', null)
    .execute()
  await db
    .insertInto('crawl_pages')
    .values({
      run_id: run.id,
      tenant_id: run.tenant_id,
      url: terms.start,
      key: idOf(keyOf(new URL(terms.start))),
      kind: 'page',
      depth: 0,
      hops: 0,
    })
    .onConflict(conflict => conflict.columns(['run_id', 'key']).doNothing())
    .execute()
  return true
}

/** Queues a crawl of the monitor, unless one is queued or running. Its id, or undefined. */
export async function queueCrawl(
  platform: Db,
  { tenant, monitor }: { tenant: string; monitor: string },
): Promise<string | undefined> {
  const queued = await queries(platform)
    .insertInto('crawl_runs')
    .values({
      id: randomUUID(),
      tenant_id: tenant,
      monitor_id: monitor,
      cause: 'schedule',
      created_at: sql<string>`now()`,
    })
    .onConflict(conflict =>
      conflict.column('monitor_id').where(sql<boolean>`state in ('queued', 'running')`).doNothing(),
    )
    .returning('id')
    .executeTakeFirst()
  return queued?.id
}
