import { describe, expect, test } from 'vitest'
import { mailsOf } from '#test/control-plane/identity/mails.ts'
import { app, type CallerUnderTest, given, type TeamUnderTest } from '#test/support/app.ts'

const { platform } = app.services

/** A managed team with two administrators, and people who are none. */
async function aTeam(): Promise<{ reseller: CallerUnderTest; team: TeamUnderTest; admins: Set<string | null> }> {
  const reseller = await given.reseller()
  const team = await given.team(reseller, { plan: 'pro' })
  const admin = await given.colleague(team, 'admin')
  await given.colleague(team, 'member')
  const disabled = await given.colleague(team, 'admin')
  await platform.query('update memberships set disabled_at = now() where user_id = $1', [disabled.userId])
  return { reseller, team, admins: new Set([team.userId, admin.userId]) }
}

async function monitors(team: CallerUnderTest, count: number): Promise<void> {
  const list = Array.from({ length: count }, (_, n) => ({ name: `m${n}`, url: `https://m${n}.example.com/` }))
  expect((await team.post('/monitors/bulk', { monitors: list })).status).toBe(201)
}
const slack = { name: 'Ops', type: 'slack', config: { webhook_url: 'https://hooks.slack.com/services/T0/B0/x' } }

describe('the administrators of a team are mailed', () => {
  test('once when its reseller pauses it, with the reason, and once when it goes on', async () => {
    const { reseller, team, admins } = await aTeam()
    for (const reason of ['Invoice 4711 unpaid', 'Invoice 4712 unpaid'])
      expect((await reseller.post(`${team.path}/pause`, { reason })).status).toBe(200)
    for (const _ of [1, 2]) expect((await reseller.post(`${team.path}/unpause`)).status).toBe(200)
    const mails = await mailsOf(team)
    expect(mails.map(({ type }) => type)).toEqual(['team_paused', 'team_paused', 'team_unpaused', 'team_unpaused'])
    expect(new Set(mails.slice(0, 2).map(({ recipient }) => recipient.user_id))).toEqual(admins)
    expect(new Set(mails.slice(2).map(({ recipient }) => recipient.user_id))).toEqual(admins)
    expect(mails[0]!.data).toMatchObject({ team_name: expect.any(String), reason: 'Invoice 4711 unpaid' })
    expect(await mailsOf(reseller)).toEqual([])
  })

  test('where many teams are paused at once, each those of their own', async () => {
    const { reseller, team } = await aTeam()
    const other = await given.team(reseller)
    const ids = [team.id, other.id]
    const batch = (body: object) => reseller.post('/reseller/managed-teams/batch', { ids, ...body })
    expect((await batch({ action: 'pause', reason: 'unpaid' })).body.data.done).toBe(2)
    expect((await batch({ action: 'unpause' })).body.data.done).toBe(2)
    const types = async (of: CallerUnderTest) =>
      (await mailsOf(of)).map(({ type, recipient }) => [type, recipient.user_id])
    expect(await types(other)).toEqual([
      ['team_paused', other.userId],
      ['team_unpaused', other.userId],
    ])
    expect(await types(team)).toHaveLength(4)
  })

  test('when a paused team comes back from the trash, and of nothing while it is there', async () => {
    const { reseller, team } = await aTeam()
    await reseller.post(`${team.path}/pause`, { reason: 'unpaid' })
    const name = (await reseller.get(team.path)).body.data.name
    expect((await reseller.delete(team.path, { confirm_name: name })).status).toBe(204)
    expect((await reseller.post(`${team.path}/unpause`)).status).toBe(404)
    expect((await mailsOf(team)).map(({ type }) => type)).toEqual(['team_paused', 'team_paused'])
    expect((await reseller.post(`${team.path}/restore`)).status).toBe(200)
    expect((await mailsOf(team)).slice(2).map(({ type }) => type)).toEqual(['team_unpaused', 'team_unpaused'])
  })

  test.each<[string, (reseller: CallerUnderTest, team: TeamUnderTest) => Promise<unknown>]>([
    ['a downgrade', (reseller, team) => reseller.patch(team.path, { plan: 'free' })],
    [
      'a downgrade of many',
      (reseller, team) =>
        reseller.post('/reseller/managed-teams/batch', { action: 'plan', ids: [team.id], plan: 'free' }),
    ],
    [
      'an override',
      (reseller, team) =>
        reseller.put(`${team.path}/feature-overrides`, {
          overrides: { monitors: 5, notification_channels: ['email', 'webhook'] },
        }),
    ],
    ['an operator', async (_, team) => (await given.operator()).patch(`/tenants/${team.tenantId}`, { plan: 'free' })],
  ])('what is put on hold by %s', async (_, change) => {
    const { reseller, team, admins } = await aTeam()
    await monitors(team, 7)
    expect((await team.post('/notification-channels', slack)).status).toBe(201)
    await change(reseller, team)
    const mails = await mailsOf(team)
    expect(new Set(mails.map(({ recipient }) => recipient.user_id))).toEqual(admins)
    expect(
      mails.map(({ type, data }) => [type, data.monitors_held, data.channels_held, data.monitors_released]),
    ).toEqual([...admins].map(() => ['on_hold_changed', 2, 1, 0]))
    expect(mails[0]!.data).toMatchObject({
      ...{ monitors_on_hold: 2, monitor_names: ['m6', 'm5'], channels_on_hold: 1, channel_names: ['Ops'] },
      changed_at: expect.any(String),
    })
  })

  test('of a downgrade that is undone at once: in this order, each with what was true then', async () => {
    const { reseller, team } = await aTeam()
    await monitors(team, 7)
    await reseller.patch(team.path, { plan: 'free' })
    await reseller.patch(team.path, { plan: 'pro' })
    const own = (await mailsOf(team)).filter(({ recipient }) => recipient.user_id === team.userId)
    expect(own.map(({ data }) => [data.monitors_held, data.monitors_released, data.monitors_on_hold])).toEqual([
      [2, 0, 2],
      [0, 2, 0],
    ])
    expect(Date.parse(own[1]!.data.changed_at)).toBeGreaterThan(Date.parse(own[0]!.data.changed_at))
  })

  test('of nothing where a change of the plan holds and releases nothing', async () => {
    const { reseller, team } = await aTeam()
    await monitors(team, 2)
    await reseller.patch(team.path, { plan: 'starter', name: 'Renamed' })
    await reseller.put(`${team.path}/feature-overrides`, { overrides: { api_keys: 1 } })
    expect(await mailsOf(team)).toEqual([])
  })

  test('once where it is detached: what that holds, and that it is no longer paused', async () => {
    const { reseller, team } = await aTeam()
    await monitors(team, 7)
    await reseller.patch(team.path, { trial_days: 10 })
    await reseller.post(`${team.path}/pause`)
    expect((await reseller.post(`${team.path}/decouple`)).status).toBe(200)
    const own = (await mailsOf(team)).filter(({ recipient }) => recipient.user_id === team.userId)
    expect(own.map(({ type, data }) => [type, data.monitors_held, data.is_unpaused])).toEqual([
      ['team_paused', undefined, undefined],
      ['on_hold_changed', 2, true],
    ])
  })
})
