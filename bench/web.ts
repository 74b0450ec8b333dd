import { existsSync, statSync } from 'node:fs'
import { join } from 'node:path'
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { createTenant } from '#control-plane/tenancy/tenants/create.ts'
import { settling } from '#test/support/settled.ts'
import { claim, median, round } from './figures.ts'
import { kumaPassword, UptimeKuma } from './peers/uptime-kuma.ts'
import { type Installation, withInstallation } from './web/installation.ts'

/**
 * What the app weighs, when its first text is painted on a slow machine, and how it behaves with 10,000 monitors. Each
 * time is the median of five.
 */
const rounds = Number(process.env.WEB_ROUNDS ?? 5)
const monitors = Number(process.env.WEB_MONITORS ?? 10_000)
const components = 20
const kumaMonitors = 1_000
const kb = 1_000

/** A phone of some years ago: a processor four times slower, 10 Mbit/s, 40 ms. */
async function slowDown(page: Page): Promise<void> {
  const session = await page.context().newCDPSession(page)
  const throughput = (10 * 1_000_000) / 8
  await session.send('Emulation.setCPUThrottlingRate', { rate: 4 })
  await session.send('Network.emulateNetworkConditions', {
    ...{ offline: false, latency: 40, downloadThroughput: throughput, uploadThroughput: throughput },
  })
}

/** Bytes of the files of the app that are loaded, compressed by Brotli: scripts and styles. */
class Weight {
  readonly #loaded = new Set<string>()
  readonly #folder: string

  constructor(page: Page, folder: string) {
    this.#folder = folder
    page.on('request', request => {
      const { pathname } = new URL(request.url())
      if (pathname.startsWith('/web/')) this.#loaded.add(pathname.slice('/web/'.length))
    })
  }

  of(ending: '.js' | '.css'): number {
    let bytes = 0
    for (const name of this.#loaded) {
      const file = join(this.#folder, name)
      if (name.endsWith(ending)) bytes += statSync(existsSync(`${file}.br`) ? `${file}.br` : file).size
    }
    return bytes / kb
  }
}

const areas = ['/app/monitors', '/app/monitors/new', '/app/team', '/app/settings'] as const

async function weigh({ folder }: Installation, context: BrowserContext): Promise<void> {
  const first = await context.newPage()
  const weight = new Weight(first, folder)
  await open(first, '/app')
  const [script, style] = [weight.of('.js'), weight.of('.css')]
  claim('script of the first load, br', script, 'under', 190, ' kB')
  claim('style of the first load, br', style, 'under', 15, ' kB')
  await first.close()
  for (const path of areas) {
    const page = await context.newPage()
    const more = new Weight(page, folder)
    await open(page, path)
    claim(`what ${path} loads more, br`, more.of('.js') + more.of('.css') - script - style, 'under', 60, ' kB')
    await page.close()
  }
}

/** Opens a page, and waits until it shows what it asked for. The answer waits for that again. */
async function open(page: Page, path: string): Promise<() => Promise<void>> {
  const settled = settling(page)
  await page.goto(path)
  await page.getByRole('heading', { level: 1 }).waitFor()
  await settled()
  return settled
}

/** When the largest content was painted, of a browser that has nothing in its cache. */
async function painted(installation: Installation, person: { email: string } | null, path: string): Promise<number> {
  const context = person
    ? await installation.browser.newContext({
        baseURL: installation.baseUrl,
        storageState: await signedIn(installation, person),
      })
    : await installation.browser.newContext({ baseURL: installation.baseUrl })
  const page = await context.newPage()
  await slowDown(page)
  await page.addInitScript(
    'new PerformanceObserver(list => { self.painted = list.getEntries().at(-1).startTime })' +
      '.observe({ type: "largest-contentful-paint", buffered: true })',
  )
  await open(page, path)
  const at = (await page.evaluate('self.painted')) as number
  await context.close()
  return at
}

type Kept = Awaited<ReturnType<BrowserContext['storageState']>>
const kept = new Map<string, Kept>()

/** Signs in once: those who try often are refused. */
async function signedIn(installation: Installation, person: { email: string }): Promise<Kept> {
  const known = kept.get(person.email)
  if (known) return known
  const context = await installation.window(person)
  const state = await context.storageState()
  await context.close()
  kept.set(person.email, state)
  return state
}

/** From the address to the first row, in milliseconds, of a page that is signed in. */
async function rowsFrom(page: Page, address: string, row: string): Promise<number> {
  const began = performance.now()
  await page.goto(address, { waitUntil: 'commit' })
  await page.locator(row).first().waitFor()
  return performance.now() - began
}

async function heapOf(page: Page): Promise<number> {
  const session = await page.context().newCDPSession(page)
  await session.send('HeapProfiler.collectGarbage')
  await session.send('Performance.enable')
  const { metrics } = await session.send('Performance.getMetrics')
  return (metrics.find(({ name }) => name === 'JSHeapUsedSize')?.value ?? Number.NaN) / 1_000_000
}

/** The same of the dashboard of a real Uptime Kuma with a tenth of the monitors, which it has all on one page. */
async function besideKuma(browser: Browser, ours: { firstMs: number; heapMb: number }): Promise<void> {
  const kuma = await UptimeKuma.open()
  try {
    await kuma.fill(kumaMonitors)
    const page = await (await browser.newContext()).newPage()
    await page.goto(`${kuma.url}/dashboard`)
    await page.getByPlaceholder('Username').fill('admin')
    await page.getByPlaceholder('Password').fill(kumaPassword)
    await page.keyboard.press('Enter')
    const row = '.monitor-list .item'
    await page.locator(row).first().waitFor()
    const first: number[] = []
    const last: number[] = []
    for (let n = 0; n < rounds; n++) {
      const began = performance.now()
      first.push(await rowsFrom(page, `${kuma.url}/dashboard`, row))
      await page
        .locator(row)
        .nth(kumaMonitors - 1)
        .waitFor()
      last.push(performance.now() - began)
    }
    const heap = await heapOf(page)
    console.log(
      `      Uptime Kuma, ${kumaMonitors} monitors: first row ${round(median(first))} ms, all ${round(median(last))} ms ` +
        `after its address, ${round(heap)} MB; ours, ${monitors} monitors: first row ${round(ours.firstMs)} ms, ` +
        `${round(ours.heapMb)} MB`,
    )
    claim('first row from the address, of the time of Uptime Kuma', ours.firstMs / median(first), 'under', 1)
    await page.context().close()
  } finally {
    await kuma.close()
  }
}

interface Listed {
  firstRowsMs: number
  calls: number
  eventMs: number
  heapMb: number
}

/** Opens the list from the overview, then types and ticks. */
async function list(context: BrowserContext): Promise<Listed> {
  const page = await context.newPage()
  let calls = 0
  const settled = await open(page, '/app')
  await page.evaluate(
    'self.slowest = 0; new PerformanceObserver(list => {' +
      'for (const { interactionId, duration } of list.getEntries())' +
      ' if (interactionId) self.slowest = Math.max(self.slowest, duration)' +
      '}).observe({ type: "event", durationThreshold: 16 })',
  )
  page.on('request', request => {
    if (new URL(request.url()).pathname.startsWith('/api/')) calls++
  })
  const figures = ['stats-batch', 'uptime-batch', 'timeseries-batch'].map(name =>
    page.waitForResponse(response => response.url().endsWith(name)),
  )
  const firstRowsMs = (await page.evaluate(
    'new Promise(resolve => { const began = performance.now();' +
      ' document.querySelector(\'nav a[href="/app/monitors"]\').click();' +
      ' const wait = () => document.querySelector(".monitors tbody tr")' +
      ' ? resolve(performance.now() - began) : requestAnimationFrame(wait); wait() })',
  )) as number
  await Promise.all(figures)
  await settled()
  const opened = calls
  for (const box of (await page.locator('.monitors tbody [type=checkbox]').all()).slice(0, 10)) await box.press(' ')
  await page.getByRole('searchbox').pressSequentially('monitor 99', { delay: 40 })
  await settled()
  const heapMb = await heapOf(page)
  const eventMs = (await page.evaluate('self.slowest')) as number
  await page.close()
  return { firstRowsMs, calls: opened, eventMs, heapMb }
}

async function seed({ platform }: Installation): Promise<string> {
  const tenant = await createTenant(platform, { name: 'Host', slug: 'host', plan: 'pro' })
  await platform.query(
    `insert into monitors (id, tenant_id, name, url, type, check_interval, timeout, region_policy, confirmations,
       recovery_confirmations, status)
     select gen_random_uuid(), $1, 'Monitor ' || n, 'https://shop.example/', 'website', 60, 10,
       '{"mode":"majority","count":null}', 2, 2, 'up' from generate_series(1, $2::int) n`,
    [tenant, monitors],
  )
  await platform.query(
    `insert into checks (id, tenant_id, monitor_id, type, severity)
     select gen_random_uuid(), tenant_id, id, 'uptime', 'critical' from monitors where tenant_id = $1`,
    [tenant],
  )
  await platform.query(
    `insert into verdict_changes (tenant_id, monitor_id, check_id, at, verdict)
     select tenant_id, monitor_id, id, now() - make_interval(days => 90 - 9 * n),
       case when n % 4 = 3 then 'down' else 'up' end
     from checks, generate_series(0, 9) n where tenant_id = $1`,
    [tenant],
  )
  await platform.query(
    `insert into status_pages (id, tenant_id, name, slug, state, history_days)
     values (gen_random_uuid(), $1, 'Host', 'host', 'published', 90)`,
    [tenant],
  )
  await platform.query(
    `insert into status_page_components (id, tenant_id, page_id, type, monitor_id, name, position)
     select gen_random_uuid(), $1, s.id, 'monitor', m.id, m.name, row_number() over ()
     from status_pages s, (select id, name from monitors where tenant_id = $1 order by name limit $2) m
     where s.tenant_id = $1`,
    [tenant, components],
  )
  await platform.query('analyze')
  return tenant
}

await withInstallation('web', async installation => {
  const tenantId = await seed(installation)
  const person = await installation.person({ tenantId, name: 'Pat Person' })
  const state = await signedIn(installation, person)
  const context = await installation.browser.newContext({ baseURL: installation.baseUrl, storageState: state })
  await weigh(installation, context)

  const times: { app: number; page: number }[] = []
  const lists: Listed[] = []
  await list(context)
  for (let n = 0; n < rounds; n++) {
    times.push({
      app: await painted(installation, person, '/app/monitors'),
      page: await painted(installation, null, '/status/host'),
    })
    lists.push(await list(context))
  }
  console.log(`      of ${rounds} rounds; largest paint of the app ${times.map(({ app }) => round(app)).join(', ')} ms`)
  claim('app, largest paint, slow machine', median(times.map(({ app }) => app)), 'under', 1_500, ' ms')
  claim('status page, largest paint, slow machine', median(times.map(({ page }) => page)), 'under', 600, ' ms')
  claim(`first rows of ${monitors} monitors`, median(lists.map(each => each.firstRowsMs)), 'under', 300, ' ms')
  claim('calls of the list', Math.max(...lists.map(each => each.calls)), 'under', 5)
  claim('slowest key or tick on the list', median(lists.map(each => each.eventMs)), 'under', 150, ' ms')
  claim('memory of the page', median(lists.map(each => each.heapMb)), 'under', 120, ' MB')
  const again = await context.newPage()
  const fromAddress: number[] = []
  for (let n = 0; n < rounds; n++) fromAddress.push(await rowsFrom(again, '/app/monitors', '.monitors tbody tr'))
  await context.close()
  const heapMb = median(lists.map(each => each.heapMb))
  await besideKuma(installation.browser, { firstMs: median(fromAddress), heapMb })
})
