import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import pg from 'pg'
import { createTenant } from '#control-plane/tenancy/tenants/create.ts'
import { type Stores, startServing, withStores } from './api.ts'
import { claim, median, quantile, round } from './figures.ts'
import { usageOf } from './processes.ts'
import { ask, hammer } from './read/load.ts'

/** How fast status pages are: from memory, at their first rendering, and after a change. */
const amount = {
  pages: Number(process.env.PAGES ?? 1_000),
  components: 30,
  monitors: 300,
  days: 90,
  changesPerMonitor: 20,
}

await withStores('status-page', async stores => {
  const slugs = await seed(stores)
  // the load names this host
  const { pid, port, stop } = await startServing(stores, 'api', { BASE_URL: 'http://bench' })
  try {
    await measure({ pid, port, platformUrl: stores.platformUrl }, slugs)
  } finally {
    await stop()
  }
})

async function measure(
  { pid, port, platformUrl }: { pid: number; port: number; platformUrl: string },
  slugs: readonly string[],
): Promise<void> {
  const first: number[] = []
  // the first requests compile the code: they are of pages that are not measured
  for (const slug of slugs.slice(0, 20)) await read(port, slug)
  const before = usageOf(pid).cpuS
  for (const slug of slugs.slice(20)) first.push((await read(port, slug)).ms)
  const processorMs = (1_000 * (usageOf(pid).cpuS - before)) / first.length
  console.log(
    `      first rendering: p50 ${round(median(first))} ms, p95 ${round(quantile(first, 0.95))} ms; processor ms each: ${round(processorMs)}`,
  )

  const bare = await bareRoute((await read(port, slugs[0]!)).text)
  const paths = slugs.slice(0, 200).map(slug => `/status/${slug}`)
  const rates: { pages: number; bare: number }[] = []
  for (let round = 0; round < 3; round++)
    rates.push({ pages: await hammer(port, paths), bare: await hammer(bare.port, ['/']) })
  await bare.close()
  const [pages, koa] = [median(rates.map(rate => rate.pages)), median(rates.map(rate => rate.bare))]

  const platform = new pg.Pool({ connectionString: platformUrl, max: 1 })
  const visible: number[] = []
  try {
    for (const slug of slugs.slice(0, 50)) visible.push(await updateVisible(platform, port, slug))
  } finally {
    await platform.end()
  }
  console.log(`      cached: ${round(pages)} requests a second; a bare Koa route with as many bytes: ${round(koa)}`)
  claim('cached pages, share of a bare Koa route', (100 * pages) / koa, 'at least', 60, ' %')
  claim('first rendering of a page of 30 components and 90 days, p99', quantile(first, 0.99), 'under', 50, ' ms')
  claim('an update of an incident is on the page, at the latest after', Math.max(...visible), 'under', 2_000, ' ms')
}

async function read(port: number, slug: string) {
  const answer = await ask({ port, path: `/status/${slug}` })
  if (answer.status !== 200) throw new Error(`/status/${slug} answered ${answer.status}: ${answer.text.slice(0, 300)}`)
  return answer
}

/** A Koa application that answers the same bytes, and nothing else. */
async function bareRoute(text: string): Promise<{ port: number; close(): Promise<unknown> }> {
  const worker = new Worker(new URL('./status-page/bare-route.ts', import.meta.url), { workerData: text })
  const [port] = await once(worker, 'message')
  return { port, close: () => worker.terminate() }
}

/** Posts an update, and asks for the page until it is there. Milliseconds from the end of the transaction. */
async function updateVisible(platform: pg.Pool, port: number, slug: string): Promise<number> {
  const text = `update ${randomUUID()}`
  await platform.query(
    `with page as (select id, tenant_id from status_pages where slug = $1),
      post as (insert into status_page_posts (id, tenant_id, page_id, title, started_at)
        select gen_random_uuid(), tenant_id, id, 'Slow answers', now() from page returning id, tenant_id),
      said as (insert into status_page_updates (id, tenant_id, post_id, body)
        select gen_random_uuid(), tenant_id, id, $2 from post)
    update status_pages set content_changed_at = clock_timestamp() where slug = $1`,
    [slug, text],
  )
  const started = performance.now()
  while (!(await read(port, slug)).text.includes(text))
    if (performance.now() - started > 10_000) throw new Error(`${slug} does not show its update.`)
  return performance.now() - started
}

/** Pages of one tenant that show its monitors, each of which changed its verdict some times. */
async function seed({ platformUrl, ownerUrl }: Stores): Promise<string[]> {
  const platform = new pg.Pool({ connectionString: platformUrl, max: 1 })
  const owner = new pg.Client({ connectionString: ownerUrl })
  await owner.connect()
  try {
    const tenant = await createTenant(platform, { name: 'Host', slug: 'host', plan: 'pro' })
    await platform.query(
      `insert into monitors (id, tenant_id, name, url, type, check_interval, timeout, region_policy, confirmations,
         recovery_confirmations, status)
       select gen_random_uuid(), $1, 'Shop ' || n, 'https://shop.example/', 'website', 60, 10,
         '{"mode":"majority","count":null}', 2, 2, 'up' from generate_series(1, $2::int) n`,
      [tenant, amount.monitors],
    )
    await platform.query(
      `insert into checks (id, tenant_id, monitor_id, type, severity)
       select gen_random_uuid(), tenant_id, id, 'uptime', 'critical' from monitors where tenant_id = $1`,
      [tenant],
    )
    await platform.query(
      `insert into verdict_changes (tenant_id, monitor_id, check_id, at, verdict)
       select c.tenant_id, c.monitor_id, c.id,
         now() - make_interval(hours => ($2::int * 24 * (1 - n::float8 / $3))::int),
         case when n % 2 = 0 then 'up' else 'down' end
       from checks c, generate_series(0, $3::int - 1) n where c.tenant_id = $1`,
      [tenant, amount.days, amount.changesPerMonitor],
    )
    await platform.query(
      `insert into status_pages (id, tenant_id, name, slug, state, history_days)
       select gen_random_uuid(), $1, 'Page ' || n, 'page-' || n, 'published', $3 from generate_series(1, $2::int) n`,
      [tenant, amount.pages, amount.days],
    )
    await platform.query(
      `with m as (select id, row_number() over (order by id) as n from monitors where tenant_id = $1)
       insert into status_page_components (id, tenant_id, page_id, type, monitor_id, name, position)
       select gen_random_uuid(), $1, s.id, 'monitor', m.id, 'Component ' || k, k
       from status_pages s, generate_series(1, $2::int) k
       join m on true where m.n = 1 + ((hashtext(s.id::text) & 255) + k * 7) % $3::int`,
      [tenant, amount.components, amount.monitors],
    )
    await owner.query('vacuum analyze')
    await owner.query('checkpoint')
    return Array.from({ length: amount.pages }, (_, n) => `page-${n + 1}`)
  } finally {
    await platform.end()
    await owner.end()
  }
}
