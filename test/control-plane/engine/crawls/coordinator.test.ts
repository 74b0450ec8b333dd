import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, expect, test } from 'vitest'
import { type CrawlStep, type CrawlStepReply, type CrawlVisit, crawlLimits } from '#contract/crawl.ts'
import { allShards } from '#control-plane/base/shards.ts'
import { CrawlCoordinator } from '#control-plane/engine/crawls/coordinator.ts'
import { aMonitor } from '#test/control-plane/monitoring/monitored.ts'
import { eventually } from '#test/control-plane/serving.ts'
import { app, type CallerUnderTest, given } from '#test/support/app.ts'

const { platform } = app.services
let desk: CrawlCoordinator | undefined
afterEach(() => desk?.stop())

/** A coordinator of the test's own, whose regions connect only when the test says so. Records the frames it sends. */
function aDesk(
  listening: Set<string>,
  usual: () => string[] = () => [...listening],
): { desk: CrawlCoordinator; asked: string[] } {
  const asked: string[] = []
  desk = new CrawlCoordinator({
    services: app.services,
    find: () => undefined,
    shards: allShards,
    checksOf: () => [],
    regions: usual,
    isListening: region => listening.has(region),
    send(region, frame) {
      asked.push(`${region} ${frame.type === 'crawl' ? frame.run : frame.type}`)
      return true
    },
  })
  desk.start()
  return { desk, asked }
}

async function aRun(owner: CallerUnderTest, regions: string[] = []): Promise<string> {
  const monitor = await aMonitor(owner, { url: 'https://shop.example/' })
  await platform.query('update monitors set regions = $2 where id = $1', [monitor.id, regions])
  return (await owner.post(`/monitors/${monitor.id}/crawl-runs`)).body.data.id
}

const visited = (id: string, more: Partial<CrawlVisit> = {}): CrawlVisit => ({
  id,
  status: 200,
  fault: null,
  message: null,
  skipped: null,
  content_type: 'text/html',
  bytes: 100,
  took_ms: 5,
  redirect_to: null,
  truncated: false,
  links_found: 0,
  links: [],
  mixed_counts: { active: 0, passive: 0, form: 0 },
  mixed: [],
  ...more,
})
const link = (path: string, kind: 'page' | 'asset' | 'external' = 'page') => ({
  url: new URL(path, 'https://shop.example/').href,
  kind,
  element: 'a',
  text: path,
})
const stepOf = (run: string, visits: CrawlVisit[] = [], more: Partial<CrawlStep> = {}): CrawlStep => ({
  run,
  fresh: false,
  wants: 20,
  visits,
  ...more,
})
const itemsOf = (answer: CrawlStepReply) => (answer.state === 'continue' ? answer.items : [])

test('a repeated step counts once; pages assigned to an agent that died are assigned again', async () => {
  const owner = await given.tenant()
  const { desk, asked } = aDesk(new Set(['eu-west']))
  const run = await aRun(owner)
  await eventually(() => asked.includes(`eu-west ${run}`) || undefined)

  const [start] = itemsOf(await desk.step('eu-west', stepOf(run, [], { fresh: true })))
  expect(start).toMatchObject({ url: 'https://shop.example/', kind: 'page', depth: 0 })
  const first = stepOf(run, [
    visited(start?.id ?? '', {
      links: [link('/a'), link('/b'), link('/a#again'), link('/i.png', 'asset')],
      links_found: 4,
    }),
  ])
  const items = itemsOf(await desk.step('eu-west', first))
  expect(items.map(({ url }) => url)).toEqual([
    'https://shop.example/a',
    'https://shop.example/b',
    'https://shop.example/i.png',
  ])
  expect(itemsOf(await desk.step('eu-west', first))).toEqual([])
  expect((await owner.get(`/crawl-runs/${run}`)).body.data).toMatchObject({
    state: 'running',
    bytes: 100,
    progress: { found: 3, visited: 1, queued: 3 },
  })

  expect(itemsOf(await desk.step('eu-west', stepOf(run, [], { fresh: true })))).toEqual(items)
  const [a, b, picture] = items.map(({ id }) => id)
  await desk.step(
    'eu-west',
    stepOf(run, [visited(a ?? '', { links: [link('/b')] }), visited(picture ?? '', { status: 404 })]),
  )
  const failing = visited(b ?? '', { status: 500 })
  expect(await desk.step('eu-west', stepOf(run, [failing]))).toMatchObject({ state: 'continue', items: [], left: 1 })
  const again = await eventually(async () => itemsOf(await desk.step('eu-west', stepOf(run)))[0])
  expect(again.id).toBe(b)
  expect(await desk.step('eu-west', stepOf(run, [failing]))).toEqual({ state: 'ended' })

  const { data } = (await owner.get(`/crawl-runs/${run}`)).body
  expect(data).toMatchObject({
    state: 'finished',
    broken: 2,
    findings: { pages: 2, checked: 1, failed_pages: 1, broken_internal: 2, broken_external: 0 },
  })
  const broken = (await owner.get(`/crawl-runs/${run}/pages?status=500`)).body.data
  expect(broken).toMatchObject([{ found_on: [{ page: 'https://shop.example/' }, { page: 'https://shop.example/a' }] }])
  expect(await desk.step('eu-west', stepOf(run, [visited(a ?? '')]))).toEqual({ state: 'ended' })
})

test('only the region of a crawl works on it, and another goes on when that one is gone', async () => {
  const owner = await given.tenant()
  const listening = new Set(['eu-west'])
  const { desk, asked } = aDesk(listening)
  const run = await aRun(owner)
  await eventually(() => asked.includes(`eu-west ${run}`) || undefined)
  expect(await desk.step('us-east', stepOf(run, [], { fresh: true }))).toEqual({ state: 'ended' })
  const [start] = itemsOf(await desk.step('eu-west', stepOf(run, [], { fresh: true })))

  listening.delete('eu-west')
  listening.add('us-east')
  await platform.query(`update crawl_runs set last_seen_at = now() - interval '31 seconds' where id = $1`, [run])
  await eventually(() => asked.includes(`us-east ${run}`) || undefined, 15_000)
  expect(await desk.step('eu-west', stepOf(run, [visited(start?.id ?? '')]))).toEqual({ state: 'ended' })
  expect(itemsOf(await desk.step('us-east', stepOf(run, [], { fresh: true })))).toMatchObject([{ id: start?.id }])
})

test('crawls of one tenant take half of a region’s places, and another tenant’s begins beside them', async () => {
  const [hog, other] = [await given.tenant(), await given.tenant()]
  // a region that no other test's monitors name
  const region = `r-${crypto.randomUUID().slice(0, 8)}`
  const { desk, asked } = aDesk(new Set([region]), () => [])
  const many = await Promise.all(Array.from({ length: 12 }, () => aRun(hog, [region])))
  const begun = (of: readonly string[]) => of.filter(run => asked.includes(`${region} ${run}`))
  const half = crawlLimits.runsPerRegion / 2
  await eventually(() => (begun(many).length >= half ? true : undefined))
  const late = await aRun(other, [region])
  await eventually(() => begun([late])[0])
  await sleep(7_000)
  expect(begun(many)).toHaveLength(half)

  // the place of one that is over is the next one's
  const [first = ''] = begun(many)
  const [start] = itemsOf(await desk.step(region, stepOf(first, [], { fresh: true })))
  await desk.step(region, stepOf(first, [visited(start?.id ?? '')]))
  await eventually(() => (begun(many).length === half + 1 ? true : undefined), 10_000)
})

test('redirects after redirects end, and so does a crawl that takes too long', async () => {
  const owner = await given.tenant()
  const { desk, asked } = aDesk(new Set(['eu-west']))
  const run = await aRun(owner)
  await eventually(() => asked.includes(`eu-west ${run}`) || undefined)
  let [item] = itemsOf(await desk.step('eu-west', stepOf(run, [], { fresh: true })))
  let answer: CrawlStepReply | undefined
  for (let hop = 1; item && hop <= 12; hop++) {
    const to = new URL(`/hop-${hop}`, 'https://shop.example/').href
    const visit = visited(item.id, {
      status: 302,
      redirect_to: to,
      links: [{ url: to, kind: 'page', element: 'redirect', text: '' }],
    })
    answer = await desk.step('eu-west', stepOf(run, [visit]))
    item = itemsOf(answer)[0]
  }
  expect(answer).toMatchObject({ state: 'continue', left: 1 })
  await platform.query(`update crawl_runs set started_at = now() - interval '7 hours' where id = $1`, [run])
  expect(await desk.step('eu-west', stepOf(run))).toEqual({ state: 'ended' })
  expect((await owner.get(`/crawl-runs/${run}`)).body.data).toMatchObject({
    state: 'failed',
    finished_at: expect.any(String),
    findings: { limited_by: 'time' },
  })
})

test('a page of a thousand links fills the run up to its limit, at once', async () => {
  const owner = await given.tenant()
  const { desk, asked } = aDesk(new Set(['eu-west']))
  const run = await aRun(owner)
  await eventually(() => asked.includes(`eu-west ${run}`) || undefined)
  const [start] = itemsOf(await desk.step('eu-west', stepOf(run, [], { fresh: true })))
  const links = Array.from({ length: 1_000 }, (_, number) => link(`/p${number}`))
  const began = performance.now()
  const answer = await desk.step('eu-west', stepOf(run, [visited(start?.id ?? '', { links, links_found: 1_000 })]))
  expect(performance.now() - began).toBeLessThan(5_000)
  expect(answer).toMatchObject({ state: 'continue', left: 499 })
  expect((await owner.get(`/crawl-runs/${run}`)).body.data).toMatchObject({ page_limit: 500, left_out: { pages: 501 } })
})
