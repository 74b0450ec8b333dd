import { randomUUID } from 'node:crypto'
import { runInNewContext } from 'node:vm'
import { describe, expect, test } from 'vitest'
import { eraseTenant } from '#analytics/erase-tenant.ts'
import { bucketOf, VitalsBatch, vitalsBatchOf } from '#control-plane/passive/web-vitals/batch.ts'
import { beaconsOf } from '#control-plane/passive/web-vitals/beacons.ts'
import { metrics, rate, thresholds } from '#control-plane/passive/web-vitals/metrics.ts'
import { pageOf } from '#control-plane/passive/web-vitals/page.ts'
import { snippetFor } from '#control-plane/passive/web-vitals/snippet.ts'
import { aMonitor } from '#test/control-plane/monitoring/monitored.ts'
import { app, type CallerUnderTest, given } from '#test/support/app.ts'

const { services } = app
const batch = vitalsBatchOf(services)

async function aSite(owner: CallerUnderTest) {
  const { id } = await aMonitor(owner)
  const { status, body } = await owner.post(`/monitors/${id}/web-vitals`)
  expect(status).toBe(200)
  return { id, beacon: new URL(body.data.url).pathname, data: body.data }
}

/** As `navigator.sendBeacon` does it, from a page of another origin. */
const send = (path: string, body: unknown, headers: Record<string, string> = {}) =>
  fetch(app.baseUrl + path, {
    method: 'POST',
    headers: { 'Content-Type': 'text/plain;charset=UTF-8', Origin: 'https://shop.example', ...headers },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  })

const vital = (metric: string, value: number, path = '/', connection?: string) => ({
  metric,
  value,
  path,
  ...(connection && { connection }),
})

describe('the beacon', () => {
  test('adds up measurements by page, and rates the p75 by the published thresholds', async () => {
    const owner = await given.tenant()
    const { id, beacon, data } = await aSite(owner)
    for (let n = 1; n <= 40; n++) {
      const answer = await send(beacon, [
        vital('LCP', n * 100, '/?token=secret', '4g'),
        vital('CLS', n / 100, '/', '4g'),
      ])
      expect([answer.status, await answer.json()]).toEqual([202, { data: { accepted: 2 } }])
      expect(answer.headers.get('access-control-allow-origin')).toBe('*')
      expect(answer.headers.get('set-cookie')).toBeNull()
    }
    for (const path of [
      '/orders/12345',
      '/orders/67890',
      '/u/joe@example.com/',
      '/b/3f2b8c1e-5a52-4c64-9d35-0f7b7c2f6a11#top',
    ])
      expect((await send(beacon, vital('TTFB', 100, path, 'carrier pigeon'))).status).toBe(202)
    await batch.flush()

    const { body } = await owner.get(`/monitors/${id}/web-vitals`)
    expect(body.data.beacon).toEqual(data)
    const [lcp, cls, ttfb] = body.data.metrics
    expect(lcp).toMatchObject({
      metric: 'LCP',
      rating: 'needs_improvement',
      samples: 40,
      good: 25,
      needs_improvement: 15,
      poor: 0,
    })
    expect(lcp.p75 / 3_000).toBeGreaterThan(0.97)
    expect(lcp.p75 / 3_000).toBeLessThan(1.03)
    expect(cls).toMatchObject({ metric: 'CLS', samples: 40, good: 10, needs_improvement: 15, poor: 15, rating: 'poor' })
    expect(cls.p75).toBeGreaterThan(0.29)
    expect(cls.p75).toBeLessThan(0.31)
    expect(ttfb).toMatchObject({ metric: 'TTFB', samples: 4, rating: 'good' })
    expect(body.data.pages.map(({ path }: { path: string }) => path).sort()).toEqual([
      '/',
      '/b/:id',
      '/orders/:id',
      '/u/:id/',
    ])
    expect(body.data.pages[0]).toMatchObject({ path: '/', metrics: [{ metric: 'LCP' }, { metric: 'CLS' }] })
    expect(body.data.connections.map(({ connection }: { connection: string }) => connection)).toEqual(['4g', 'unknown'])
    expect(body.data.thresholds[0]).toEqual({ metric: 'LCP', good: 2_500, poor: 4_000 })

    // nothing of a visitor or of a query was stored
    const rows = await services.clickhouse.query({
      query: 'SELECT * FROM web_vitals_by_day WHERE monitor_id = {id: UUID}',
      query_params: { id },
      format: 'JSONEachRow',
    })
    const stored = JSON.stringify(await rows.json())
    for (const trace of ['secret', 'joe', '12345', '127.0.0.1']) expect(stored).not.toContain(trace)

    const yesterday = new Date(Date.now() - 86_400_000).toISOString().slice(0, 10)
    expect((await owner.get(`/monitors/${id}/web-vitals?from=${yesterday}&to=${yesterday}`)).body.data.metrics).toEqual(
      [],
    )
    for (const period of ['from=0001-01-01&to=0001-01-02', 'from=1969-12-31&to=1970-01-01'])
      expect((await owner.get(`/monitors/${id}/web-vitals?${period}`)).body.data.metrics, period).toEqual([])
    await eraseTenant(services.clickhouse, { tenantId: owner.tenantId, purgedAt: new Date() })
    expect((await owner.get(`/monitors/${id}/web-vitals`)).body.data.metrics).toEqual([])
  })

  test('refuses invalid measurements at every limit, and never with a 500', async () => {
    const owner = await given.tenant()
    const { beacon } = await aSite(owner)
    for (const [body, status, field] of [
      ['', 400],
      ['{', 400],
      ['[]', 422],
      ['null', 422],
      ['"LCP"', 422],
      [vital('FID', 1), 422, 'metric'],
      [vital('LCP', -1), 422, 'value'],
      [vital('LCP', 600_000), 202],
      [vital('LCP', 600_001), 422, 'value'],
      [vital('CLS', 100), 202],
      [vital('CLS', 101), 422, 'value'],
      ['{"metric":"LCP","value":1e999,"path":"/"}', 422, 'value'],
      [vital('LCP', 1, ''), 422, 'path'],
      [vital('LCP', 1, 'https://shop.example/'), 422, 'path'],
      [vital('LCP', 1, `/${'x'.repeat(1_999)}`), 202],
      [vital('LCP', 1, `/${'x'.repeat(2_000)}`), 422, 'path'],
      [vital('LCP', 1, '/a\0b'), 422, 'path'],
      ['{"metric":"LCP","value":1,"path":"/\\ud800"}', 202],
      [Array.from({ length: 10 }, () => vital('INP', 1)), 202],
      [Array.from({ length: 11 }, () => vital('INP', 1)), 422],
      [[vital('INP', 1), vital('INP', -1)], 422, '1.value'],
      [`[${'['.repeat(4_000)}`, 400],
      ['x'.repeat(4_097), 413],
    ] as const) {
      const answer = await send(beacon, body)
      const text = await answer.text()
      expect(answer.status, `${JSON.stringify(body).slice(0, 80)}: ${text}`).toBe(status)
      if (field) expect(Object.keys(JSON.parse(text).errors), text).toContain(field)
    }
    await batch.flush()
  })

  test('accepts any origin, also with a preflight request', async () => {
    const { beacon } = await aSite(await given.tenant())
    const asked = await fetch(app.baseUrl + beacon, {
      method: 'OPTIONS',
      headers: {
        Origin: 'https://shop.example',
        'Access-Control-Request-Method': 'POST',
        'Access-Control-Request-Headers': 'content-type',
      },
    })
    expect([
      asked.status,
      asked.headers.get('access-control-allow-origin'),
      asked.headers.get('access-control-allow-methods'),
    ]).toEqual([200, '*', 'POST'])
    expect(asked.headers.get('access-control-allow-headers')?.toLowerCase()).toContain('content-type')
    expect((await send(beacon, vital('LCP', 1), { 'Content-Type': 'application/json' })).status).toBe(202)
    expect((await send('/api/v1/monitors', {})).headers.get('access-control-allow-origin')).toBeNull()
    expect((await fetch(app.baseUrl + beacon)).status).toBe(405)
  })

  test('does not find unknown ids, and limits senders that guess and ids that are used too often', async () => {
    const stranger = () => send(`/api/vitals/${randomUUID()}`, vital('LCP', 1), { 'X-Forwarded-For': '198.51.100.77' })
    const statuses: number[] = []
    for (let n = 0; n < 61; n++) statuses.push((await stranger()).status)
    expect(statuses.slice(0, 60).every(status => status === 404)).toBe(true)
    expect(statuses[60]).toBe(429)

    const { id, beacon } = await aSite(await given.tenant())
    // a known beacon is not limited by guesses from the same IP address, nor by the number of its senders
    const measurements: number[] = []
    for (let n = 0; n < 61; n += 20)
      measurements.push(
        ...(
          await Promise.all(
            Array.from({ length: 20 }, () => send(beacon, vital('LCP', 1), { 'X-Forwarded-For': '198.51.100.77' })),
          )
        ).map(a => a.status),
      )
    expect(new Set(measurements)).toEqual(new Set([202]))
    expect((await send(`/api/vitals/${id}`, vital('LCP', 1))).status).toBe(404)
    await batch.flush()
  })
})

describe('enabling web vitals', () => {
  test('returns the same address again, another after rotate, and none when disabled', async () => {
    const owner = await given.tenant()
    const { id, beacon } = await aSite(owner)
    expect(new URL((await owner.post(`/monitors/${id}/web-vitals`)).body.data.url).pathname).toBe(beacon)
    expect((await send(beacon, vital('LCP', 1))).status).toBe(202)
    const rotated = new URL((await owner.post(`/monitors/${id}/web-vitals`, { rotate: true })).body.data.url).pathname
    expect(rotated).not.toBe(beacon)
    expect([(await send(beacon, vital('LCP', 1))).status, (await send(rotated, vital('LCP', 1))).status]).toEqual([
      404, 202,
    ])
    expect((await owner.delete(`/monitors/${id}/web-vitals`)).status).toBe(204)
    expect((await owner.delete(`/monitors/${id}/web-vitals`)).status).toBe(204)
    expect((await send(rotated, vital('LCP', 1))).status).toBe(404)
    await batch.flush()
    const { body } = await owner.get(`/monitors/${id}/web-vitals`)
    expect([body.data.beacon, body.data.metrics[0].samples]).toEqual([null, 2])
    expect(await app.audited(owner)).toEqual([
      'monitor.web_vitals_enabled',
      'monitor.web_vitals_rotated',
      'monitor.web_vitals_disabled',
    ])
  })

  test('needs the plan, both for enabling and for reporting', async () => {
    const poor = await given.tenant({ plan: 'starter' })
    const refused = await poor.post(`/monitors/${(await aMonitor(poor)).id}/web-vitals`)
    expect([refused.status, refused.body.code, refused.body.quota]).toEqual([403, 'not_in_plan', 'web_vitals'])

    const owner = await given.tenant()
    const { id, beacon } = await aSite(owner)
    await services.platform.query(`update tenants set plan = 'free' where id = $1`, [owner.tenantId])
    beaconsOf(services).forget(beacon.split('/').at(-1) ?? '')
    expect((await send(beacon, vital('LCP', 1))).status).toBe(404)
    expect((await (await given.tenant()).get(`/monitors/${id}/web-vitals`)).status).toBe(404)
  })

  test('is available to the reseller of the team', async () => {
    const reseller = await given.reseller()
    const team = await given.team(reseller)
    const { id } = await aMonitor(team)
    const { body } = await reseller.post(`${team.path}/monitors/${id}/web-vitals`)
    expect((await reseller.get(`${team.path}/monitors/${id}/web-vitals`)).body.data.beacon).toEqual(body.data)
    expect((await reseller.delete(`${team.path}/monitors/${id}/web-vitals`)).status).toBe(204)
  })
})

describe('pages and ratings', () => {
  test.each([
    ['/', '/'],
    ['', '/'],
    ['/shop/shoes?size=42#top', '/shop/shoes'],
    ['/orders/12345', '/orders/:id'],
    ['/blog/2026-in-review', '/blog/2026-in-review'],
    ['/v2/docs', '/v2/docs'],
    ['/u/joe@example.com/edit', '/u/:id/edit'],
    ['/u/joe%40example.com', '/u/:id'],
    ['/reset/9f86d081884c7d659a2feaa0c55ad015', '/reset/:id'],
    ['/invite/kZ8vQ1pLw0YtN3aXc7RbE5mU2s', '/invite/:id'],
    [`/${'a b/'.repeat(80)}`, `/${'a b/'.repeat(80)}`.slice(0, 200)],
  ])('%s is the page %s', (path, page) => expect(pageOf(path)).toBe(page))

  test('a value on the border has the better rating', () => {
    for (const metric of metrics) {
      const { good, poor } = thresholds[metric]
      expect([rate(metric, good), rate(metric, good * 1.001), rate(metric, poor), rate(metric, poor * 1.001)]).toEqual([
        'good',
        'needs_improvement',
        'needs_improvement',
        'poor',
      ])
    }
    expect([bucketOf('LCP', 0), bucketOf('LCP', 1), bucketOf('LCP', 600_000), bucketOf('CLS', 0.001)]).toEqual([
      0, 0, 255, 0,
    ])
  })

  test('a tenant whose beacons are flooded leaves room to other tenants', async () => {
    const own = new VitalsBatch(services)
    const [hog, other] = [randomUUID(), randomUUID()]
    const add = (tenant: string, n: number) =>
      own.add(
        { tenant, monitor: randomUUID(), metric: 'LCP', value: 1, page: `/page-${n}`, connection: '4g' },
        services.clock.now(),
      )
    let taken = 0
    for (let n = 0; n < 25_000; n++) if (add(hog, n)) taken++
    expect(taken).toBe(10_000)
    let others = 0
    for (let n = 0; n < 25_000; n++) if (add(other, n)) others++
    expect(others).toBe(5_000)
    expect(add(randomUUID(), 0)).toBe(true)
    await own.flush()
    expect(add(hog, 0)).toBe(true)
    await own.flush()
  })

  test('a monitor that is flooded with pages counts two hundred separately', async () => {
    const owner = await given.tenant()
    const { id } = await aSite(owner)
    for (let n = 0; n < 300; n++)
      batch.add(
        { tenant: owner.tenantId, monitor: id, metric: 'LCP', value: 1, page: `/page-${n}`, connection: '4g' },
        services.clock.now(),
      )
    await batch.flush()
    const { body } = await owner.get(`/monitors/${id}/web-vitals`)
    expect(body.data.pages).toHaveLength(200)
    expect(body.data.pages[0]).toMatchObject({ path: '(other)', metrics: [{ samples: 100 }] })
    expect(body.data.metrics[0].samples).toBe(300)
  })
})

test('the script reports what a browser measured once, when its page is hidden', () => {
  const observers = new Map<string, (list: { getEntries(): unknown[] }) => void>()
  const sent: [string, string][] = []
  let hide = () => undefined as unknown
  class PerformanceObserver {
    readonly #onEntries: (list: { getEntries(): unknown[] }) => void
    constructor(onEntries: (list: { getEntries(): unknown[] }) => void) {
      this.#onEntries = onEntries
    }
    observe({ type }: { type: string }) {
      observers.set(type, this.#onEntries)
    }
  }
  const document = { visibilityState: 'visible' }
  const script = /^<script>(.*)<\/script>$/s.exec(snippetFor('https://watch.example/api/vitals/1'))?.[1] ?? ''
  runInNewContext(script, {
    PerformanceObserver,
    document,
    performance: { getEntriesByType: () => [{ responseStart: 120.5 }] },
    location: { pathname: '/shop' },
    navigator: {
      connection: { effectiveType: '4g' },
      sendBeacon: (url: string, body: string) => sent.push([url, body]),
    },
    addEventListener: (_: string, listener: () => void) => {
      hide = listener
    },
  })
  const emitEntries = (type: string, ...entries: unknown[]) => observers.get(type)?.({ getEntries: () => entries })
  emitEntries('paint', { name: 'first-paint', startTime: 1 }, { name: 'first-contentful-paint', startTime: 300 })
  emitEntries('largest-contentful-paint', { startTime: 400 }, { startTime: 900 })
  emitEntries(
    'layout-shift',
    { startTime: 100, value: 0.1 },
    { startTime: 500, value: 0.1 },
    { startTime: 9_000, value: 0.15 },
    { startTime: 9_100, value: 5, hadRecentInput: true },
  )
  emitEntries(
    'event',
    { interactionId: 1, duration: 80 },
    { interactionId: 1, duration: 40 },
    { interactionId: 2, duration: 64 },
    { duration: 999 },
  )
  hide()
  expect(sent).toEqual([])
  document.visibilityState = 'hidden'
  hide()
  hide()
  expect(sent).toHaveLength(1)
  const measurements: { metric: string; value: number; path: string; connection: string }[] = JSON.parse(sent[0]![1])
  expect(sent[0]![0]).toBe('https://watch.example/api/vitals/1')
  expect(new Map(measurements.map(({ metric, value }) => [metric, value]))).toEqual(
    new Map([
      ['TTFB', 120.5],
      ['FCP', 300],
      ['LCP', 900],
      ['CLS', 0.2],
      ['INP', 80],
    ]),
  )
  expect(measurements.every(({ path, connection }) => path === '/shop' && connection === '4g')).toBe(true)
})
