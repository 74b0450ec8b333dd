import { type NotNull, sql } from 'kysely'
import type { PoolClient } from 'pg'
import { json, queries, type Row, rows } from '#control-plane/db/queries.ts'
import { Findings } from './findings.ts'

/** How many ended crawls of a monitor are kept. */
export const keptRuns = 5
const shown = 20
/** Limits of a crawl in the order in which they explain why it is not complete. */
const limitsShown = ['pages', 'links', 'trap', 'depth'] as const

const totals = (run: string) => sql<Record<string, number>>`
  select count(*) filter (where kind = 'page' and status between 200 and 299)::int as pages,
         count(*) filter (where kind <> 'page' and state = 'done')::int as checked,
         count(*) filter (where kind = 'page' and is_broken)::int as failed_pages,
         count(*) filter (where kind <> 'external' and is_broken)::int as broken_internal,
         count(*) filter (where kind = 'external' and is_broken)::int as broken_external,
         count(*) filter (where mixed is not null)::int as mixed_pages,
         coalesce(sum(mixed_active), 0)::int as active, coalesce(sum(mixed_passive), 0)::int as passive,
         coalesce(sum(mixed_form), 0)::int as forms
  from crawl_pages where run_id = ${run}`

/** Internal and external links alternate, so that many of one kind do not hide the other. */
const broken = (run: string) => sql`
  select left(url, 500) as url, kind, status, fault, sources -> 0 ->> 'page' as found_on,
    coalesce(sources -> 0 ->> 'text', '') as text
  from (select *, row_number() over (partition by kind = 'external' order by id) as place from crawl_pages
    where run_id = ${run} and is_broken) p
  order by place, kind = 'external' limit ${sql.lit(shown)}`

type FirstPage = Row<'crawl_pages', 'status' | 'fault' | 'message' | 'skipped' | 'redirect_to'>

/** Ends a crawl: its findings are summed up, and the oldest crawls of the monitor are deleted. */
export async function endCrawl(client: PoolClient, run: string, limitedBy: string | null): Promise<void> {
  await markCircles(client, run)
  const sums = await rows(client, totals(run))
  const links = await rows(client, broken(run))
  const parts = await rows(client)`
    select left(p.url, 500) as page, m.url, m.element, m.kind
    from crawl_pages p cross join lateral jsonb_to_recordset(p.mixed) as m(url text, element text, kind text)
    where p.run_id = ${run} and p.mixed is not null
    order by array_position(array['active', 'form', 'passive'], m.kind), p.id
    limit ${sql.lit(shown)}`
  const db = queries(client)
  const first = await db
    .selectFrom('crawl_pages')
    .where('run_id', '=', run)
    .where('kind', '=', 'page')
    .where('depth', '=', 0)
    .where('state', '=', 'done')
    .select(['status', 'fault', 'message', 'skipped', 'redirect_to'])
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst()
  const crawl = await db.selectFrom('crawl_runs').where('id', '=', run).select('refused').executeTakeFirst()
  const refusedBy = limitsShown.find(limit => crawl?.refused[limit] !== undefined)
  const failure = sums[0]?.pages === 0 ? whyNothing(first) : null
  const findings = Findings.parse({
    ...sums[0],
    broken: links,
    mixed: parts,
    failure,
    limited_by: limitedBy ?? refusedBy ?? null,
  })
  await db
    .updateTable('crawl_runs')
    .set({
      state: failure ? 'failed' : 'finished',
      reason: failure ?? findings.limited_by,
      findings: json(findings),
      finished_at: sql<string>`now()`,
      broken: findings.broken_internal + findings.broken_external,
    })
    .where('id', '=', run)
    .execute()
  await rows(client)`delete from crawl_runs where id in (
    select id from crawl_runs where monitor_id = (select monitor_id from crawl_runs where id = ${run})
      and state not in ('queued', 'running')
    order by created_at desc, id desc offset ${sql.lit(keptRuns)})`
}

/** Why not a single page could be read. */
export function whyNothing(page: FirstPage | undefined): string {
  if (!page) return 'The start was not reached.'
  if (page.skipped === 'robots') return 'The robots.txt of the site does not let the crawler in.'
  if (page.skipped === 'blocked') return 'The start is not a public address.'
  if (page.fault) return `The start could not be read: ${page.message ?? page.fault}`.slice(0, 200)
  if (page.redirect_to) return `The start redirects to another site: ${page.redirect_to}`.slice(0, 200)
  return `The start answered with status ${page.status}.`
}

/** Redirects that lead back to where they began: each page exists, and no visitor arrives. */
async function markCircles(client: PoolClient, run: string): Promise<void> {
  const db = queries(client)
  const rows = await db
    .selectFrom('crawl_pages')
    .where('run_id', '=', run)
    .where('kind', '=', 'page')
    .where('redirect_to', 'is not', null)
    .select(['id', 'url', 'redirect_to'])
    .$narrowType<{ redirect_to: NotNull }>()
    .limit(20_000)
    .execute()
  const circling = rows.length > 0 ? circlesAmong(rows) : []
  if (circling.length === 0) return
  await db
    .updateTable('crawl_pages')
    .set({ is_broken: true, fault: 'too_many_redirects', message: 'The redirects lead in a circle.' })
    .where('run_id', '=', run)
    .where('id', '=', sql<string>`any(${circling}::bigint[])`)
    .execute()
}

/** Those that never lead out of the set. */
export function circlesAmong(redirects: readonly { id: string; url: string; redirect_to: string }[]): string[] {
  const next = new Map(redirects.map(redirect => [redirect.url, redirect]))
  const leadsOut = new Map<string, boolean>()
  for (const { url: start } of redirects) {
    const way: string[] = []
    let url = start
    while (next.has(url) && !leadsOut.has(url)) {
      leadsOut.set(url, false)
      way.push(url)
      url = next.get(url)?.redirect_to ?? ''
    }
    const isOut = leadsOut.get(url) ?? true
    for (const passed of way) leadsOut.set(passed, isOut)
  }
  return redirects.filter(({ url }) => leadsOut.get(url) === false).map(({ id }) => id)
}
