import type { PoolClient } from 'pg'
import { Findings } from './findings.ts'

/** Ended crawls that are kept of a monitor. */
export const keptRuns = 5
const shown = 20

const totals = `
  select count(*) filter (where kind = 'page' and status between 200 and 299)::int as pages,
         count(*) filter (where kind <> 'page' and state = 'done')::int as checked,
         count(*) filter (where kind = 'page' and is_broken)::int as failed_pages,
         count(*) filter (where kind <> 'external' and is_broken)::int as broken_internal,
         count(*) filter (where kind = 'external' and is_broken)::int as broken_external,
         count(*) filter (where mixed is not null)::int as mixed_pages,
         coalesce(sum(mixed_active), 0)::int as active, coalesce(sum(mixed_passive), 0)::int as passive, coalesce(sum(mixed_form), 0)::int as forms
  from crawl_pages where run_id = $1`

/** Those of the site and those elsewhere take turns, so that many of one sort do not hide the other. */
const broken = `
  select left(url, 500) as url, kind, status, fault, sources -> 0 ->> 'page' as found_on, coalesce(sources -> 0 ->> 'text', '') as text
  from (select *, row_number() over (partition by kind = 'external' order by id) as place from crawl_pages where run_id = $1 and is_broken) p
  order by place, kind = 'external' limit ${shown}`

const mixed = `
  select left(p.url, 500) as page, m.url, m.element, m.kind
  from crawl_pages p cross join lateral jsonb_to_recordset(p.mixed) as m(url text, element text, kind text)
  where p.run_id = $1 and p.mixed is not null order by array_position(array['active', 'form', 'passive'], m.kind), p.id limit ${shown}`

const first = `
  select status, fault, message, skipped, redirect_to from crawl_pages
  where run_id = $1 and kind = 'page' and depth = 0 and state = 'done' order by id desc limit 1`

interface FirstPage {
  status: number | null
  fault: string | null
  message: string | null
  skipped: string | null
  redirect_to: string | null
}

/** Brings a crawl to its end: what it found is summed up, and the oldest of the monitor's goes. */
export async function endCrawl(client: PoolClient, run: string, limitedBy: string | null): Promise<void> {
  await markCircles(client, run)
  const { rows: sums } = await client.query(totals, [run])
  const { rows: links } = await client.query(broken, [run])
  const { rows: parts } = await client.query(mixed, [run])
  const { rows: firsts } = await client.query<FirstPage>(first, [run])
  const { rows: limits } = await client.query<{ by: string | null }>(
    `select case when refused ? 'pages' then 'pages' when refused ? 'links' then 'links' when refused ? 'trap' then 'trap' when refused ? 'depth' then 'depth' end as by
     from crawl_runs where id = $1`,
    [run],
  )
  const failure = sums[0]?.pages === 0 ? whyNothing(firsts[0]) : null
  const findings = Findings.parse({
    ...sums[0],
    broken: links,
    mixed: parts,
    failure,
    limited_by: limitedBy ?? limits[0]?.by ?? null,
  })
  await client.query(
    `update crawl_runs set state = $2, reason = $3, findings = $4, finished_at = now(), broken = $5 where id = $1`,
    [
      run,
      failure ? 'failed' : 'finished',
      failure ?? findings.limited_by,
      JSON.stringify(findings),
      findings.broken_internal + findings.broken_external,
    ],
  )
  await client.query(
    `delete from crawl_runs where id in (
       select id from crawl_runs where monitor_id = (select monitor_id from crawl_runs where id = $1) and state not in ('queued', 'running')
       order by created_at desc, id desc offset ${keptRuns})`,
    [run],
  )
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

/** Redirects that lead back to where they began end nowhere: each is there, and yet nobody arrives. */
async function markCircles(client: PoolClient, run: string): Promise<void> {
  const { rows } = await client.query<{ id: string; url: string; redirect_to: string }>(
    `select id::text, url, redirect_to from crawl_pages where run_id = $1 and kind = 'page' and redirect_to is not null limit 20000`,
    [run],
  )
  const circling = rows.length > 0 ? circlesAmong(rows) : []
  if (circling.length === 0) return
  await client.query(
    `update crawl_pages set is_broken = true, fault = 'too_many_redirects', message = 'The redirects lead in a circle.' where run_id = $1 and id = any($2::bigint[])`,
    [run, circling],
  )
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
