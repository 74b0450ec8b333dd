import { randomUUID } from 'node:crypto'
import type { PoolClient } from 'pg'
import { keyOf } from '#checks/crawl/address.ts'
import { effectiveLimits, type Limits } from '#contract/plans.ts'
import { crawlKinds, planCrawl } from './terms.ts'
import { idOf } from './turn.ts'

export const mayCrawl = (limits: Pick<Limits, 'site_crawls' | 'crawl_pages'>) =>
  limits.site_crawls && limits.crawl_pages !== 0

interface Facts {
  url: string
  type: string
  regions: string[]
  plan: string
  feature_overrides: Record<string, unknown>
}

/** Lays down how a queued run goes about it, and where it starts. False for one that cannot begin. */
export async function beginCrawl(
  client: PoolClient,
  run: { id: string; monitor_id: string; tenant_id: string },
): Promise<boolean> {
  const { rows } = await client.query<Facts>(
    `select m.url, m.type, m.regions, t.plan, t.feature_overrides from monitors m join tenants t on t.id = m.tenant_id where m.id = $1`,
    [run.monitor_id],
  )
  const facts = rows[0]
  const limits = facts && effectiveLimits(facts.plan, facts.feature_overrides)
  if (facts?.type !== 'website' || !limits || !mayCrawl(limits)) return false
  const { rows: checks } = await client.query<{ type: string; settings: Record<string, unknown> }>(
    'select type, settings from checks where monitor_id = $1 and is_enabled and type = any($2::text[])',
    [run.monitor_id, crawlKinds],
  )
  const { terms, pages } = planCrawl(facts.url, checks, limits)
  await client.query(`update crawl_runs set terms = $2, page_limit = $3 where id = $1 and terms is null`, [
    run.id,
    JSON.stringify(terms),
    pages,
  ])
  await client.query(
    `insert into crawl_pages (run_id, tenant_id, url, key, kind, depth, hops) values ($1, $2, $3, $4, 'page', 0, 0) on conflict (run_id, key) do nothing`,
    [run.id, run.tenant_id, terms.start, idOf(keyOf(new URL(terms.start)))],
  )
  return true
}

/** Puts a crawl of the monitor in line, unless one is under way. Its id, or undefined. */
export async function queueCrawl(
  client: Pick<PoolClient, 'query'>,
  { tenant, monitor }: { tenant: string; monitor: string },
): Promise<string | undefined> {
  const { rows } = await client.query<{ id: string }>(
    `insert into crawl_runs (id, tenant_id, monitor_id, cause, created_at) values ($1, $2, $3, 'schedule', now())
     on conflict (monitor_id) where state in ('queued', 'running') do nothing returning id`,
    [randomUUID(), tenant, monitor],
  )
  return rows[0]?.id
}
