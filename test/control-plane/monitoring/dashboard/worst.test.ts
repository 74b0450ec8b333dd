import { describe, expect, test } from 'vitest'
import { aMonitor, minutesAgo, spans, storeResults, verdicts } from '#test/control-plane/monitoring/monitored.ts'
import { app, type CallerUnderTest, given } from '#test/support/app.ts'

/** A monitor that was down for so many of the last hundred minutes. */
async function aMonitorDown(owner: CallerUnderTest, name: string, minutes: number) {
  const monitor = await aMonitor(owner, { name })
  const changes: [Date, string][] = [[minutesAgo(100), 'up']]
  if (minutes > 0) changes.push([minutesAgo(60), 'down'], [minutesAgo(60 - minutes), 'up'])
  await verdicts(owner, monitor, changes)
  return monitor
}

const namesOf = (body: { data: { name: string }[] }) => body.data.map(({ name }) => name)

describe('GET /dashboard/worst-monitors', () => {
  test('compares all monitors of the team, also where the worst one is older than a hundred others', async () => {
    const team = await given.tenant()
    await aMonitorDown(team, 'worst', 50)
    await aMonitorDown(team, 'second', 20)
    await app.services.platform.query(
      `with made as (
         insert into monitors (id, tenant_id, name, url, type, check_interval, timeout, region_policy, confirmations,
           recovery_confirmations)
         select gen_random_uuid(), $1, 'well ' || n, 'https://shop.example/', 'website', 60, 10, '{}', 2, 2
         from generate_series(1, 230) n returning id
       ), checked as (
         insert into checks (id, tenant_id, monitor_id, type, severity, created_at)
         select gen_random_uuid(), $1, id, 'uptime', 'critical', now() - interval '1 day' from made
         returning id, monitor_id
       )
       insert into verdict_changes (tenant_id, monitor_id, check_id, at, verdict)
       select $1, monitor_id, id, now() - interval '1 hour', 'up' from checked`,
      [team.tenantId],
    )
    const { status, body } = await team.get('/dashboard/worst-monitors')
    expect([status, namesOf(body)]).toEqual([200, ['worst', 'second']])
    expect(body.data[0]).toMatchObject({ uptime_30d: expect.closeTo(50, 0), total_checks: 0, avg_response_ms: null })
    expect(
      body.data.map(({ uptime_30d }: { uptime_30d: number }) => uptime_30d).every((pct: number) => pct < 100),
    ).toBe(true)
  })

  test('lists the lowest uptime first, of equals the slower one, and as many as asked for', async () => {
    const team = await given.tenant()
    for (const [name, minutes, ms] of [
      ['a', 5, 100],
      ['b', 40, 100],
      ['c', 10, 100],
      ['d', 10, 900],
      ['e', 30, 100],
      ['f', 20, 100],
    ] as const) {
      const monitor = await aMonitorDown(team, name, minutes)
      await storeResults(team, monitor, [{ at: minutesAgo(10), ms }])
    }
    const all = (await team.get('/dashboard/worst-monitors?limit=20')).body
    const sorted = all.data.toSorted(
      (one: { uptime_30d: number; avg_response_ms: number }, other: { uptime_30d: number; avg_response_ms: number }) =>
        one.uptime_30d - other.uptime_30d || other.avg_response_ms - one.avg_response_ms,
    )
    expect([namesOf(all).slice(0, 3), namesOf(all)]).toEqual([['b', 'e', 'f'], namesOf({ data: sorted })])
    expect(namesOf((await team.get('/dashboard/worst-monitors')).body)).toHaveLength(5)
    expect(namesOf((await team.get('/dashboard/worst-monitors?limit=2')).body)).toEqual(['b', 'e'])
    expect((await team.get('/dashboard/worst-monitors?limit=21')).status).toBe(422)
  })

  test('counts an outage that began before the thirty days, and none in maintenance or of another team', async () => {
    const [team, other] = [await given.tenant(), await given.tenant()]
    const longDown = await aMonitor(team, { name: 'long down' })
    await verdicts(team, longDown, [[minutesAgo(45 * 1_440), 'down']])
    const planned = await aMonitorDown(team, 'planned', 20)
    await spans(team, planned, [{ from: minutesAgo(70).getTime(), to: minutesAgo(30).getTime() }])
    const longUp = await aMonitor(team, { name: 'up again before' })
    await verdicts(team, longUp, [
      [minutesAgo(45 * 1_440), 'down'],
      [minutesAgo(40 * 1_440), 'up'],
    ])
    await aMonitor(team, { name: 'never checked' })
    await aMonitorDown(other, 'of another team', 20)
    expect(namesOf((await team.get('/dashboard/worst-monitors')).body)).toEqual(['long down'])
  })

  test('is empty where every monitor was up', async () => {
    const team = await given.tenant()
    await aMonitorDown(team, 'well', 0)
    expect((await team.get('/dashboard/worst-monitors')).body).toEqual({ data: [] })
  })
})
