import { describe, expect, test } from 'vitest'
import { databaseCalendar } from '#control-plane/base/calendar.ts'
import { advanceTrial } from '#control-plane/reselling/managed-teams/trial.ts'
import { app, type CallerUnderTest, given } from '#test/support/app.ts'

const { platform } = app.services
const shop = { name: 'Shop', url: 'https://shop.example.com/' }

const quotaEvents = async ({ tenantId }: { tenantId: string }) => {
  const { rows } = await platform.query<{ name: string; payload: Record<string, unknown> }>(
    `select name, payload from outbox where tenant_id = $1 and name like 'tenant.quota%' order by id`,
    [tenantId],
  )
  return rows
}
/** As if the last word of a quota had been said so long ago. */
const later = (of: { tenantId: string }, interval: string) =>
  platform.query('update quota_notices set notified_at = clock_timestamp() - $2::interval where tenant_id = $1', [
    of.tenantId,
    interval,
  ])

/** The same call so many times, so many of them side by side, from as many addresses as need be. */
async function storm(
  times: number,
  width: number,
  call: (nth: number) => Promise<{ status: number }>,
): Promise<Record<number, number>> {
  const statuses: Record<number, number> = {}
  let next = 0
  await Promise.all(
    Array.from({ length: width }, async () => {
      while (next < times) {
        const { status } = await call(next++)
        statuses[status] = (statuses[status] ?? 0) + 1
      }
    }),
  )
  return statuses
}

/** Tokens enough that no rate stands in the way. */
const tokensOf = (team: CallerUnderTest, count: number) =>
  Promise.all(Array.from({ length: count }, () => given.token(team, 'sk', ['monitors:manage', 'settings:manage'])))

describe('the limit of a plan', () => {
  test('says what is limited, how many there are, and how many there may be', async () => {
    const team = await given.tenant({ overrides: { monitors: 1 } })
    await team.post('/monitors', shop)
    const { status, body } = await team.post('/monitors', shop)
    expect(status).toBe(422)
    expect(body).toMatchObject({
      code: 'plan_limit',
      quota: 'monitors',
      current: 1,
      limit: 1,
      errors: { monitors: ['The plan allows 1 monitors, there are 1.'] },
    })
  })

  test.each([
    [100, 9, 10],
    [50, 0, 10],
  ])('%i creates at once with %i of %i there leave exactly so many', async (creates, there, limit) => {
    const team = await given.tenant({ overrides: { monitors: limit } })
    for (let n = 0; n < there; n++) await team.post('/monitors', shop)
    expect(await storm(creates, creates, () => team.post('/monitors', shop))).toEqual({
      201: limit - there,
      422: creates - limit + there,
    })
    expect((await team.get('/plan')).body.data.usage.monitors).toBe(limit)
  })

  test('holds for keys of the team as well, not for those that replace others', async () => {
    const reseller = await given.reseller()
    const team = await given.team(reseller, { overrides: { api_keys: 1 } })
    const key = { name: 'key', scopes: ['monitors:read'] }
    const made = await Promise.all(Array.from({ length: 10 }, () => team.post('/api-keys', key)))
    expect(made.filter(({ status }) => status === 201)).toHaveLength(1)
    expect(made.find(({ status }) => status === 422)?.body).toMatchObject({
      code: 'plan_limit',
      quota: 'api_keys',
      current: 1,
      limit: 1,
    })
    expect((await quotaEvents(team)).map(({ name }) => name).sort()).toEqual([
      'tenant.quota_exceeded',
      'tenant.quota_warning',
    ])
    const { id } = made.find(({ status }) => status === 201)!.body.data
    expect((await team.post(`/api-keys/${id}/rotate`, {})).status).toBe(201)
    expect((await team.get('/plan')).body.data.usage.api_keys).toBe(1)
    expect((await reseller.post(`${team.path}/api-keys`, key)).status).toBe(422)
  })

  test('counts by the plan of this moment, not by that of the access check', async () => {
    const team = await given.tenant({ plan: 'free' })
    expect((await team.post('/monitors/bulk', { monitors: Array(6).fill(shop) })).status).toBe(422)
    await platform.query(`update tenants set plan = 'hobby' where id = $1`, [team.tenantId])
    expect((await team.post('/monitors/bulk', { monitors: Array(6).fill(shop) })).status).toBe(201)
  })
})

describe('tenant.quota_exceeded', () => {
  test('is emitted when a create is refused, although nothing was created', async () => {
    const team = await given.team(await given.reseller(), { overrides: { monitors: 2 } })
    await team.post('/monitors', shop)
    expect((await team.post('/monitors/bulk', { monitors: [shop, shop] })).status).toBe(422)
    expect(await quotaEvents(team)).toEqual([
      {
        name: 'tenant.quota_exceeded',
        payload: { tenant_id: team.tenantId, feature: 'monitors', current_count: 1, limit: 2, usage_pct: 50 },
      },
    ])
    expect((await team.get('/plan')).body.data.usage.monitors).toBe(1)
  })

  test('once in six hours for a team and a feature, under a thousand refused creates', async () => {
    const team = await given.team(await given.reseller(), { overrides: { monitors: 0 } })
    const callers = await tokensOf(team, 10)
    expect(await storm(1_000, 20, nth => callers[nth % 10]!.post('/monitors', shop))).toEqual({ 422: 1_000 })
    expect(await quotaEvents(team)).toHaveLength(1)
    expect((await quotaEvents(team))[0]?.payload.usage_pct).toBe(100)

    await later(team, '5 hours 50 minutes')
    await team.post('/monitors', shop)
    expect(await quotaEvents(team)).toHaveLength(1)
    await later(team, '6 hours 1 second')
    await storm(20, 20, () => team.post('/monitors', shop))
    expect(await quotaEvents(team)).toHaveLength(2)
  }, 300_000)

  test('each team has its own, also when the reseller is refused', async () => {
    const reseller = await given.reseller()
    const teams = [
      await given.team(reseller, { overrides: { monitors: 0 } }),
      await given.team(reseller, { overrides: { monitors: 0 } }),
    ]
    for (const team of teams) await reseller.post(`${team.path}/monitors`, shop)
    for (const team of teams) expect(await quotaEvents(team)).toHaveLength(1)
    expect(await quotaEvents(reseller)).toEqual([])
  })

  test('not for a team without a reseller', async () => {
    const team = await given.tenant({ overrides: { monitors: 0 } })
    expect((await team.post('/monitors', shop)).status).toBe(422)
    expect(await quotaEvents(team)).toEqual([])
  })
})

describe('tenant.quota_warning', () => {
  test('from eighty in a hundred on, once a day', async () => {
    const team = await given.team(await given.reseller(), { overrides: { monitors: 10 } })
    await team.post('/monitors/bulk', { monitors: Array(7).fill(shop) })
    expect(await quotaEvents(team)).toEqual([])
    await team.post('/monitors', shop)
    const warning = {
      name: 'tenant.quota_warning',
      payload: { tenant_id: team.tenantId, feature: 'monitors', current_count: 8, limit: 10, usage_pct: 80 },
    }
    expect(await quotaEvents(team)).toEqual([warning])
    await team.post('/monitors', shop)
    expect(await quotaEvents(team)).toHaveLength(1)
    await later(team, '24 hours 1 second')
    await team.post('/monitors', shop)
    expect((await quotaEvents(team)).at(-1)?.payload).toMatchObject({ current_count: 10, usage_pct: 100 })
  })

  test('not by a create that fails for another reason', async () => {
    const team = await given.team(await given.reseller(), { overrides: { monitors: 1 } })
    expect((await team.post('/monitors', { ...shop, url: 'ftp://shop' })).status).toBe(422)
    expect(await quotaEvents(team)).toEqual([])
    await team.post('/monitors', shop)
    expect(await quotaEvents(team)).toHaveLength(1)
  })

  test('never where there is no limit', async () => {
    const team = await given.team(await given.reseller(), { overrides: { monitors: null } })
    await team.post('/monitors/bulk', { monitors: Array(300).fill(shop) })
    expect(await quotaEvents(team)).toEqual([])
  })

  const warningsOf = async (team: { tenantId: string }) =>
    (await quotaEvents(team)).map(({ name, payload }) => [
      name,
      payload.feature,
      payload.current_count,
      payload.limit,
      payload.usage_pct,
    ])

  test('when a smaller plan leaves little room, by one change and by many at once', async () => {
    const reseller = await given.reseller()
    const teams = [await given.team(reseller, { plan: 'hobby' }), await given.team(reseller, { plan: 'hobby' })]
    for (const team of teams) {
      await team.post('/monitors/bulk', { monitors: Array(4).fill(shop) })
      expect(await quotaEvents(team)).toEqual([])
    }
    expect((await reseller.patch(teams[0]!.path, { plan: 'free' })).status).toBe(200)
    expect(
      (await reseller.post('/reseller/managed-teams/batch', { action: 'plan', plan: 'free', ids: [teams[1]!.id] }))
        .status,
    ).toBe(200)
    for (const team of teams) expect(await warningsOf(team)).toEqual([['tenant.quota_warning', 'monitors', 4, 5, 80]])
    // to and fro within the day it is said once
    for (const plan of ['hobby', 'free']) await reseller.patch(teams[0]!.path, { plan })
    expect(await warningsOf(teams[0]!)).toHaveLength(1)
  })

  test('when an override lowers a limit that is nearly used up, not when it raises one', async () => {
    const reseller = await given.reseller()
    const team = await given.team(reseller, { plan: 'pro' })
    await team.post('/monitors/bulk', { monitors: Array(9).fill(shop) })
    const override = async (overrides: object) =>
      expect((await reseller.put(`${team.path}/feature-overrides`, { overrides })).status).toBe(200)
    await override({ monitors: 12, agent_limit: 0, api_keys: 0 })
    expect(await quotaEvents(team)).toEqual([])
    await override({ monitors: 11 })
    expect(await warningsOf(team)).toEqual([['tenant.quota_warning', 'monitors', 9, 11, 82]])
    await later(team, '24 hours 1 second')
    await override({ monitors: 11.0, api_keys: 5 })
    await override({ monitors: 10 })
    expect(await warningsOf(team)).toHaveLength(2)
    await later(team, '24 hours 1 second')
    await override({ monitors: '__remove__' })
    expect(await warningsOf(team)).toHaveLength(2)
  })

  test('when a trial ends and its team falls back to a smaller plan', async () => {
    const team = await given.team(await given.reseller(), { plan: 'pro' })
    await team.post('/monitors/bulk', { monitors: Array(5).fill(shop) })
    const endsAt = new Date(Date.now() - 1_000)
    await platform.query('update managed_teams set trial_ends_at = $2 where id = $1', [team.id, endsAt])
    expect(await advanceTrial(platform, team.id, endsAt, databaseCalendar)).toBe('expired')
    expect(await warningsOf(team)).toEqual([['tenant.quota_warning', 'monitors', 5, 5, 100]])
  })

  test('of members from the second one: one person is in each team', async () => {
    const reseller = await given.reseller()
    const team = await given.team(reseller, { plan: 'pro' })
    const limit = (team_members: number) =>
      reseller.put(`${team.path}/feature-overrides`, { overrides: { team_members } })
    await limit(1)
    expect(await warningsOf(team)).toEqual([])
    await limit(3)
    await given.colleague(team, 'member')
    await limit(2)
    expect(await warningsOf(team)).toEqual([['tenant.quota_warning', 'team_members', 2, 2, 100]])
  })

  test('not for a detached team', async () => {
    const reseller = await given.reseller()
    const team = await given.team(reseller, { plan: 'pro' })
    await team.post('/monitors/bulk', { monitors: Array(5).fill(shop) })
    await platform.query(`update managed_teams set trial_ends_at = now() + interval '5 days' where id = $1`, [team.id])
    expect((await reseller.post(`${team.path}/decouple`)).status).toBeLessThan(300)
    expect(await quotaEvents(team)).toEqual([])
  })
})
