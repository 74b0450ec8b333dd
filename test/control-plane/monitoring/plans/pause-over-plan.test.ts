import { describe, expect, test } from 'vitest'
import { allShards } from '#control-plane/base/shards.ts'
import { Assembler } from '#control-plane/engine/assignments/assigned.ts'
import { readSome } from '#control-plane/engine/assignments/rows.ts'
import { pauseOverPlan } from '#control-plane/monitoring/plans/pause-over-plan.ts'
import { app, type CallerUnderTest, given } from '#test/support/app.ts'

const { platform } = app.services

const monitorsOf = async (team: CallerUnderTest, count: number) => {
  const { status, body } = await team.post('/monitors/bulk', {
    monitors: Array.from({ length: count }, (_, index) => ({
      name: `Shop ${index}`,
      url: `https://shop${index}.example.com/`,
    })),
  })
  expect(status).toBe(201)
  return (body.data as { id: string }[]).map(({ id }) => id)
}
const overLimitOf = async ({ tenantId }: CallerUnderTest) => {
  const { rows } = await platform.query<{ id: string }>(
    'select id from monitors where tenant_id = $1 and held_by_plan order by created_at, id',
    [tenantId],
  )
  return rows.map(({ id }) => id)
}
const setPlan = async ({ tenantId }: CallerUnderTest, plan: string) => {
  const client = await platform.connect()
  try {
    await client.query('begin')
    await client.query('update tenants set plan = $2 where id = $1', [tenantId, plan])
    const outcome = await pauseOverPlan(client, tenantId)
    await client.query('commit')
    return outcome
  } finally {
    client.release()
  }
}

describe('a plan that allows less', () => {
  test('puts the youngest on hold, deletes nothing, and gives them back when it allows more', async () => {
    const reseller = await given.reseller()
    const team = await given.team(reseller, { plan: 'pro' })
    const ids = await monitorsOf(team, 7)
    const put = (overrides: unknown) => reseller.put(`${team.path}/feature-overrides`, { overrides })

    await put({ monitors: 5 })
    expect(await overLimitOf(team)).toEqual(ids.slice(5))
    const { body } = await team.get(`/monitors/${ids[6]}`)
    expect(body.data).toMatchObject({
      held_by_plan: true,
      is_enabled: true,
      status: 'paused',
      status_reason: 'On hold: beyond the limits of the plan.',
      next_check_at: null,
    })
    expect((await team.get('/monitors')).body.meta.total).toBe(7)
    expect(await app.audited(team)).toContain('feature_overrides.updated')

    await put({ monitors: 6 })
    expect(await overLimitOf(team)).toEqual(ids.slice(6))
    await put({ monitors: 0 })
    expect(await overLimitOf(team)).toEqual(ids)
    await put({ monitors: null })
    expect(await overLimitOf(team)).toEqual([])
    expect((await team.get(`/monitors/${ids[6]}`)).body.data).toMatchObject({ held_by_plan: false, status: null })
  })

  test('is applied by every change of the plan; a second call changes nothing', async () => {
    const team = await given.tenant({ plan: 'pro' })
    const ids = await monitorsOf(team, 6)
    expect(await setPlan(team, 'free')).toEqual({ overLimit: [ids[5]], released: [] })
    expect(await setPlan(team, 'free')).toEqual({ overLimit: [], released: [] })
    expect(await setPlan(team, 'starter')).toEqual({ overLimit: [], released: [ids[5]] })
  })

  test('monitors over the plan limit are not checked', async () => {
    const team = await given.tenant({ plan: 'pro' })
    const ids = await monitorsOf(team, 6)
    const checked = async () =>
      (await readSome(platform, allShards, { monitors: [], tenants: [team.tenantId] }))
        .map(row => row.monitor_id)
        .sort()
    expect(await checked()).toEqual([...ids].sort())
    await setPlan(team, 'free')
    expect(await checked()).toEqual(ids.slice(0, 5).sort())
  })

  test('a place that is given up goes to the oldest on hold', async () => {
    const team = await given.tenant({ plan: 'pro' })
    const ids = await monitorsOf(team, 7)
    await setPlan(team, 'free')
    await team.delete(`/monitors/${ids[0]}`)
    expect(await overLimitOf(team)).toEqual([ids[6]])
    await team.delete(`/monitors/${ids[6]}`)
    expect(await overLimitOf(team)).toEqual([])
  })

  test('intervals and regions are clamped when work is given out, and stay as they were asked for', async () => {
    const reseller = await given.reseller()
    const team = await given.team(reseller, { plan: 'pro' })
    const regions = ['ap-south', 'eu-west', 'us-east']
    const { body } = await team.post('/monitors', {
      name: 'Shop',
      url: 'https://shop.example.com/',
      check_interval: 30,
      regions,
    })
    await reseller.put(`${team.path}/feature-overrides`, {
      overrides: { min_check_interval: 600, regions_per_monitor: 2 },
    })
    const [row] = await readSome(platform, allShards, { monitors: [body.data.id], tenants: [] })
    const assigned = new Assembler(app.services.config).assemble(row!, regions)
    expect(assigned?.rules.intervalMs).toBe(600_000)
    expect(assigned?.rules.regions).toHaveLength(2)
    expect((await team.get(`/monitors/${body.data.id}`)).body.data).toMatchObject({ check_interval: 30, regions })
    expect((await team.patch(`/monitors/${body.data.id}`, { check_interval: 599 })).body.errors).toHaveProperty(
      'check_interval',
    )
    expect((await team.patch(`/monitors/${body.data.id}`, { check_interval: 600 })).status).toBe(200)
  })

  test('a downgrade among creates leaves no more running than it allows', async () => {
    const reseller = await given.reseller()
    const team = await given.team(reseller, { plan: 'pro' })
    const creates = Array.from({ length: 12 }, (_, index) =>
      team.post('/monitors', { name: `Shop ${index}`, url: 'https://shop.example.com/' }),
    )
    const lowered = reseller.put(`${team.path}/feature-overrides`, { overrides: { monitors: 3 } })
    for (const { status } of await Promise.all([...creates, lowered])) expect([200, 201, 422]).toContain(status)
    const { rows } = await platform.query(
      'select count(*) filter (where not held_by_plan)::int as running from monitors where tenant_id = $1',
      [team.tenantId],
    )
    expect(rows[0].running).toBeLessThanOrEqual(3)
  })
})

describe('/plan/kept-monitors', () => {
  test('the owner chooses who is kept', async () => {
    const team = await given.tenant({ plan: 'pro' })
    const ids = await monitorsOf(team, 7)
    expect((await team.get('/plan/kept-monitors')).body.data).toEqual({
      limit: 200,
      chosen: [],
      kept: ids,
      on_hold: [],
    })
    await setPlan(team, 'free')
    const chosen = [ids[5], ids[6]]
    const { status, body } = await team.put('/plan/kept-monitors', {
      monitor_ids: [ids[6], ids[5]?.toUpperCase(), ids[6]],
    })
    expect(status).toBe(200)
    expect(body.data).toEqual({ limit: 5, chosen, kept: [...chosen, ...ids.slice(0, 3)], on_hold: ids.slice(3, 5) })
    expect(await overLimitOf(team)).toEqual(ids.slice(3, 5))
    expect((await team.get('/plan/kept-monitors')).body).toEqual(body)
    expect((await app.audited(team)).filter(action => action === 'plan.kept_monitors_changed')).toHaveLength(1)

    expect((await team.put('/plan/kept-monitors', { monitor_ids: [] })).body.data.on_hold).toEqual(ids.slice(5))
    await setPlan(team, 'pro')
    expect(await overLimitOf(team)).toEqual([])
  })

  test('with the scope to write monitors, also on the reseller’s path', async () => {
    const reseller = await given.reseller({ scopes: ['monitors:write', 'monitors:read'] })
    const team = await given.team(reseller)
    const ids = await monitorsOf(team, 2)
    expect((await reseller.put(`${team.path}/plan/kept-monitors`, { monitor_ids: [ids[1]] })).body.data.chosen).toEqual(
      [ids[1]],
    )
    expect((await reseller.get(`${team.path}/plan/kept-monitors`)).body.data.chosen).toEqual([ids[1]])
    expect((await (await given.colleague(team, 'member')).put('/plan/kept-monitors', { monitor_ids: [] })).status).toBe(
      200,
    )
    expect((await (await given.colleague(team, 'viewer')).put('/plan/kept-monitors', { monitor_ids: [] })).status).toBe(
      403,
    )
    expect((await (await given.reseller()).put(`${team.path}/plan/kept-monitors`, { monitor_ids: [] })).status).toBe(
      403,
    )
    expect((await given.stranger().get('/plan/kept-monitors')).status).toBe(401)
  })

  test('no more than the plan allows, and the own monitors only', async () => {
    const team = await given.tenant({ plan: 'free' })
    const ids = await monitorsOf(team, 5)
    expect((await team.put('/plan/kept-monitors', { monitor_ids: ids })).status).toBe(200)
    const other = await given.tenant()
    const [theirs] = await monitorsOf(other, 1)
    const foreign = await team.put('/plan/kept-monitors', { monitor_ids: [ids[0], theirs] })
    expect(foreign.body.errors).toEqual({ 'monitor_ids.1': ['Monitor not found.'] })
    await platform.query(`update tenants set feature_overrides = '{"monitors":4}' where id = $1`, [team.tenantId])
    expect((await team.put('/plan/kept-monitors', { monitor_ids: ids })).body.errors).toEqual({
      monitor_ids: ['The plan allows 4 monitors.'],
    })
    for (const monitor_ids of [null, undefined, 'x', ['x'], [null], {}])
      expect((await team.put('/plan/kept-monitors', { monitor_ids })).status).toBe(422)
  })
})
