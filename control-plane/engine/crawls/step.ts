import { createHash } from 'node:crypto'
import { type InferResult, type NotNull, sql } from 'kysely'
import type { PoolClient } from 'pg'
import { keyOf, shapeOf } from '#checks/crawl/address.ts'
import { isBroken, isTransient } from '#checks/crawl/broken.ts'
import { admit, type Candidate, type FrontierRefusal, othersLimit } from '#checks/crawl/frontier.ts'
import {
  type CrawlItem,
  type CrawlLink,
  CrawlSettings,
  type CrawlStep,
  type CrawlStepReply,
  type CrawlVisit,
  crawlLimits,
} from '#contract/crawl.ts'
import { among, queries, type Row, rows, total } from '#control-plane/db/queries.ts'
import { endCrawl } from './end.ts'

/** A crawl that takes longer is ended. */
const longestHours = 6
const mostBytes = 2_000_000_000
/** The least delay before a page with a transient failure is visited again. */
const againSeconds = 3

const lockRun = (client: PoolClient, id: string) =>
  queries(client)
    .selectFrom('crawl_runs')
    .where('id', '=', id)
    .select(['id', 'tenant_id', 'monitor_id', 'state', 'region', 'terms', 'page_limit', 'refused', 'bytes'])
    .select(({ ref }) =>
      sql<boolean>`coalesce(${ref('started_at')}, now())
        < now() - interval '${sql.lit(longestHours)} hours'`.as('is_late'),
    )
    .$narrowType<{ page_limit: NotNull }>() // set with the terms, and a run without terms takes no step
    .forUpdate()

type RunRow = InferResult<ReturnType<typeof lockRun>>[number]
type OpenPage = Row<'crawl_pages', 'id' | 'url' | 'kind' | 'depth' | 'hops' | 'attempt'>

export interface StepResult {
  answer: CrawlStepReply
  /** The crawl ended with this step. */
  ended?: { monitor: string }
}

const over: StepResult = { answer: { state: 'ended' } }

/**
 * Stores the visits of an agent and assigns the next pages, in the transaction of this client. A repeated step
 * changes nothing.
 */
export async function takeCrawlStep(client: PoolClient, region: string, step: CrawlStep): Promise<StepResult> {
  const run = await lockRun(client, step.run).executeTakeFirst()
  const terms = CrawlSettings.safeParse(run?.terms).data
  if (!run || !terms || run.region !== region || (run.state !== 'queued' && run.state !== 'running')) return over
  if (step.fresh)
    await queries(client)
      .updateTable('crawl_pages')
      .set({ state: 'queued' })
      .where('run_id', '=', run.id)
      .where('state', '=', 'out')
      .execute()

  const found = await noteVisits(client, run, terms, step.visits)
  const refused = found.length > 0 ? await noteLinks(client, run, terms, found) : {}
  const limited = run.is_late ? 'time' : Number(run.bytes) > mostBytes ? 'bytes' : null
  const items = limited ? [] : await handOut(client, run.id, step.wants)
  const left = await count(client, run, refused)
  if (left > 0 && !limited) return { answer: { state: 'continue', settings: terms, items, left } }
  await endCrawl(client, run.id, limited)
  return { ...over, ended: { monitor: run.monitor_id } }
}

interface Found {
  page: OpenPage
  links: CrawlLink[]
}

/** Stores the result of each visit; returns the pages with links. */
async function noteVisits(
  client: PoolClient,
  run: RunRow,
  terms: CrawlSettings,
  visits: readonly CrawlVisit[],
): Promise<Found[]> {
  if (visits.length === 0) return []
  const open: OpenPage[] = await queries(client)
    .selectFrom('crawl_pages')
    .where('run_id', '=', run.id)
    .where('id', '=', sql<string>`any(${visits.map(({ id }) => id)}::bigint[])`)
    .where('state', '<>', 'done')
    .select(['id', 'url', 'kind', 'depth', 'hops', 'attempt'])
    .execute()
  const known = new Map(open.map(row => [row.id, row]))
  const noted = visits.flatMap(visit => {
    const page = known.get(visit.id)
    if (!page) return []
    known.delete(visit.id)
    const isLost = page.kind === 'page' && visit.redirect_to !== null && page.hops >= crawlLimits.hops
    const fault = isLost ? 'too_many_redirects' : visit.fault
    const isAgain = page.attempt === 0 && visit.skipped === null && isTransient({ status: visit.status, fault })
    return [
      {
        page,
        visit,
        fault,
        isAgain,
        broken: !isAgain && isBroken({ ...visit, fault, kind: page.kind }, terms.tolerated_status),
      },
    ]
  })
  const values = noted.map(({ page, visit, fault, isAgain, broken }) => ({
    ...visit,
    id: page.id,
    fault,
    broken,
    again: isAgain,
    links: undefined,
    mixed: visit.mixed.length > 0 ? visit.mixed : null,
    active: visit.mixed_counts.active,
    passive: visit.mixed_counts.passive,
    form: visit.mixed_counts.form,
  }))
  await rows(client)`update crawl_pages p set
      state = case when v.again then 'queued' else 'done' end, attempt = p.attempt + 1,
      not_before = case when v.again then now() + interval '${sql.lit(againSeconds)} seconds' end,
      status = v.status, fault = v.fault, message = v.message, skipped = v.skipped, is_broken = v.broken,
      content_type = v.content_type, bytes = v.bytes, took_ms = v.took_ms, redirect_to = v.redirect_to,
      is_truncated = v.truncated, links_found = v.links_found,
      mixed_active = v.active, mixed_passive = v.passive, mixed_form = v.form, mixed = v.mixed, visited_at = now()
    from jsonb_to_recordset(${JSON.stringify(values)}::jsonb) as v(id bigint, again boolean, broken boolean,
      status int, fault text, message text, skipped text, content_type text, bytes bigint, took_ms int, redirect_to
      text, truncated boolean, links_found int, active int, passive int, form int, mixed jsonb)
    where p.run_id = ${run.id} and p.id = v.id`
  const bytes = noted.reduce((sum, { visit }) => sum + visit.bytes, 0)
  if (bytes > 0) await rows(client)`update crawl_runs set bytes = bytes + ${bytes} where id = ${run.id}`
  return noted.flatMap(({ page, visit, isAgain }) =>
    isAgain || visit.links.length === 0 ? [] : [{ page, links: visit.links }],
  )
}

interface Source {
  page: string
  element: string
  text: string
}

/** Stores new links up to the limits of the crawl, and the pages on which each is found. */
async function noteLinks(
  client: PoolClient,
  run: RunRow,
  terms: CrawlSettings,
  found: readonly Found[],
): Promise<Partial<Record<FrontierRefusal, number>>> {
  const named = new Map<string, { candidate: Candidate; sources: Source[] }>()
  for (const { page, links } of found)
    for (const { url: text, kind, element, text: words } of links) {
      const url = URL.parse(text)
      if (!url || url.href === page.url) continue
      const source = { page: page.url.slice(0, 500), element, text: words }
      const key = idOf(keyOf(url))
      const known = named.get(key)
      if (known) {
        if (known.sources.length < crawlLimits.sources) known.sources.push(source)
        continue
      }
      const isRedirect = element === 'redirect'
      const shape = kind === 'page' ? shapeOf(url) : null
      const candidate = {
        url: url.href,
        key,
        kind,
        depth: page.depth + (isRedirect ? 0 : 1),
        hops: isRedirect ? page.hops + 1 : 0,
        shape: shape === null ? null : idOf(shape),
      }
      named.set(key, { candidate, sources: [source] })
    }
  const pages = queries(client).selectFrom('crawl_pages').where('run_id', '=', run.id)
  const stored = await pages
    .where('key', '=', among([...named.keys()]))
    .select('key')
    .execute()
  const existing = new Set(stored.map(({ key }) => key))
  const fresh = [...named.values()].filter(({ candidate }) => !existing.has(candidate.key))
  const totals = await pages
    .select(({ ref }) => [
      sql<number>`(count(*) filter (where ${ref('kind')} = 'page'))::int`.as('pages'),
      sql<number>`(count(*) filter (where ${ref('kind')} <> 'page'))::int`.as('others'),
    ])
    .executeTakeFirstOrThrow()
  const shapes = await pages
    .where('shape', '=', among([...new Set(fresh.flatMap(({ candidate }) => candidate.shape ?? []))]))
    .groupBy('shape')
    .select(['shape', total])
    .$narrowType<{ shape: NotNull }>()
    .execute()
  const { accepted, refused } = admit(
    fresh.map(({ candidate }) => candidate),
    { ...totals, shapes: new Map(shapes.map(({ shape, total: count }) => [shape, count])) },
    { pages: run.page_limit, others: othersLimit(run.page_limit), depth: terms.max_depth, hops: crawlLimits.hops },
  )
  const sourced = <Page extends { key: string }>(page: Page) => ({
    ...page,
    sources: named.get(page.key)?.sources ?? [],
  })
  if (accepted.length > 0)
    await rows(client)`insert into crawl_pages (run_id, tenant_id, url, key, shape, kind, depth, hops, sources)
      select ${run.id}, ${run.tenant_id}, c.url, c.key, c.shape, c.kind, c.depth, c.hops, c.sources
      from jsonb_to_recordset(${JSON.stringify(accepted.map(sourced))}::jsonb) as c(url text, key uuid, shape uuid,
      kind text, depth int, hops int, sources jsonb)
      on conflict (run_id, key) do nothing`
  if (existing.size > 0)
    await rows(client)`update crawl_pages p set sources = (
        select jsonb_agg(e order by n) from jsonb_array_elements(p.sources || s.sources) with ordinality as x(e, n)
        where n <= ${sql.lit(crawlLimits.sources)})
      from jsonb_to_recordset(${JSON.stringify([...existing].map(key => sourced({ key })))}::jsonb) as s(key uuid,
      sources jsonb) where p.run_id = ${run.id} and p.key = s.key
      and jsonb_array_length(p.sources) < ${sql.lit(crawlLimits.sources)}`
  return refused
}

/** The next pages: new ones before failed ones, and pages near the start before distant ones. */
async function handOut(client: PoolClient, run: string, wants: number): Promise<CrawlItem[]> {
  if (wants === 0) return []
  const found = await rows(client)<Row<'crawl_pages', 'id' | 'url' | 'kind' | 'depth'>>`
    with next as (
      select id from crawl_pages where run_id = ${run} and state <> 'done' and state <> 'out'
        and (not_before is null or not_before <= now())
      order by attempt, depth, id limit ${wants}
    )
    update crawl_pages p set state = 'out' from next where p.id = next.id
    returning p.id::text, p.url, p.kind, p.depth`
  return found.toSorted((one, other) => one.depth - other.depth || Number(one.id) - Number(other.id))
}

/** Updates the counts of the crawl and the time of its agent's last step; returns how many pages are left. */
async function count(
  client: PoolClient,
  run: RunRow,
  refused: Partial<Record<FrontierRefusal, number>>,
): Promise<number> {
  const sum: Record<string, number> = { ...run.refused }
  for (const [why, times] of Object.entries(refused)) sum[why] = (sum[why] ?? 0) + times
  const [row] = await rows(client)<Row<'crawl_runs', 'queued'>>`
    update crawl_runs r set state = 'running', started_at = coalesce(r.started_at, now()), last_seen_at = now(),
      refused = ${JSON.stringify(sum)}, found = c.found, visited = c.visited, checked = c.checked, queued =
      c.left_over, broken = c.broken, mixed = c.mixed
    from (
      select count(*) filter (where kind = 'page') as found,
             count(*) filter (where kind = 'page' and state = 'done') as visited,
             count(*) filter (where kind <> 'page' and state = 'done') as checked,
             count(*) filter (where state <> 'done') as left_over,
             count(*) filter (where is_broken) as broken, count(*) filter (where mixed is not null) as mixed
      from crawl_pages where run_id = ${run.id}
    ) c where r.id = ${run.id} returning r.queued`
  return row?.queued ?? 0
}

/** A key of fixed length for an address of any length. */
export function idOf(text: string): string {
  const hash = createHash('md5').update(text).digest('hex')
  return `${hash.slice(0, 8)}-${hash.slice(8, 12)}-${hash.slice(12, 16)}-${hash.slice(16, 20)}-${hash.slice(20)}`
}
