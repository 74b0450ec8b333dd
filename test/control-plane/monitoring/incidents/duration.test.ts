import { randomInt, randomUUID } from 'node:crypto'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { shardOf } from '#contract/shards.ts'
import { aMonitor, anIncident, spans, verdicts } from '#test/control-plane/monitoring/monitored.ts'
import { app, type CallerUnderTest, given } from '#test/support/app.ts'

const { platform } = app.services
const base = Date.parse('2024-05-10T00:00:00Z')
const on = (s: number) => new Date(base + s * 1_000)
// of these days alone: monitoring gaps are of no tenant
const gaps = [
  [30, 37.4],
  [70, 71.9],
] as const

beforeAll(async () => {
  for (const [from, to] of gaps)
    await platform.query('insert into monitoring_gaps (started_at, ended_at) values ($1, $2)', [on(from), on(to)])
})
afterAll(() => platform.query('delete from monitoring_gaps where started_at between $1 and $2', [on(0), on(200)]))

interface Past {
  from: number
  to: number
  changes: readonly (readonly [at: number, verdict: string])[]
  maintenance: readonly (readonly [from: number, lasts: number])[]
  away: readonly (readonly [from: number, lasts: number])[]
}

/** A monitor that was down from one second to another, and its incident. */
async function anOutage(tenant: CallerUnderTest, { from, to, changes, maintenance, away }: Past) {
  const monitor = await aMonitor(tenant)
  await platform.query(`update monitors set created_at = '2024-01-01' where id = $1`, [monitor.id])
  await verdicts(tenant, monitor, [
    [on(-60), 'up'],
    [on(from), 'down'],
    ...changes.map(([at, verdict]) => [on(at), verdict] as const),
    [on(to), 'up'],
  ])
  const inMaintenance = maintenance.map(([start, lasts]) => ({ from: +on(start), to: +on(start + lasts) }))
  await spans(tenant, monitor, inMaintenance)
  // a window that counts and pauses nothing
  await spans(tenant, monitor, [{ from: +on(from), to: +on(to) }], false)
  const [shard, region] = [shardOf(tenant.tenantId), randomUUID()]
  await platform.query(
    'insert into check_regions (check_id, tenant_id, since, shard, regions) values ($1, $2, $3, $4, $5)',
    [monitor.check, tenant.tenantId, on(-60), shard, [region]],
  )
  let free = -50
  for (const [apart, lasts] of away) {
    const begins = Math.max(free, from - 10) + apart
    free = begins + lasts
    await platform.query('insert into region_gaps (shard, regions, started_at, ended_at) values ($1, $2, $3, $4)', [
      shard,
      [region],
      on(begins),
      on(free),
    ])
  }
  const incident = await anIncident(tenant, { monitor, startedAt: on(from), resolvedAt: on(to) })
  return { monitor, incident }
}

test('an incident lasts as long as its monitor was down by the uptime, whatever came in between', async () => {
  const within = fc.double({ min: 5.2, max: 95, noNaN: true }).map(s => Math.round(s * 1_000) / 1_000)
  const someTimes = fc.array(fc.tuple(within, fc.double({ min: 0.5, max: 15, noNaN: true })), { maxLength: 3 })
  const past = fc.record({
    changes: fc.uniqueArray(fc.tuple(within, fc.constantFrom('none', 'paused', 'down', 'maintenance')), {
      selector: ([at]) => at,
      maxLength: 4,
    }),
    maintenance: someTimes,
    away: fc.array(fc.tuple(fc.integer({ min: 1, max: 30 }), fc.integer({ min: 1, max: 15 })), { maxLength: 3 }),
  })
  const tenant = await given.tenant()
  const pasts = fc.asyncProperty(past, async ({ changes, maintenance, away }) => {
    const sorted = changes.toSorted(([a], [b]) => a - b)
    const { monitor, incident } = await anOutage(tenant, { from: 5.1, to: 96.3, changes: sorted, maintenance, away })
    const query = `from=${on(0).toISOString()}&to=${on(120).toISOString()}`
    const { downtime_s } = (await tenant.get(`/monitors/${monitor.id}/uptime?${query}`)).body.data
    const { duration_s } = (await tenant.get(`/incidents/${incident}`)).body.data
    expect(duration_s).toBe(downtime_s)
  })
  await fc.assert(pasts, {
    numRuns: 60,
    seed: randomInt(2 ** 30),
    examples: [[{ changes: [], maintenance: [], away: [] }], [{ changes: [], maintenance: [[10, 13]], away: [] }]],
  })
}, 120_000)

test('a month’s longest incident, its average and its list are no longer than its downtime', async () => {
  const tenant = await given.tenant()
  const past = {
    changes: [
      [20, 'paused'],
      [25, 'down'],
    ],
    maintenance: [[40, 13]],
    away: [[65, 5]],
  } as const
  const { incident } = await anOutage(tenant, { from: 6, to: 96, ...past })
  const { data } = (await tenant.get('/monthly-report?month=2024-05')).body
  const [monitor] = data.monitors
  // 90 s without 5 of a pause, 7.4 and 1.9 of our own gaps, 13 of maintenance, 5 of its region
  expect(monitor).toMatchObject({ downtime_s: 57, longest_s: 57, mttr_s: 57 })
  expect(data.incidents).toMatchObject([{ duration_s: 57 }])
  expect((await tenant.get(`/incidents/${incident}`)).body.data.duration_s).toBe(57)
  expect((await tenant.get('/incidents')).body.data[0].duration_s).toBe(57)
})

test('an incident of 11 s and some is 11 s everywhere, and imported ones keep their whole time', async () => {
  const tenant = await given.tenant()
  const none = { changes: [], maintenance: [], away: [] }
  const { monitor, incident } = await anOutage(tenant, { from: 100.1, to: 111.9, ...none })
  const query = `from=${on(0).toISOString()}&to=${on(120).toISOString()}`
  expect((await tenant.get(`/monitors/${monitor.id}/uptime?${query}`)).body.data.downtime_s).toBe(11)
  expect((await tenant.get(`/incidents/${incident}`)).body.data.duration_s).toBe(11)
  expect((await tenant.get('/monthly-report?month=2024-05')).body.data.monitors[0]).toMatchObject({
    downtime_s: 11,
    longest_s: 11,
    mttr_s: 11,
  })
  await platform.query(`update incidents set started_at = $2, imported_from = 'other' where id = $1`, [
    incident,
    on(20),
  ])
  expect((await tenant.get(`/incidents/${incident}`)).body.data.duration_s).toBe(91)
})

test('an incident keeps its duration when its check is deleted, and no longer names it', async () => {
  const tenant = await given.tenant()
  const { monitor, incident } = await anOutage(tenant, {
    ...{ from: 100, to: 150, maintenance: [], away: [] },
    changes: [
      [110, 'paused'],
      [120, 'down'],
    ],
  })
  const read = async () => (await tenant.get(`/incidents/${incident}`)).body.data
  expect(await read()).toMatchObject({ duration_s: 40, check_id: monitor.check })
  expect((await tenant.delete(`/checks/${monitor.check}`)).status).toBe(204)
  expect(await read()).toMatchObject({ check_id: null })
})
