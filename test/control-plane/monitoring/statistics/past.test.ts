import { randomUUID } from 'node:crypto'
import fc from 'fast-check'
import pg from 'pg'
import { expect, test } from 'vitest'
import { shardOf } from '#contract/shards.ts'
import { dayMs } from '#control-plane/monitoring/statistics/judged-time.ts'
import { readTotalTime } from '#control-plane/monitoring/statistics/total-time.ts'
import { aMonitor, anIncident } from '#test/control-plane/monitoring/monitored.ts'
import { app, given } from '#test/support/app.ts'

const { platform, clock } = app.services
const base = Date.parse('2025-09-01T00:00:00Z')
const seconds = 60
const on = (s: number) => new Date(base + s * 1_000)
const severities = ['critical', 'major', 'minor', 'warning'] as const

const second = fc.integer({ min: -20, max: seconds + 10 })
/** A change of a check, with what it weighs from then on. */
const aChange = fc.record({
  at: second,
  verdict: fc.constantFrom('up', 'up', 'warning', 'down', 'down', 'paused', 'none'),
  severity: fc.constantFrom(...severities),
})
const aCheck = fc.record({
  changes: fc.uniqueArray(aChange, { selector: ({ at }) => at, maxLength: 7 }),
  region: fc.constantFrom('a', 'b'),
  // when it was removed; null: it is still there
  removedAt: fc.option(second),
  // which of its changes arrive late, after all others
  isLate: fc.boolean(),
})
const gapsOfRegion = fc.array(fc.tuple(fc.integer({ min: 1, max: 25 }), fc.integer({ min: 1, max: 15 })), {
  maxLength: 3,
})

test('uptime is the time in which no critical or major check was down, whatever is edited or removed later', async () => {
  const pasts = fc.asyncProperty(
    fc.array(aCheck, { minLength: 1, maxLength: 4 }),
    gapsOfRegion,
    gapsOfRegion,
    async (checks, ofA, ofB) => {
      const tenant = await given.tenant()
      const shard = shardOf(tenant.tenantId)
      const suffix = randomUUID()
      const away = new Map(
        Object.entries({ a: ofA, b: ofB }).map(([region, wanted]) => {
          let end = -15
          const spans = wanted.map(([lasts, apart]) => {
            const from = end + apart
            end = from + lasts
            return { from, to: end }
          })
          return [region, spans] as const
        }),
      )
      for (const [region, spans] of away)
        for (const { from, to } of spans)
          await platform.query(
            'insert into region_gaps (shard, regions, started_at, ended_at) values ($1, $2, $3, $4)',
            [shard, [`${region}-${suffix}`], on(from), on(to)],
          )
      const monitor = await aMonitor(tenant, { kinds: ['uptime', 'tcp', 'ping', 'ssl'].slice(0, checks.length) })
      const histories = checks.map(({ changes, removedAt, ...check }, n) => ({
        ...check,
        id: monitor.checks[n]!,
        removedAt,
        changes: changes
          .filter(({ at }) => removedAt === null || at < removedAt)
          .toSorted((one, other) => one.at - other.at),
      }))
      for (const { id, region } of histories)
        await platform.query(
          'insert into check_regions (check_id, tenant_id, since, shard, regions) values ($1, $2, $3, $4, $5)',
          [id, tenant.tenantId, on(-30), shard, [`${region}-${suffix}`]],
        )
      const write = (id: string, rows: readonly { at: number; verdict: string; severity: string }[]) =>
        platform.query(
          `insert into verdict_changes (tenant_id, monitor_id, check_id, at, verdict, severity)
           select $1, $2, $3, at, verdict, severity
           from unnest($4::timestamptz[], $5::text[], $6::text[]) as t (at, verdict, severity)`,
          [
            ...[tenant.tenantId, monitor.id, id, rows.map(({ at }) => on(at))],
            ...[rows.map(({ verdict }) => verdict), rows.map(({ severity }) => severity)],
          ],
        )
      for (const { id, changes, isLate } of histories) if (!isLate) await write(id, changes)
      for (const { id, removedAt } of histories)
        if (removedAt !== null) {
          await platform.query('delete from checks where id = $1', [id])
          // as if it had been removed then
          await platform.query(`delete from verdict_changes where check_id = $1 and verdict = 'removed'`, [id])
          await write(id, [{ at: removedAt, verdict: 'removed', severity: 'critical' }])
        }
      for (const { id, changes, isLate } of histories.toReversed()) if (isLate) await write(id, changes)

      // by the second
      const judgedAt = (s: number) => {
        const judged = histories.flatMap(({ changes, region, removedAt }) => {
          const last = changes.findLast(({ at }) => at <= s)
          if (!last || !['up', 'warning', 'down'].includes(last.verdict) || (removedAt !== null && s >= removedAt))
            return []
          const isAway = (away.get(region) ?? []).some(
            gap =>
              gap.from <= s &&
              s < gap.to &&
              ['up', 'warning', 'down'].includes(changes.findLast(({ at }) => at <= gap.from)?.verdict ?? '') &&
              !changes.some(({ at }) => at > gap.from && at <= s),
          )
          const isHeavy = ['critical', 'major'].includes(last.severity)
          return { isAway, counts: last.verdict === 'down' && !isHeavy ? 'warning' : last.verdict }
        })
        if (judged.every(({ isAway }) => isAway)) return null
        return ['down', 'warning', 'up'].find(verdict => judged.some(({ counts }) => counts === verdict)) ?? null
      }
      const count = { up: 0, warning: 0, down: 0 }
      for (let s = 0; s < seconds; s++) {
        const verdict = judgedAt(s)
        if (verdict === 'up' || verdict === 'warning' || verdict === 'down') count[verdict]++
      }
      const query = `from=${on(0).toISOString()}&to=${on(seconds).toISOString()}`
      const { body } = await tenant.get(`/monitors/${monitor.id}/uptime?${query}`)
      // the team has no other monitor
      const window = { from: on(0).getTime(), to: on(seconds).getTime() }
      expect(await readTotalTime(platform, { id: tenant.tenantId }, [window])).toEqual([
        { up: count.up * 1_000, warning: count.warning * 1_000, down: count.down * 1_000 },
      ])
      const total = count.up + count.warning + count.down
      expect(body.data).toMatchObject({
        up_s: count.up,
        warning_s: count.warning,
        downtime_s: count.down,
        uptime_pct: total === 0 ? null : Math.floor(((count.up + count.warning) / total) * 1e6) / 1e4,
      })
    },
  )
  await fc.assert(pasts, { numRuns: Number(process.env.PASTS ?? 150) })
}, 300_000)

test('no edit of today changes a figure of the past', async () => {
  const done = new Set<string>()
  const now = clock.nowMs()
  const ago = (days: number) => new Date(now - days * dayMs)
  const kinds = [
    'disable',
    'enable',
    'severity',
    'delete',
    'add',
    'slo',
    'monitor off',
    'monitor on',
    'address',
  ] as const
  const edits = fc.array(fc.constantFrom(...kinds), { minLength: 1, maxLength: 6 })
  const property = fc.asyncProperty(
    edits,
    fc.array(fc.nat(99), { minLength: 6, maxLength: 6 }),
    async (wanted, dice) => {
      const tenant = await given.tenant()
      const monitor = await aMonitor(tenant, { kinds: ['uptime', 'tcp', 'ssl'] })
      const [uptime, tcp] = monitor.checks
      await platform.query('update monitors set created_at = $2 where id = $1', [monitor.id, ago(60)])
      const change = (check: string | undefined, at: Date, verdict: string) =>
        platform.query(
          `insert into verdict_changes (tenant_id, monitor_id, check_id, at, verdict) values ($1, $2, $3, $4, $5)`,
          [tenant.tenantId, monitor.id, check, at, verdict],
        )
      await change(uptime, ago(60), 'up')
      await change(tcp, ago(59), 'up')
      await change(uptime, ago(50), 'down')
      await change(uptime, ago(49.5), 'up')
      await change(tcp, ago(20), 'down')
      await change(tcp, ago(19.75), 'warning')
      await anIncident(tenant, {
        monitor: { id: monitor.id, check: uptime! },
        startedAt: ago(50),
        resolvedAt: ago(49.5),
      })
      const day = (days: number) => ago(days).toISOString().slice(0, 10)
      const month = ago(50).toISOString().slice(0, 7)
      const ofMonthly = (row: Record<string, unknown>) =>
        ['uptime_pct', 'downtime_s', 'incidents_count', 'longest_s', 'no_data_s'].map(name => row[name])
      const figures = async () => {
        const [uptimeOf, report, monthly, batch] = await Promise.all([
          tenant.get(`/monitors/${monitor.id}/uptime?from=${day(61)}&to=${day(2)}`),
          tenant.get(`/monitors/${monitor.id}/report?from=${day(61)}&to=${day(2)}`),
          tenant.get(`/monthly-report?month=${month}`),
          tenant.post('/monitors/uptime-batch', { monitor_ids: [monitor.id], days: 61 }),
        ])
        expect([uptimeOf.status, report.status, monthly.status, batch.status]).toEqual([200, 200, 200, 200])
        const { check_id: _, ...judged } = uptimeOf.body.data
        const ofMonth = monthly.body.data.monitors.find((row: { monitor_id: string }) => row.monitor_id === monitor.id)
        return {
          judged,
          daily: report.body.data.daily.map((row: { date: string; uptime_pct: number; downtime_s: number }) => [
            row.date,
            row.uptime_pct,
            row.downtime_s,
          ]),
          overall: [report.body.data.overall.uptime_pct, report.body.data.overall.downtime_s],
          month: ofMonthly(ofMonth),
          batch: ['up_s', 'warning_s', 'downtime_s', 'no_data_s'].map(name =>
            batch.body.data.monitors[0][name].slice(0, -2),
          ),
        }
      }
      const before = await figures()
      expect(before.judged.downtime_s).toBe(0.75 * 86_400)
      for (const [n, edit] of wanted.entries()) {
        const { body } = await tenant.get(`/monitors/${monitor.id}`)
        const checks: { id: string }[] =
          body.data.checks ?? (await tenant.get(`/monitors/${monitor.id}/checks`)).body.data
        const some = checks[dice[n]! % Math.max(1, checks.length)]?.id
        const answer = await {
          'monitor off': () => tenant.patch(`/monitors/${monitor.id}`, { is_enabled: false }),
          'monitor on': () => tenant.patch(`/monitors/${monitor.id}`, { is_enabled: true }),
          address: () => tenant.patch(`/monitors/${monitor.id}`, { url: `https://${randomUUID()}.example/` }),
          slo: () => tenant.patch(`/monitors/${monitor.id}`, { slo: { target_pct: 99.5, window_days: 30 } }),
          add: () => tenant.post(`/monitors/${monitor.id}/checks`, { type: 'ping' }),
          delete: () => tenant.delete(`/checks/${some}`),
          severity: () => tenant.patch(`/checks/${some}`, { severity: severities[dice[n]! % 4] }),
          enable: () => tenant.post(`/checks/${some}/enable`),
          disable: () => tenant.post(`/checks/${some}/disable`),
        }[edit]()
        expect(answer.status, JSON.stringify(answer.body)).toBeLessThan(500)
        if (answer.status < 300) done.add(edit)
      }
      expect(await figures()).toEqual(before)
    },
  )
  await fc.assert(property, { numRuns: 25 })
  expect([...done].sort()).toEqual([...kinds].sort())
}, 300_000)

test('a window that begins before the update to formula 3 says that it was judged by formula 2', async () => {
  const owner = new pg.Client({ connectionString: app.stores.ownerUrl })
  await owner.connect()
  const versionAt = async (at: string) =>
    (await owner.query('select uptime_formula($1::timestamptz) as version', [at])).rows[0].version
  try {
    await owner.query('begin')
    // an installation that was made with both has one formula only
    expect(await versionAt('2020-01-01')).toBe(3)
    await owner.query(`update schema_migrations set applied_at = '2026-02-01' where name = '0072-monitor-changes'`)
    await owner.query(`update schema_migrations set applied_at = '2025-01-01' where name = '0001-baseline'`)
    expect([await versionAt('2026-01-31'), await versionAt('2026-02-01')]).toEqual([2, 3])
  } finally {
    await owner.query('rollback')
    await owner.end()
  }
})
