import { randomUUID } from 'node:crypto'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { shardOf } from '#contract/shards.ts'
import { anonymous } from '#control-plane/base/caller.ts'
import { openOrm } from '#control-plane/db/orm.ts'
import type { Db } from '#control-plane/db/queries.ts'
import { readBadgeStatus } from '#control-plane/monitoring/badges/status.ts'
import {
  type Change,
  dayMs,
  type Interval,
  type JudgedTime,
  type Judgement,
  judgedSpans,
  judgements,
  timeOf,
  uptimePct,
} from '#control-plane/monitoring/statistics/judged-time.ts'
import { readJudgedTime } from '#control-plane/monitoring/statistics/read-judged.ts'
import { readTotalTime } from '#control-plane/monitoring/statistics/total-time.ts'
import { unitOfWork } from '#control-plane/outbox/unit-of-work.ts'
import { aMonitor, anIncident, spans, verdicts } from '#test/control-plane/monitoring/monitored.ts'
import { app, type CallerUnderTest, given } from '#test/support/app.ts'

const at = (text: string) => new Date(text)
const { platform } = app.services

describe('GET /monitors/{monitor}/uptime', () => {
  test('has the share of judged time, its days and its spans', async () => {
    const tenant = await given.tenant()
    const monitor = await aMonitor(tenant)
    await verdicts(tenant, monitor, [
      [at('2026-03-01T00:00:00Z'), 'up'],
      [at('2026-03-02T12:00:00Z'), 'down'],
      [at('2026-03-02T18:00:00Z'), 'warning'],
      [at('2026-03-03T00:00:00Z'), 'paused'],
    ])
    const { status, body } = await tenant.get(`/monitors/${monitor.id}/uptime?from=2026-03-01&to=2026-03-03`)
    expect(status).toBe(200)
    expect(body.data).toMatchObject({
      monitor_id: monitor.id,
      check_id: monitor.check,
      from: '2026-03-01T00:00:00.000000Z',
      to: '2026-03-04T00:00:00.000000Z',
      formula_version: 3,
      uptime_pct: 87.5,
      up_s: 129_600,
      warning_s: 21_600,
      downtime_s: 21_600,
      maintenance_s: 0,
      paused_s: 86_400,
      no_data_s: 0,
    })
    expect(
      body.data.days.map((day: { date: string; uptime_pct: number | null }) => [day.date, day.uptime_pct]),
    ).toEqual([
      ['2026-03-01', 100],
      ['2026-03-02', 75],
      ['2026-03-03', null],
    ])
    expect(body.data.spans.map((span: { verdict: string }) => span.verdict)).toEqual([
      'up',
      'down',
      'warning',
      'paused',
    ])
  })

  test('cuts the seconds of an outage off as its incident and the report of its month do', async () => {
    const tenant = await given.tenant()
    const monitor = await aMonitor(tenant)
    const [startedAt, resolvedAt] = [at('2026-03-02T12:00:00.100Z'), at('2026-03-02T12:00:11.800Z')]
    await verdicts(tenant, monitor, [
      [at('2026-03-01T00:00:00Z'), 'up'],
      [startedAt, 'down'],
      [resolvedAt, 'up'],
    ])
    await platform.query(`update monitors set created_at = '2026-03-01' where id = $1`, [monitor.id])
    const incident = await anIncident(tenant, { monitor, startedAt, resolvedAt })
    const read = async (path: string) => (await tenant.get(path)).body.data
    const month = await read('/monthly-report?month=2026-03')
    expect([
      (await read(`/monitors/${monitor.id}/uptime?from=2026-03-02&to=2026-03-02`)).downtime_s,
      (await read(`/incidents/${incident}`)).duration_s,
      month.downtime_s,
      month.monitors[0].longest_s,
      month.monitors[0].mttr_s,
    ]).toEqual([11, 11, 11, 11, 11])
  })

  test('is null for a monitor without results or without an uptime check', async () => {
    const tenant = await given.tenant()
    for (const kinds of [['uptime'], ['mixed_content'], []]) {
      const monitor = await aMonitor(tenant, { kinds })
      const { body } = await tenant.get(`/monitors/${monitor.id}/uptime?from=2026-03-01&to=2026-03-01`)
      expect(body.data).toMatchObject({ uptime_pct: null, no_data_s: 86_400 })
    }
  })

  test('is that of the uptime check, else of the first of the other kinds, enabled ones first', async () => {
    const tenant = await given.tenant()
    const monitor = await aMonitor(tenant, { kinds: ['ssl', 'ping', 'tcp'] })
    const uptimeCheck = async () => (await tenant.get(`/monitors/${monitor.id}/uptime`)).body.data.check_id
    expect(await uptimeCheck()).toBe(monitor.checks[2])
    await platform.query('update checks set is_enabled = false where id = $1', [monitor.checks[2]])
    expect(await uptimeCheck()).toBe(monitor.checks[1])
  })

  test('refuses a period that is empty, too long or not begun', async () => {
    const tenant = await given.tenant()
    const monitor = await aMonitor(tenant)
    for (const query of [
      'from=2026-03-02&to=2026-03-01',
      'from=2024-01-01&to=2026-03-01',
      'from=2999-01-01',
      'from=soon',
      'to=2026-13-01',
      'from=2026-02-30',
    ])
      expect((await tenant.get(`/monitors/${monitor.id}/uptime?${query}`)).status, query).toBe(422)
    expect((await tenant.get(`/monitors/${monitor.id}/uptime?from=2026-03-01&to=2026-03-01`)).status).toBe(200)
    const { body } = await tenant.get(
      `/monitors/${monitor.id}/uptime?to=2999-01-01&from=${new Date(app.services.clock.nowMs() - dayMs).toISOString()}`,
    )
    expect(Date.parse(body.data.to)).toBeLessThanOrEqual(app.services.clock.nowMs() + 1_000)
  })

  test('is for those who may read the monitor', async () => {
    const reseller = await given.reseller({ scopes: ['monitors:read'] })
    const team = await given.team(reseller)
    const monitor = await aMonitor(team)
    expect((await reseller.get(`${team.path}/monitors/${monitor.id}/uptime`)).status).toBe(200)
    expect((await (await given.tenant()).get(`/monitors/${monitor.id}/uptime`)).status).toBe(404)
    expect(
      (await (await given.token(team, 'sk', ['incidents:read'])).get(`/monitors/${monitor.id}/uptime`)).status,
    ).toBe(403)
    expect((await team.get(`/monitors/${randomUUID()}/uptime`)).status).toBe(404)
  })

  test('counts no time in which a monitor or its check was paused, nor until it is judged again', async () => {
    const tenant = await given.tenant()
    const monitor = await aMonitor(tenant)
    await platform.query(`update checks set verdict = 'up' where id = $1`, [monitor.check])
    await verdicts(tenant, monitor, [[at('2026-03-01T00:00:00Z'), 'up']])
    const noted = async () =>
      (
        await platform.query('select verdict from verdict_changes where check_id = $1 order by id', [monitor.check])
      ).rows.map(row => row.verdict)
    await platform.query('update monitors set is_enabled = false where id = $1', [monitor.id])
    await platform.query('update monitors set held_by_plan = true where id = $1', [monitor.id])
    await platform.query('update monitors set held_by_plan = false, is_enabled = true where id = $1', [monitor.id])
    await platform.query('update checks set is_enabled = false where id = $1', [monitor.check])
    await platform.query('update checks set is_enabled = true where id = $1', [monitor.check])
    expect(await noted()).toEqual(['up', 'paused', 'none', 'paused', 'none'])
  })
})

describe('many monitors at once', () => {
  const orm = openOrm({ databaseUrl: app.stores.appUrl, poolSize: 2 })
  const base = Date.parse('2025-06-01T00:00:00Z')
  const gapPairs = [
    [base + 5_000, base + 9_000],
    [base + 8_000, base + 12_000],
    [base + 40_000, base + 41_000],
  ] as const

  const gaps = gapPairs.map(([from, to]) => ({ from, to }))
  const windows = [
    { from: base, to: base + 60_000 },
    { from: base + 7_000, to: base + 30_000 },
    { from: base + 41_000, to: base + 41_500 },
  ]

  async function inTenant<Found>({ tenantId }: CallerUnderTest, read: (db: Db) => Promise<Found>): Promise<Found> {
    const context = { tenantId, resellerId: null, caller: anonymous, ip: '', requestId: 'x', now: new Date() }
    return unitOfWork((await orm).em, context, em => read(em))
  }

  beforeAll(async () => {
    for (const [from, to] of gapPairs)
      await platform.query('insert into monitoring_gaps (started_at, ended_at) values ($1, $2)', [
        new Date(from),
        new Date(to),
      ])
  })
  afterAll(async () => {
    await platform.query('delete from monitoring_gaps where started_at < $1', [new Date(base + dayMs)])
    await (await orm).close()
  })

  test('the sum of the database equals that of the pure function', async () => {
    const tenant = await given.tenant()
    const known = ['up', 'warning', 'down', 'none', 'paused', 'none']
    const monitors: { monitor: Awaited<ReturnType<typeof aMonitor>>; changes: Change[]; maintenance: Interval[] }[] = []
    for (let m = 0; m < 12; m++) {
      const monitor = await aMonitor(tenant)
      const changes = Array.from({ length: m * 3 }, (_, n) => ({
        at: base - 20_000 + ((n * 7_919 * (m + 1)) % 90) * 1_000,
        verdict: known[(n * 5 + m) % 6] as string,
      })).sort((a, b) => a.at - b.at)
      await verdicts(
        tenant,
        monitor,
        changes.map(change => [new Date(change.at), change.verdict] as const),
      )
      const maintenance = Array.from({ length: m % 5 }, (_, n) => {
        const from = base - 10_000 + ((n * 6_007 * (m + 1)) % 80) * 1_000
        return { from, to: from + ((n * 31 + m) % 17) * 1_000 }
      })
      await spans(tenant, monitor, maintenance)
      // of a window that does not count
      await spans(tenant, monitor, [{ from: base, to: base + 50_000 }], false)
      monitors.push({ monitor, changes, maintenance })
    }
    const read = (ids: string[] | null) => inTenant(tenant, db => readJudgedTime(db, [tenant.tenantId], ids, windows))
    const foreign = await aMonitor(await given.tenant())
    const named = await read([...monitors.map(({ monitor }) => monitor.id), foreign.id])
    const all = await read(null)
    expect([...named.keys()].sort()).toEqual([...all.keys()].sort())
    expect(named.has(foreign.id)).toBe(false)
    for (const { monitor, changes, maintenance } of monitors) {
      const history = { changes, monitoringGaps: gaps, maintenance }
      const expected = windows.map(({ from, to }) => timeOf(judgedSpans(history, from, to)))
      for (const found of [named, all]) {
        const judged = found.get(monitor.id)
        expect(judged?.check).toBe(monitor.check)
        for (const [n, time] of expected.entries())
          for (const verdict of judgements)
            expect(judged?.times[n]?.[verdict], `${verdict} ${n}`).toBeCloseTo(time[verdict], 0)
      }
    }
    expect(await read([])).toEqual(new Map())

    const together = (asked: readonly Interval[]) =>
      inTenant(tenant, db => readTotalTime(db, { id: tenant.tenantId }, asked))
    const interval = fc
      .tuple(fc.integer({ min: -30_000, max: 99_000 }), fc.integer({ min: 1, max: 90_000 }))
      .map(([start, ms]) => ({ from: base + start, to: base + start + ms }))
    const sums = fc.asyncProperty(fc.array(interval, { minLength: 1, maxLength: 4 }), async asked => {
      const times = asked.map(({ from, to }) =>
        monitors.map(({ changes, maintenance }) =>
          timeOf(judgedSpans({ changes, monitoringGaps: gaps, maintenance }, from, to)),
        ),
      )
      const sum = (of: JudgedTime[], verdict: Judgement) => of.reduce((total, time) => total + time[verdict], 0)
      expect(await together(asked)).toEqual(
        times.map(of => ({ up: sum(of, 'up'), warning: sum(of, 'warning'), down: sum(of, 'down') })),
      )
    })
    await fc.assert(sums, { numRuns: 60, examples: [[windows], [[windows[0], windows[0]]]] as never })
  })

  test('the gaps of the regions a check was asked from are no data, until they end or something is judged', async () => {
    const second = fc.integer({ min: -40, max: 95 })
    const aChange = fc.tuple(second, fc.constantFrom('up', 'up', 'warning', 'down', 'paused', 'none'))
    const aMonitorsPast = fc.record({
      changes: fc.uniqueArray(aChange, { selector: ([at]) => at, maxLength: 9 }),
      // asked from one region, and from a moment on from another
      asked: fc.tuple(fc.constantFrom('a', 'b'), fc.integer({ min: -60, max: 60 }), fc.constantFrom('a', 'b', 'c')),
      maintenance: fc.array(fc.tuple(second, fc.integer({ min: 1, max: 20 })), { maxLength: 2 }),
    })
    const someGaps = fc.array(fc.tuple(second, fc.integer({ min: 1, max: 30 }), fc.integer({ min: 1, max: 20 })), {
      maxLength: 4,
    })
    let runs = 0
    const pasts = fc.asyncProperty(
      fc.array(aMonitorsPast, { minLength: 1, maxLength: 4 }),
      someGaps,
      someGaps,
      async (pasts, ofA, ofB) => {
        const tenant = await given.tenant()
        const shard = shardOf(tenant.tenantId)
        const on = (s: number) => base + s * 1_000
        // of this test alone
        const suffix = `${randomUUID()}-${runs++}`
        // one after the other: a region is away once at a time
        const gapsOf = new Map(
          Object.entries({ a: ofA, b: ofB }).map(([region, wanted]) => {
            let end = -50
            const spans = wanted.map(([_, lasts, apart]) => {
              const from = end + apart
              end = from + lasts
              return { from, to: end }
            })
            return [region, spans] as const
          }),
        )
        // the last of them goes on
        for (const [region, spans] of gapsOf)
          for (const [n, { from, to }] of spans.entries())
            await platform.query(
              'insert into region_gaps (shard, regions, started_at, ended_at) values ($1, $2, $3, $4)',
              [
                shard,
                [`${region}-${suffix}`],
                new Date(on(from)),
                n === spans.length - 1 && from > 60 ? null : new Date(on(to)),
              ],
            )
        // for the tenants of another shard they were away all the time
        for (const region of gapsOf.keys())
          await platform.query('insert into region_gaps (shard, regions, started_at) values ($1, $2, $3)', [
            (shard + 1) % 64,
            [`${region}-${suffix}`],
            new Date(on(-45)),
          ])
        const expected: JudgedTime[][] = []
        const ids: string[] = []
        for (const { changes, asked, maintenance } of pasts) {
          const monitor = await aMonitor(tenant)
          ids.push(monitor.id)
          const sorted = changes.toSorted(([a], [b]) => a - b)
          await verdicts(
            tenant,
            monitor,
            sorted.map(([at, verdict]) => [new Date(on(at)), verdict] as const),
          )
          const inMaintenance = maintenance.map(([from, lasts]) => ({ from: on(from), to: on(from + lasts) }))
          await spans(tenant, monitor, inMaintenance)
          const [first, movedAt, second] = asked
          await platform.query(
            `insert into check_regions (check_id, tenant_id, since, ended_at, shard, regions) values
             ($1, $2, $3, $4, $5, $6), ($1, $2, $4, null, $5, $7)`,
            [
              ...[monitor.check, tenant.tenantId, new Date(on(-61)), new Date(on(movedAt)), shard],
              ...[[`${first}-${suffix}`], [`${second}-${suffix}`]],
            ],
          )
          // second by second, as if each check had written what it lost itself
          const verdictAt = (s: number) => sorted.findLast(([at]) => at <= s)?.[1]
          const isAway = (s: number): boolean => {
            for (const [region, spans] of gapsOf)
              for (const [n, { from, to }] of spans.entries()) {
                const isOpen = n === spans.length - 1 && from > 60
                const wasAsked = region === (from < movedAt ? first : second)
                const isSpoken = sorted.some(([at]) => at > from && at <= s)
                const isLost = ['up', 'warning', 'down'].includes(verdictAt(from) ?? '')
                if (wasAsked && isLost && !isSpoken && from <= s && (isOpen || s < to)) return true
              }
            return false
          }
          const written: Change[] = []
          for (let s = -60; s < 160; s++) {
            const verdict = isAway(s) ? 'none' : verdictAt(s)
            if (verdict !== undefined) written.push({ at: on(s), verdict })
          }
          const history = { changes: written, monitoringGaps: gaps, maintenance: inMaintenance }
          expected.push(windows.map(({ from, to }) => timeOf(judgedSpans(history, from, to))))
          const query = `from=${new Date(base).toISOString()}&to=${new Date(base + 60_000).toISOString()}`
          const { body } = await tenant.get(`/monitors/${monitor.id}/uptime?${query}`)
          expect(body.data.uptime_pct).toBe(uptimePct(expected.at(-1)![0]!))
          // the days of a badge end with a pause
          if (sorted.at(-1)?.[1] === 'paused') continue
          const ofBadge = timeOf(judgedSpans(history, base + 60_000 - 30 * dayMs, base + 60_000))
          const badge = await readBadgeStatus(platform, monitor.id, new Date(base + 60_000))
          expect(badge?.uptimePct).toBe(uptimePct(ofBadge))
        }
        const judged = await inTenant(tenant, db => readJudgedTime(db, [tenant.tenantId], ids, windows))
        expect(ids.map(id => judged.get(id)?.times)).toEqual(expected)
        const total = await inTenant(tenant, db => readTotalTime(db, { id: tenant.tenantId }, windows))
        const sum = (n: number, verdict: Judgement) => expected.reduce((all, times) => all + times[n]![verdict], 0)
        expect(total).toEqual(
          windows.map((_, n) => ({ up: sum(n, 'up'), warning: sum(n, 'warning'), down: sum(n, 'down') })),
        )
      },
    )
    await fc.assert(pasts, { numRuns: 60 })
  }, 120_000)

  test.each([1_998, 1_999, 2_000, 6_500])('more changes than are read at once are read to the end: %i', async count => {
    const tenant = await given.tenant()
    const monitor = await aMonitor(tenant)
    await verdicts(tenant, monitor, [[new Date(base - 200), 'paused']])
    // three of them at the same moment
    const changes = Array.from({ length: count }, (_, n) => ({
      at: base - 100 + Math.floor(n / 3) * 12,
      verdict: ['up', 'down', 'warning'][n % 3] as string,
    }))
    await platform.query(
      `insert into verdict_changes (tenant_id, monitor_id, check_id, at, verdict)
       select $1, $2, $3, to_timestamp(at / 1000), verdict from unnest($4::float8[], $5::text[]) as t (at, verdict)`,
      [tenant.tenantId, monitor.id, monitor.check, changes.map(({ at }) => at), changes.map(({ verdict }) => verdict)],
    )
    const maintenance = [{ from: base + 300, to: base + 2_000 }]
    await spans(tenant, monitor, maintenance)
    const judged = await inTenant(tenant, db => readJudgedTime(db, [tenant.tenantId], [monitor.id], windows))
    const all = [{ at: base - 200, verdict: 'paused' }, ...changes]
    expect(judged.get(monitor.id)?.times).toEqual(
      windows.map(({ from, to }) => timeOf(judgedSpans({ changes: all, monitoringGaps: gaps, maintenance }, from, to))),
    )
  })
})
