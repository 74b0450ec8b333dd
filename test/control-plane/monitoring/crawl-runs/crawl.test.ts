import { type ChildProcess, spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createToken } from '#control-plane/access/tokens/create.ts'
import { createEnrolment } from '#control-plane/engine/agents/create-enrolment.ts'
import { eventually, type Serving, serving } from '#test/control-plane/serving.ts'
import { CrawledSite } from './site.ts'

let served: Serving
let site: CrawledSite
let folder: string
let agent: ChildProcess
let token: string
let tenant: string
const monitor = randomUUID()

/** An agent in a process of its own: it trusts the test's certificates, and may reach one address of this machine and no other. */
const anAgent = (enrolment: string) =>
  spawn(process.execPath, ['test/probe-agent/agent-process.ts'], {
    env: {
      PATH: process.env.PATH,
      NODE_EXTRA_CA_CERTS: join(folder, 'ca.pem'),
      VEDETTE_URL: served.plane.baseUrl,
      REGION: 'eu-west',
      ENROLMENT_TOKEN: enrolment,
      DATA_DIR: folder,
      EGRESS_ALLOW: '127.0.0.1/32',
      LOG_LEVEL: 'silent',
    },
    stdio: ['ignore', 'inherit', 'inherit'],
  })

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'vedette-crawl-'))
  ;[served, site] = await Promise.all([serving('crawls', { roles: ['api', 'ingest'] }), CrawledSite.open()])
  writeFileSync(join(folder, 'ca.pem'), site.authority.pem)
  const { plain } = await createEnrolment(served.platform, 'eu-west')
  agent = anAgent(plain)
  tenant = await served.tenant()
  token = (
    await createToken(served.platform, {
      kind: 'svc',
      tenantId: tenant,
      userId: null,
      name: 'test',
      scopes: ['monitors:manage'],
      expiresAt: null,
    })
  ).plain
  const settings = {
    requests_per_second: 20,
    concurrency: 4,
    max_pages: 60,
    max_page_bytes: 3_000_000,
    ignore: ['/ignored/*'],
  }
  await served.platform.query(
    `insert into monitors (
         id, tenant_id, name, url, type, check_interval, timeout, region_policy, confirmations, recovery_confirmations
       )
     values ($1, $2, 'Shop', $3, 'website', 3600, 10, '{"mode":"majority","count":null}', 1, 1)`,
    [monitor, tenant, `${site.url}/`],
  )
  await served.platform.query(
    `insert into checks (id, tenant_id, monitor_id, type, settings, severity)
     select gen_random_uuid(), $1, $2, type, settings, 'minor'
     from jsonb_to_recordset($3::jsonb) as c(type text, settings jsonb)`,
    [
      tenant,
      monitor,
      JSON.stringify([
        { type: 'broken_links', settings },
        { type: 'mixed_content', settings: {} },
        { type: 'crawl', settings: { ...settings, min_pages: 1_000 } },
      ]),
    ],
  )
})
afterAll(async () => {
  agent.kill('SIGKILL')
  await served.close()
  await site[Symbol.asyncDispose]()
  rmSync(folder, { recursive: true, force: true })
})

async function call(method: string, path: string) {
  const response = await fetch(`${served.plane.baseUrl}/api/v1${path}`, {
    method,
    headers: { Authorization: `Bearer ${token}` },
  })
  // biome-ignore lint/suspicious/noExplicitAny: an answer's shape is checked by the contract, not by the test's types
  const body: any = await response.json()
  return { status: response.status, body }
}
const newest = async () => (await call('GET', `/monitors/${monitor}/crawl-runs`)).body.data[0]
const ended = (id: string) =>
  eventually(async () => {
    const { data } = (await call('GET', `/crawl-runs/${id}`)).body
    return data.finished_at === null ? undefined : data
  }, 40_000)

async function pagesOf(run: string, filter = '') {
  const pages = []
  for (let cursor: string | null = ''; cursor !== null; ) {
    const { body } = await call('GET', `/crawl-runs/${run}/pages?per_page=100${filter}${cursor && `&cursor=${cursor}`}`)
    pages.push(...body.data)
    cursor = body.meta.next_cursor
  }
  return pages
}

const verdicts = async () => {
  const { rows } = await served.platform.query<{ type: string; verdict: string | null; verdict_reason: string | null }>(
    'select type, verdict, verdict_reason from checks where monitor_id = $1 order by type',
    [monitor],
  )
  return rows
}

test('the first run starts a crawl, and its pages decide all checks that need one', async () => {
  const first = await eventually(async () => (await newest()) ?? undefined, 20_000)
  expect(first).toMatchObject({ cause: 'schedule', monitor_id: monitor })
  const run = await ended(first.id)
  expect(run).toMatchObject({ state: 'finished', region: 'eu-west', page_limit: 60, reason: 'pages' })
  expect(run.progress.found).toBe(60)
  expect(run.progress.visited).toBe(60)
  expect(run.left_out.trap).toBeGreaterThan(0)

  const broken = await pagesOf(run.id, '&broken=true')
  const pageStates = Object.fromEntries(
    broken.map(page => [page.url.replace(site.url, '').replace(site.other, 'other'), page.status ?? page.fault]),
  )
  // what is broken within /many and /malformed is theirs
  expect(Object.fromEntries(Object.entries(pageStates).filter(([url]) => !/^\/(m\d|only|chapter)/.test(url)))).toEqual({
    '/gone': 404,
    '/hangup': 'reset',
    '/circle/a': 302,
    '/circle/b': 302,
    '/missing-from-style.png': 404,
    'other/missing': 404,
    'http://nowhere.invalid/': expect.stringMatching(/^dns_/),
  })
  expect(broken.find(page => page.url.endsWith('/gone')).found_on).toEqual([
    { page: `${site.url}/`, element: 'a', text: 'to /gone' },
  ])

  const skipped = await pagesOf(run.id, '&skipped=true')
  expect(skipped.map(page => [page.skipped, new URL(page.url).pathname]).toSorted()).toEqual([
    ['blocked', '/latest/meta-data/'],
    ['blocked', '/picture.png'],
    ['blocked', '/redirected'],
    ['blocked', '/secret'],
    ['robots', '/private/area'],
  ])
  expect(site.privateHits).toBe(0)
  expect(site.asked.has('/private/area')).toBe(false)
  expect(site.asked.has('/ignored/page')).toBe(false)
  expect(site.asked.get('/flaky')).toBe(2)

  const mixed = await pagesOf(run.id, '&mixed=true')
  expect(
    mixed.map(page => [
      page.url.replace(site.url, ''),
      page.mixed_content.active,
      page.mixed_content.passive,
      page.mixed_content.forms,
    ]),
  ).toEqual([
    ['/', 0, 1, 0],
    ['/mixed', 1, 1, 1],
  ])

  const pages = await pagesOf(run.id, '&kind=page')
  const page = (path: string) => pages.find(({ url }) => url === site.url + path)
  expect(page('/many')).toMatchObject({ links_found: 100_000, status: 200 })
  expect(page('/endless')).toMatchObject({ is_truncated: true, status: 200 })
  expect(page('/moved')).toMatchObject({ status: 301, redirect_to: `${site.url}/chapter/0` })
  expect(pages.filter(({ url }) => url.includes('/calendar/')).length).toBeLessThanOrEqual(25)
  expect(pages.filter(({ url }) => url.includes('/search?')).length).toBeLessThanOrEqual(25)
  expect(pages.filter(({ url }) => url.includes('/deeper/deeper/deeper/deeper')).length).toBe(0)
  for (const [path, times] of site.asked)
    expect([path, times]).toEqual([path, expect.toSatisfy((count: number) => count <= 2)])

  const judged = await eventually(async () => {
    const rows = await verdicts()
    return rows.every(({ verdict }) => verdict !== null) ? rows : undefined
  })
  expect(judged).toEqual([
    { type: 'broken_links', verdict: 'warning', verdict_reason: expect.stringMatching(/^\d+ links broken\./) },
    { type: 'crawl', verdict: 'warning', verdict_reason: expect.stringMatching(/fewer than 1000/) },
    {
      type: 'mixed_content',
      verdict: 'warning',
      verdict_reason: 'Over http on secure pages: 1 part that browsers refuse, 2 pictures and other media, 1 form.',
    },
  ])
  const warned = await eventually(async () => {
    const { rows } = await served.platform.query<{ name: string }>(
      `select distinct name from outbox where tenant_id = $1 and name like 'warning.%' order by name`,
      [tenant],
    )
    return rows.length >= 2 ? rows.map(({ name }) => name) : undefined
  })
  expect(warned).toEqual(['warning.broken_links', 'warning.mixed_content'])
  // the event is published at once, and the result stored within the next second
  const statistic = (name: string) => async () =>
    JSON.stringify((await call('GET', `/monitors/${monitor}/${name}`)).body)
  await expect.poll(statistic('broken-links')).toContain(`${site.other}/missing`)
  await expect.poll(statistic('mixed-content')).toContain(`${site.url}/mixed`)
}, 60_000)

test('after an agent is killed the next one continues the crawl, and repeats at most one step', async () => {
  site.asked.clear()
  const { status, body } = await call('POST', `/monitors/${monitor}/crawl-runs`)
  expect(status).toBe(201)
  const { id } = body.data
  expect((await call('POST', `/monitors/${monitor}/crawl-runs`)).body.code).toBe('crawl_under_way')
  await eventually(async () => ((await newest()).progress.visited >= 12 ? true : undefined), 20_000)
  const gone = once(agent, 'exit')
  agent.kill('SIGKILL')
  await gone
  expect((await newest()).state).toBe('running')
  agent = anAgent('')
  const run = await ended(id)
  expect(run).toMatchObject({ state: 'finished', cause: 'request', progress: { visited: 60 } })
  for (const { url, skipped } of await pagesOf(id, '&kind=page'))
    if (skipped === null) expect([...site.asked.keys()]).toContain(url.replace(site.url, ''))
  const again = [...site.asked].filter(([path, times]) => times > 1 && path !== '/robots.txt' && path !== '/hangup')
  expect(again.length).toBeLessThanOrEqual(20)
  expect(site.privateHits).toBe(0)
}, 60_000)

test('a cancelled crawl ends at once and decides no check', async () => {
  const { body } = await call('POST', `/monitors/${monitor}/crawl-runs`)
  await eventually(async () => ((await newest()).progress.visited >= 5 ? true : undefined), 20_000)
  expect((await call('POST', `/crawl-runs/${body.data.id}/cancel`)).body.data).toMatchObject({
    state: 'cancelled',
    findings: null,
  })
  expect((await call('POST', `/crawl-runs/${body.data.id}/cancel`)).body.code).toBe('crawl_over')
  const { visited } = (await newest()).progress
  await new Promise(resolve => setTimeout(resolve, 2_000))
  expect((await newest()).progress.visited).toBe(visited)
}, 40_000)

test('the plan limits the pages, and the crawl of a paused monitor ends', async () => {
  await served.platform.query(
    `update tenants set feature_overrides = '{"min_check_interval":1,"crawl_pages":7}' where id = $1`,
    [tenant],
  )
  const { body } = await call('POST', `/monitors/${monitor}/crawl-runs`)
  const run = await ended(body.data.id)
  expect(run).toMatchObject({ state: 'finished', page_limit: 7, progress: { found: 7 }, reason: 'pages' })
  expect((await call('GET', `/monitors/${monitor}/crawl-runs`)).body.data.length).toBeLessThanOrEqual(5)

  const again = await call('POST', `/monitors/${monitor}/crawl-runs`)
  await served.platform.query('update monitors set is_enabled = false where id = $1', [monitor])
  expect(await ended(again.body.data.id)).toMatchObject({ state: 'cancelled', reason: 'The monitor is paused.' })
}, 60_000)
