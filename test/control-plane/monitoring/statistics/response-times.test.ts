import { randomUUID } from 'node:crypto'
import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { migrateClickhouse } from '#analytics/migrate.ts'
import { quantileOf } from '#analytics/queries/response-spread.ts'
import { RecentTimes } from '#analytics/queries/response-times.ts'
import { Rollups } from '#analytics/rollup.ts'
import { CachedCounts } from '#control-plane/monitoring/dashboard/cached-counts.ts'
import { aMonitor, anIncident, minutesAgo, storeResults, verdicts } from '#test/control-plane/monitoring/monitored.ts'
import { app, type CallerUnderTest, given } from '#test/support/app.ts'

const { clickhouse, clock } = app.services
const day = 1_440
const dateOf = (date: Date) => date.toISOString().slice(0, 10)

const rolled = new Rollups({ clickhouse, now: () => clock.nowMs() })
beforeAll(async () => {
  await migrateClickhouse(app.stores.clickhouseUrl)
  await rolled.reconcile()
}, 120_000)

const ages = [1, 30, 100, 5 * 60, 26 * 60, 3 * day, 3 * day + 1, 29 * day]

/** Computes hours and days again, as ingest does after late results. */
const close = async (owner: CallerUnderTest, monitor: { id: string }) => {
  const hourMs = 3_600_000
  rolled.touched(
    ages.map(age => ({
      tenant: owner.tenantId,
      monitor: monitor.id,
      hour: Math.floor(minutesAgo(age).getTime() / hourMs) * hourMs,
    })),
  )
  await rolled.tick()
}

/** Stores results of now, an hour ago, today and earlier days: some for each table that a query reads. */
async function aLookedAtMonitor(owner: CallerUnderTest) {
  const monitor = await aMonitor(owner, { kinds: ['uptime', 'ssl'] })
  await storeResults(
    owner,
    monitor,
    ages.map((age, n) => ({ at: minutesAgo(age), ms: 100 + n * 10 })),
  )
  await storeResults(owner, monitor, [
    { at: minutesAgo(2), outcome: 'down', region: 'us-east' },
    { at: minutesAgo(3 * day), region: 'us-east', ms: 400 },
  ])
  await storeResults(owner, { id: monitor.id, check: monitor.checks[1] as string }, [{ at: minutesAgo(50), ms: 5_000 }])
  return { monitor, times: [...ages.map((_, n) => 100 + n * 10), 400] }
}

const mean = (numbers: number[]) => numbers.reduce((sum, number) => sum + number, 0) / numbers.length

describe('POST /monitors/stats-batch', () => {
  test('counts every result once, whether it is rolled up already or not', async () => {
    const tenant = await given.tenant()
    const { monitor, times } = await aLookedAtMonitor(tenant)
    await verdicts(tenant, monitor, [
      [minutesAgo(100), 'up'],
      [minutesAgo(50), 'down'],
      [minutesAgo(25), 'warning'],
    ])
    const idle = await aMonitor(tenant)
    const bare = await aMonitor(tenant, { kinds: [] })
    const read = async () =>
      (await tenant.post('/monitors/stats-batch', { monitor_ids: [idle.id, monitor.id, bare.id] })).body.data
    const expected = [
      { monitor_id: idle.id, uptime_30d: null, avg_response_ms: null, total_checks: 0 },
      {
        monitor_id: monitor.id,
        uptime_30d: expect.closeTo(75, 0),
        avg_response_ms: expect.closeTo(mean(times), 1),
        total_checks: 11,
      },
      { monitor_id: bare.id, uptime_30d: null, avg_response_ms: null, total_checks: 0 },
    ]
    await close(tenant, monitor)
    expect(await read()).toEqual(expected)
  })

  test('counts a result that was stored twice once', async () => {
    const tenant = await given.tenant()
    const monitor = await aMonitor(tenant)
    const batch = [1, 2, 30].map((age, n) => ({ at: minutesAgo(age), ms: 100 + n * 100 }))
    await storeResults(tenant, monitor, batch)
    await storeResults(tenant, monitor, batch.slice(1))
    const { body } = await tenant.post('/monitors/stats-batch', { monitor_ids: [monitor.id] })
    expect(body.data).toEqual([{ monitor_id: monitor.id, uptime_30d: null, avg_response_ms: 200, total_checks: 3 }])
  })

  test('counts late results within five minutes', async () => {
    const tenant = await given.tenant()
    const monitor = await aMonitor(tenant)
    const times = new RecentTimes(clickhouse)
    const totalAfter = async (minutes: number) => {
      const asked = {
        owners: new Map([[monitor.id, tenant.tenantId]]),
        from: minutesAgo(29 * day),
        now: minutesAgo(-minutes),
      }
      return (await times.of(asked)).get(monitor.id)?.[0]?.total_checks
    }
    await storeResults(tenant, monitor, [{ at: minutesAgo(40) }, { at: minutesAgo(1) }])
    expect(await totalAfter(0)).toBe(2)
    await storeResults(tenant, monitor, [{ at: minutesAgo(30) }])
    expect(await totalAfter(5)).toBe(3)
  })

  test('answers once for a monitor named twice, and leaves foreign ones out', async () => {
    const tenant = await given.tenant()
    const other = await given.tenant()
    const own = await aMonitor(tenant)
    const foreign = await aLookedAtMonitor(other)
    const { body } = await tenant.post('/monitors/stats-batch', {
      monitor_ids: [own.id, foreign.monitor.id, own.id.toUpperCase(), randomUUID()],
    })
    expect(body.data.map((entry: { monitor_id: string }) => entry.monitor_id)).toEqual([own.id])
  })

  test('takes up to 200 different monitors', async () => {
    const tenant = await given.tenant()
    const ids = Array.from({ length: 201 }, () => randomUUID())
    expect((await tenant.post('/monitors/stats-batch', { monitor_ids: ids.slice(1) })).body).toEqual({ data: [] })
    expect((await tenant.post('/monitors/stats-batch', { monitor_ids: [...ids.slice(1), ids[1]] })).status).toBe(200)
    for (const refused of [ids, [], ['x'], 'x', undefined, Array.from({ length: 1_001 }, () => ids[0])]) {
      const { status, body } = await tenant.post('/monitors/stats-batch', { monitor_ids: refused })
      expect(status).toBe(422)
      expect(Object.keys(body.errors)[0]).toMatch(/^monitor_ids/)
    }
  })

  test('is for those who may read monitors, in the team they name', async () => {
    const reseller = await given.reseller({ scopes: ['monitors:read'] })
    const team = await given.team(reseller)
    const monitor = await aMonitor(team)
    const ask = { monitor_ids: [monitor.id] }
    expect((await reseller.post(`${team.path}/monitors/stats-batch`, ask)).body.data).toHaveLength(1)
    expect(
      (await reseller.post('/monitors/stats-batch', ask, { headers: { 'X-Tenant-Id': team.tenantId } })).body.data,
    ).toHaveLength(1)
    expect((await (await given.reseller()).post(`${team.path}/monitors/stats-batch`, ask)).status).toBe(403)
    const elsewhere = await given.team(reseller)
    expect((await reseller.post(`${elsewhere.path}/monitors/stats-batch`, ask)).body.data).toEqual([])
    const inElsewhere = { headers: { 'X-Tenant-Id': elsewhere.tenantId } }
    expect((await reseller.post('/monitors/stats-batch', ask, inElsewhere)).body.data).toEqual([])
    expect((await (await given.token(team, 'sk', ['checks:read'])).post('/monitors/stats-batch', ask)).status).toBe(403)
  })
})

describe('GET /monitors/{monitor}/report', () => {
  test('has each day and the whole period', async () => {
    const tenant = await given.tenant()
    const { monitor, times } = await aLookedAtMonitor(tenant)
    await close(tenant, monitor)
    const start = minutesAgo(3 * day)
    await verdicts(tenant, monitor, [
      [start, 'up'],
      [minutesAgo(2 * day), 'down'],
      [minutesAgo(2 * day - 60), 'up'],
    ])
    await anIncident(tenant, { monitor, startedAt: minutesAgo(2 * day), resolvedAt: minutesAgo(2 * day - 60) })
    await anIncident(tenant, { monitor, startedAt: minutesAgo(60 * day), resolvedAt: minutesAgo(59 * day) })
    const { status, body } = await tenant.get(`/monitors/${monitor.id}/report`)
    expect(status).toBe(200)
    expect(body.data).toMatchObject({
      monitor_id: monitor.id,
      formula_version: 3,
      to: dateOf(minutesAgo(0)),
      from: dateOf(minutesAgo(29 * day)),
    })
    expect(body.data.daily).toHaveLength(30)
    expect(body.data.overall).toMatchObject({
      uptime_pct: expect.closeTo(100 * (71 / 72), 1),
      total_checks: 11,
      avg_response_ms: expect.closeTo(mean(times), 1),
      incidents_count: 1,
      downtime_s: 3_600,
    })
    const onDate = (date: Date) => body.data.daily.find((entry: { date: string }) => entry.date === dateOf(date))
    expect(onDate(minutesAgo(29 * day))).toMatchObject({
      date: dateOf(minutesAgo(29 * day)),
      uptime_pct: null,
      avg_response_ms: 170,
      total_checks: 1,
    })
    expect(onDate(minutesAgo(10 * day))).toMatchObject({
      date: dateOf(minutesAgo(10 * day)),
      uptime_pct: null,
      avg_response_ms: null,
      total_checks: 0,
    })
    expect(body.data.daily.reduce((sum: number, entry: { total_checks: number }) => sum + entry.total_checks, 0)).toBe(
      11,
    )
    const whole = body.data.daily.map((entry: { uptime_pct: number | null }) => entry.uptime_pct)
    expect(whole.filter((pct: number | null) => pct !== null && pct < 100).length).toBeGreaterThan(0)
  })

  test('counts an incident in each period that it overlaps, as the monthly report does', async () => {
    const tenant = await given.tenant()
    const monitor = await aMonitor(tenant)
    const [startedAt, resolvedAt] = [new Date('2026-09-30T23:40:00Z'), new Date('2026-10-01T00:20:00Z')]
    await verdicts(tenant, monitor, [
      [new Date('2026-09-01T00:00:00Z'), 'up'],
      [startedAt, 'down'],
      [resolvedAt, 'up'],
    ])
    await anIncident(tenant, { monitor, startedAt, resolvedAt })
    const of = async (from: string, to: string) => {
      const { body } = await tenant.get(`/monitors/${monitor.id}/report?from=${from}&to=${to}`)
      const { incidents_count, downtime_s } = body.data.overall
      return [incidents_count, downtime_s]
    }
    expect(await of('2026-09-01', '2026-09-30')).toEqual([1, 1_200])
    expect(await of('2026-10-01', '2026-10-31')).toEqual([1, 1_200])
    expect(await of('2026-10-02', '2026-10-31')).toEqual([0, 0])
    for (const month of ['2026-09', '2026-10'])
      expect((await tenant.get(`/monthly-report?month=${month}&timezone=UTC`)).body.data.incidents_count).toBe(1)
  })

  test('covers at most 90 days, the first and the last counted', async () => {
    const tenant = await given.tenant()
    const monitor = await aMonitor(tenant)
    const withCertificate = await aMonitor(tenant, { kinds: ['uptime', 'ssl'] })
    const ask = (from: string, to: string) => tenant.get(`/monitors/${monitor.id}/report?from=${from}&to=${to}`)
    expect((await ask('2026-01-01', '2026-03-31')).body.data.daily).toHaveLength(90)
    const { status, body } = await ask('2026-01-01', '2026-04-01')
    expect([status, body.code, Object.keys(body.errors)]).toEqual([422, 'period_too_long', ['to']])
    // the other statistics count the same way
    for (const statistic of ['performance', 'certificate']) {
      const read = (to: string) => tenant.get(`/monitors/${withCertificate.id}/${statistic}?from=2026-01-01&to=${to}`)
      expect((await read('2026-03-31')).status, statistic).toBe(200)
      expect((await read('2026-04-01')).body.code, statistic).toBe('period_too_long')
    }
    expect((await ask('2026-01-01', '2026-01-01')).body.data).toMatchObject({
      from: '2026-01-01',
      to: '2026-01-01',
      daily: [{ date: '2026-01-01', total_checks: 0 }],
    })
    expect((await ask('2026-01-02', '2026-01-01')).status).toBe(422)
    expect((await ask('2026-13-01', '2026-01-01')).status).toBe(422)
    expect((await ask('2999-01-01', '2999-01-02')).status).toBe(422)
    expect((await ask('now', '')).status).toBe(422)
  })

  test('is limited to own monitors', async () => {
    const monitor = await aMonitor(await given.tenant())
    expect((await (await given.tenant()).get(`/monitors/${monitor.id}/report`)).status).toBe(404)
    expect((await given.stranger().get(`/monitors/${monitor.id}/report`)).status).toBe(401)
  })
})

describe('GET /monitors/{monitor}/performance', () => {
  test('has response times, in all and by region, and phases', async () => {
    const tenant = await given.tenant()
    const { monitor, times } = await aLookedAtMonitor(tenant)
    await close(tenant, monitor)
    const { status, body } = await tenant.get(
      `/monitors/${monitor.id}/performance?from=${minutesAgo(30 * day).toISOString()}`,
    )
    expect(status).toBe(200)
    expect(body.data).toMatchObject({
      monitor_id: monitor.id,
      check_id: monitor.check,
      total_checks: 10,
      min_ms: 100,
      max_ms: 400,
      phases: { dns_ms: 1, connect_ms: 2, tls_ms: null },
    })
    expect(body.data.avg_ms).toBeCloseTo(mean(times), 1)
    expect(Math.abs(body.data.p50_ms / 140 - 1)).toBeLessThan(0.026)
    expect(Math.abs(body.data.p99_ms / 400 - 1)).toBeLessThan(0.026)
    expect(
      body.data.regions.map((entry: { region: string; total_checks: number }) => [entry.region, entry.total_checks]),
    ).toEqual([
      ['eu-west', 8],
      ['us-east', 2],
    ])
    expect(body.data.regions[1]).toMatchObject({ avg_ms: 400, min_ms: 400, p50_ms: 400, p99_ms: 400, max_ms: 400 })
  })

  test('has no times for a monitor without results, and refuses more than 90 days', async () => {
    const tenant = await given.tenant()
    const monitor = await aMonitor(tenant)
    expect((await tenant.get(`/monitors/${monitor.id}/performance`)).body.data).toMatchObject({
      total_checks: 0,
      avg_ms: null,
      p99_ms: null,
      regions: [],
    })
    expect((await tenant.get(`/monitors/${monitor.id}/performance?from=2026-01-01&to=2026-04-02`)).status).toBe(422)
    expect((await (await given.tenant()).get(`/monitors/${monitor.id}/performance`)).status).toBe(404)
  })
})

describe('GET /dashboard/stats', () => {
  test('counts monitors, incidents, uptime and results of one team', async () => {
    const reseller = await given.reseller()
    const team = await given.team(reseller)
    const { monitor } = await aLookedAtMonitor(team)
    await verdicts(team, monitor, [
      [minutesAgo(48 * 60), 'up'],
      [minutesAgo(6 * 60), 'down'],
    ])
    await anIncident(team, { monitor, severity: 'major' })
    const taken = await anIncident(team)
    await team.post(`/incidents/${taken}/acknowledge`)
    await anIncident(team, { startedAt: minutesAgo(9), resolvedAt: minutesAgo(2) })
    await aMonitor(team, { isEnabled: false, status: 'down' })
    await aMonitor(team, { status: null })
    await aMonitor(await given.tenant())
    await close(team, monitor)
    const { status, body } = await team.get('/dashboard/stats')
    expect(status).toBe(200)
    expect(body.data).toMatchObject({
      monitors: { total: 5, up: 3, down: 0, warning: 0, paused: 1, maintenance: 0, pending: 1 },
      open_incidents: { total: 2, critical: 1, major: 1, minor: 0 },
      unacknowledged_incidents: 1,
      uptime_24h: expect.closeTo(75, 0),
      uptime_7d: expect.closeTo(87.5, 0),
      uptime_30d: expect.closeTo(87.5, 0),
      checks_24h: 6,
      formula_version: 3,
    })
    expect((await reseller.get(`${team.path}/dashboard/stats`)).body.data.monitors.total).toBe(5)
    expect((await reseller.get('/dashboard/stats')).body.data).toMatchObject({
      monitors: { total: 0 },
      uptime_24h: null,
      checks_24h: 0,
      avg_response_ms: null,
    })
    expect((await (await given.token(team, 'sk', ['incidents:read'])).get('/dashboard/stats')).status).toBe(403)
  })
})

describe('CachedCounts', () => {
  let nowMs = 0
  let counted = 0
  const countTaking = (ms: number) => async () => {
    nowMs += ms
    return ++counted
  }
  beforeEach(() => {
    nowMs = 0
    counted = 0
  })

  test('caches a count by tenant for fifty times as long as it took', async () => {
    const counts = new CachedCounts<number>({ now: () => nowMs })
    const ask = (tenant = 'a') => counts.of(tenant, countTaking(100))
    expect([await ask(), await ask(), await ask('b'), await ask()]).toEqual([1, 1, 2, 1])
    nowMs = 100 + 5_000
    expect(await ask()).toBe(3)
  })

  test('caches none for more than a minute, however expensive', async () => {
    const counts = new CachedCounts<number>({ now: () => nowMs })
    await counts.of('a', countTaking(5_000))
    nowMs = 59_999
    expect(await counts.of('a', countTaking(5_000))).toBe(1)
    nowMs = 60_000
    expect(await counts.of('a', countTaking(5_000))).toBe(2)
  })

  test('returns the cached count while one request counts, and counts again when that one does not end', async () => {
    const counts = new CachedCounts<number>({ now: () => nowMs })
    await counts.of('a', countTaking(100))
    nowMs = 6_000
    const stuck = Promise.withResolvers<number>()
    const first = counts.of('a', () => stuck.promise)
    expect(await counts.of('a', countTaking(100))).toBe(1)
    nowMs = 16_000
    expect(await counts.of('a', countTaking(100))).toBe(2)
    stuck.reject(new Error('The store is away.'))
    await expect(first).rejects.toThrow('away')
    expect(await counts.of('a', countTaking(100))).toBe(2)
  })

  test('caches a bounded number of tenants, the most recently used', async () => {
    const counts = new CachedCounts<number>({ most: 2, now: () => nowMs })
    for (const tenant of ['a', 'b', 'c']) await counts.of(tenant, countTaking(100))
    expect([
      await counts.of('c', countTaking(0)),
      await counts.of('b', countTaking(0)),
      await counts.of('a', countTaking(0)),
    ]).toEqual([3, 2, 4])
  })
})

test('quantileOf reads buckets of several regions as one', () => {
  expect(quantileOf([], 0.5)).toBeNull()
  const spread = [
    [
      [95, 100],
      [9, 1],
    ],
    [[95], [90]],
  ] as const
  expect(quantileOf(spread, 0.5)).toBeCloseTo(1.05 ** 94.5)
  expect(quantileOf(spread, 1)).toBeCloseTo(1.05 ** 99.5)
})
