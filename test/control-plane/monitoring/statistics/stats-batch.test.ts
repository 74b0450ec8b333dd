import { describe, expect, test } from 'vitest'
import { aMonitor, minutesAgo, storeResults, verdicts } from '#test/control-plane/monitoring/monitored.ts'
import { app, type CallerUnderTest, given } from '#test/support/app.ts'

/** A monitor with one result that took so long, up for half of the last hundred minutes. */
async function aMeasuredMonitor(owner: CallerUnderTest, ms: number) {
  const monitor = await aMonitor(owner)
  await storeResults(owner, monitor, [{ at: minutesAgo(10), ms }])
  await verdicts(owner, monitor, [
    [minutesAgo(100), 'up'],
    [minutesAgo(50), 'down'],
  ])
  return monitor.id
}

const idsOf = (body: { data: { monitor_id: string }[] }) => body.data.map(({ monitor_id }) => monitor_id)

describe('POST /monitors/stats-batch with a reseller’s token', () => {
  test('answers for the monitors of all its teams, in the order they were named', async () => {
    const reseller = await given.reseller({ scopes: ['monitors:read'] })
    const teams = [await given.team(reseller), await given.team(reseller), await given.team(reseller)]
    const ids: string[] = []
    for (const [n, team] of teams.entries()) for (const ms of [100, 200]) ids.push(await aMeasuredMonitor(team, ms + n))
    const named = ids.toReversed()
    const { status, body } = await reseller.post('/monitors/stats-batch', { monitor_ids: named })
    expect(status).toBe(200)
    const responses = new Map(ids.map((id, n) => [id, (n % 2 === 0 ? 100 : 200) + Math.floor(n / 2)]))
    expect(body.data).toEqual(
      named.map(id => ({
        monitor_id: id,
        uptime_30d: expect.closeTo(50, 0),
        avg_response_ms: responses.get(id),
        total_checks: 1,
      })),
    )
    // a team’s own people read of their team alone, also just after the reseller has
    expect(idsOf((await teams[0]!.post('/monitors/stats-batch', { monitor_ids: ids })).body)).toEqual(ids.slice(0, 2))
  })

  test('leaves out the monitors of other resellers, of deleted and of detached teams', async () => {
    const [reseller, other] = [await given.reseller(), await given.reseller()]
    const [kept, deleted, gone, foreign] = [
      await given.team(reseller),
      await given.team(reseller),
      await given.team(reseller),
      await given.team(other),
    ]
    const ids: string[] = []
    for (const team of [kept, deleted, gone, foreign, await given.tenant()]) ids.push((await aMonitor(team)).id)
    const read = async () => idsOf((await reseller.post('/monitors/stats-batch', { monitor_ids: ids })).body)
    expect(await read()).toEqual(ids.slice(0, 3))
    const { rows } = await app.services.platform.query<{ name: string }>(
      'select name from managed_teams where id = $1',
      [deleted.id],
    )
    expect((await reseller.delete(deleted.path, { confirm_name: rows[0]!.name })).status).toBe(204)
    expect((await reseller.post(`${gone.path}/decouple`)).status).toBeLessThan(300)
    expect(await read()).toEqual(ids.slice(0, 1))
  })

  test('takes 200 monitors of as many teams', async () => {
    const reseller = await given.reseller()
    const { platform } = app.services
    const { rows } = await platform.query<{ id: string }>(
      `with made as (
         insert into tenants (id, name, slug)
         select gen_random_uuid(), 'Team', gen_random_uuid()::text from generate_series(1, 200) returning id
       ), managed as (
         insert into managed_teams (id, reseller_id, tenant_id, name, slug, plan, public_id, created_at, updated_at)
         select gen_random_uuid(), $1, id, 'Team', id::text, 'free', left('T-' || id::text, 20), now(), now() from made
       )
       insert into monitors (
         id, tenant_id, name, url, type, check_interval, timeout, region_policy, confirmations, recovery_confirmations
       )
       select gen_random_uuid(), id, 'Shop', 'https://shop.example/', 'website', 60, 10, '{}', 2, 2
       from made returning id`,
      [reseller.tenantId],
    )
    const ids = rows.map(({ id }) => id)
    expect(idsOf((await reseller.post('/monitors/stats-batch', { monitor_ids: ids })).body)).toEqual(ids)
  })
})
