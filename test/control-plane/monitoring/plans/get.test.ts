import { describe, expect, test } from 'vitest'
import { channelTypes, planLimits, plannedFeatures, plans } from '#contract/plans.ts'
import { app, given } from '#test/support/app.ts'

const absent: readonly string[] = plannedFeatures

describe('GET /plan', () => {
  test('returns limits with overrides, and the usage', async () => {
    const team = await given.tenant({
      plan: 'hobby',
      overrides: { monitors: null, min_check_interval: 10, team_members: 'many', unknown: 1 },
    })
    await team.post('/monitors', {
      name: 'Shop',
      url: 'https://shop.example.com/',
      checks: [{ type: 'uptime' }, { type: 'ssl' }],
    })
    const { status, body } = await team.get('/plan')
    expect(status).toBe(200)
    const hobby = Object.fromEntries(Object.entries(planLimits.hobby).filter(([feature]) => !absent.includes(feature)))
    expect(body.data).toEqual({
      plan: 'hobby',
      on_trial: false,
      trial_ends_at: null,
      plan_after_trial: null,
      limits: { ...hobby, monitors: null, min_check_interval: 10 },
      usage: {
        monitors: 1,
        agent_limit: 0,
        checks: 2,
        team_members: 1,
        pending_invitations: 0,
        api_keys: 0,
        maintenance_windows: 0,
        status_pages: 0,
        escalation_policies: 0,
        subscribers: 0,
      },
      over_limit: [],
      on_hold: { monitors: 0, notification_channels: 0 },
      is_paused: false,
      paused_at: null,
      paused_reason: null,
      upsell: {
        mode: 'hidden',
        cta: 'none',
        threshold: 0.8,
        plan_label: 'hobby',
        plan_labels: {},
        offers: {},
        suggested_plan: null,
        url: null,
        features: [],
      },
    })
  })

  test('names what a smaller plan holds, and what there is too much of', async () => {
    const reseller = await given.reseller()
    const team = await given.team(reseller, { plan: 'pro' })
    for (const name of ['a', 'b', 'c'])
      await team.post('/monitors', { name, url: `https://${name}.example.com/`, checks: [{ type: 'uptime' }] })
    await team.post('/notification-channels', {
      name: 'Ops',
      type: 'webhook',
      config: { url: 'https://hooks.example.com/' },
    })
    await reseller.call('PUT', `${team.path}/feature-overrides`, {
      overrides: { monitors: 2, team_members: 0, notification_channels: ['email'] },
    })
    expect((await team.get('/plan')).body.data).toMatchObject({
      over_limit: ['monitors', 'team_members'],
      on_hold: { monitors: 1, notification_channels: 1 },
    })
    // as many as the list of channels says: contact methods of people are no channels of the team
    await app.services.platform.query(
      `insert into notification_channels (id, tenant_id, owner_user_id, name, type, config)
       select gen_random_uuid(), $1, $2, 'Mine', 'slack', '{}'`,
      [team.tenantId, team.userId],
    )
    expect((await team.get('/plan')).body.data.on_hold.notification_channels).toBe(1)
  })

  test('says since when a team is paused, and why', async () => {
    const reseller = await given.reseller()
    const team = await given.team(reseller, { plan: 'pro' })
    await reseller.post(`${team.path}/pause`, { reason: 'Invoice 4711 unpaid' })
    const { is_paused, paused_at, paused_reason } = (await team.get('/plan')).body.data
    expect({ is_paused, paused_reason }).toEqual({ is_paused: true, paused_reason: 'Invoice 4711 unpaid' })
    expect(Math.abs(Date.parse(paused_at) - Date.now())).toBeLessThan(60_000)
    await reseller.post(`${team.path}/unpause`)
    expect((await team.get('/plan')).body.data).toMatchObject({
      is_paused: false,
      paused_at: null,
      paused_reason: null,
    })
  })

  test('counts people and keys, not service users nor keys that are over', async () => {
    const reseller = await given.reseller()
    const team = await given.team(reseller)
    await given.colleague(team, 'viewer')
    for (const kind of ['sk', 'svc'] as const) await given.token(team, kind, ['monitors:read'])
    await given.token(team, 'svc', ['monitors:write'])
    await app.services.platform.query(
      `update tokens set expires_at = now() where tenant_id = $1 and scopes = '{monitors:write}'`,
      [team.tenantId],
    )
    expect((await reseller.post(`${team.path}/impersonation-tokens`)).status).toBe(201)
    expect((await team.get('/plan')).body.data.usage).toMatchObject({ team_members: 2, api_keys: 2 })
  })

  test('returns the end of a trial', async () => {
    const team = await given.team(await given.reseller(), { plan: 'pro' })
    const set = (interval: string) =>
      app.services.platform.query('update managed_teams set trial_ends_at = now() + $2::interval where id = $1', [
        team.id,
        interval,
      ])
    expect((await team.get('/plan')).body.data).toMatchObject({ on_trial: false, trial_ends_at: null })
    await set('3 days')
    const { body } = await team.get('/plan')
    expect(body.data).toMatchObject({ on_trial: true, plan_after_trial: 'free' })
    expect(Math.round((Date.parse(body.data.trial_ends_at) - Date.now()) / 3_600_000)).toBe(72)
    await set('-1 minute')
    expect((await team.get('/plan')).body.data).toMatchObject({ on_trial: false, trial_ends_at: expect.any(String) })
  })

  test('by a reseller in its own team only', async () => {
    const [reseller, rival] = [await given.reseller({ scopes: ['teams:read'] }), await given.reseller()]
    const team = await given.team(reseller, { plan: 'free' })
    expect((await reseller.get(`${team.path}/plan`)).body.data.plan).toBe('free')
    expect((await rival.get(`${team.path}/plan`)).status).toBe(403)
    expect((await given.stranger().get('/plan')).status).toBe(401)
  })
})

test('each plan allows what the table of plans says', () => {
  const table = {
    monitors: [5, 20, 50, 200],
    min_check_interval: [300, 60, 60, 30],
    regions_per_monitor: [3, 3, 6, null],
    status_pages: [1, 1, 3, 10],
    team_members: [1, 3, 10, null],
    data_retention_days: [14, 30, 90, 395],
    custom_domains: [false, false, true, true],
    on_call_schedules: [false, false, false, true],
  } as const
  for (const [feature, row] of Object.entries(table))
    expect(
      plans.map(plan => Object.entries(planLimits[plan]).find(([name]) => name === feature)?.[1]),
      feature,
    ).toEqual(row)
  const [mailAndHook, chat] = [
    ['email', 'webhook'],
    ['discord', 'microsoft_teams', 'slack', 'telegram', 'custom'],
  ]
  const channels = [mailAndHook, [...mailAndHook, ...chat], [...mailAndHook, ...chat, 'pagerduty'], channelTypes]
  expect(plans.map(plan => [...planLimits[plan].notification_channels].sort())).toEqual(
    channels.map(types => [...types].sort()),
  )
})
