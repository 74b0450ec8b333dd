import { expect, test } from 'vitest'
import { deleteOldVerdicts } from '#control-plane/engine/verdicts/retention.ts'
import { aMonitor, verdicts } from '#test/control-plane/monitoring/monitored.ts'
import { app, type CallerUnderTest, given } from '#test/support/app.ts'

const { platform, clock } = app.services
const dayMs = 86_400_000
const now = clock.nowMs()
const ago = (days: number) => new Date(now - days * dayMs)
const keeping = (team: CallerUnderTest, days: number) =>
  platform.query('update tenants set feature_overrides = $2 where id = $1', [
    team.tenantId,
    JSON.stringify({ data_retention_days: days }),
  ])
const left = async (check: string) => {
  const { rows } = await platform.query<{ verdict: string }>(
    'select verdict from verdict_changes where check_id = $1 order by at, id',
    [check],
  )
  return rows.map(({ verdict }) => verdict)
}

test('changes of verdicts leave when the plan keeps no data of then, but for the last before, and not within 400 days', async () => {
  const [short, long] = [await given.tenant(), await given.tenant()]
  await keeping(short, 7)
  await keeping(long, 800)
  const changes = [
    [ago(900), 'up'],
    [ago(850), 'down'],
    [ago(820), 'up'],
    [ago(500), 'down'],
    [ago(450), 'warning'],
    [ago(399), 'up'],
    [ago(20), 'down'],
  ] as const
  const [ofShort, ofLong, resting] = [await aMonitor(short), await aMonitor(long), await aMonitor(short)]
  await verdicts(short, ofShort, changes)
  await verdicts(long, ofLong, changes)
  // its state of today is as old as this
  await verdicts(short, resting, [
    [ago(900), 'up'],
    [ago(890), 'paused'],
  ])
  const uptime = async (days: number) =>
    (await short.get(`/monitors/${ofShort.id}/uptime?from=${ago(days).toISOString()}&to=${ago(1).toISOString()}`)).body
      .data.uptime_pct
  const before = [await uptime(400), await uptime(30)]
  const deleted: number[] = []
  await deleteOldVerdicts({ platform, onDeleted: count => void deleted.push(count) })
  expect(await left(ofShort.check)).toEqual(['warning', 'up', 'down'])
  expect(await left(ofLong.check)).toEqual(['up', 'down', 'warning', 'up', 'down'])
  expect(await left(resting.check)).toEqual(['paused'])
  expect(deleted.reduce((sum, count) => sum + count, 0)).toBeGreaterThanOrEqual(7)
  expect([await uptime(400), await uptime(30)]).toEqual(before)
})

test('many old changes of one check leave batch by batch, and a stop ends the work', async () => {
  const team = await given.tenant()
  const monitor = await aMonitor(team)
  await platform.query(
    `insert into verdict_changes (tenant_id, monitor_id, check_id, at, verdict)
     select $1, $2, $3, now() - interval '500 days' + n * interval '1 second', 'up' from generate_series(1, 12000) n`,
    [team.tenantId, monitor.id, monitor.check],
  )
  const counts: number[] = []
  // other tests have checks before this one, some with old changes of their own
  const isStopped = () => counts.includes(5_000)
  await deleteOldVerdicts({ platform, onDeleted: count => void counts.push(count), isStopped })
  expect(counts.at(-1)).toBe(5_000)
  expect((await left(monitor.check)).length).toBeGreaterThanOrEqual(7_000)
  expect((await left(monitor.check)).length).toBeLessThan(12_000)
  await deleteOldVerdicts({ platform })
  expect(await left(monitor.check)).toHaveLength(1)
})

test('the regions that a check was asked from, and their gaps, leave with what they say', async () => {
  const team = await given.tenant()
  const monitor = await aMonitor(team)
  await platform.query(
    `insert into check_regions (check_id, tenant_id, since, ended_at, shard, regions) values
     ($1, $2, now() - interval '900 days', now() - interval '401 days', 1, '{retention-a}'),
     ($1, $2, now() - interval '401 days', now() - interval '399 days', 1, '{retention-b}'),
     ($1, $2, now() - interval '399 days', null, 1, '{retention-c}')`,
    [monitor.check, team.tenantId],
  )
  await platform.query(
    `insert into region_gaps (shard, regions, started_at, ended_at) values
     (1, '{retention-a}', now() - interval '3700 days', now() - interval '3651 days'),
     (1, '{retention-b}', now() - interval '3700 days', now() - interval '3649 days'),
     (1, '{retention-c}', now() - interval '3700 days', null)`,
  )
  await deleteOldVerdicts({ platform })
  const regionsOf = async (table: string) =>
    (
      await platform.query(`select regions[1] as r from ${table} where regions[1] like 'retention-%' order by 1`)
    ).rows.map(({ r }) => r)
  expect(await regionsOf('check_regions')).toEqual(['retention-b', 'retention-c'])
  expect(await regionsOf('region_gaps')).toEqual(['retention-b', 'retention-c'])
})
