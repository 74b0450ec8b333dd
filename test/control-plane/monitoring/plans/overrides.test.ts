import { describe, expect, test } from 'vitest'
import { channelTypes, features, type Limits, planLimits } from '#contract/plans.ts'
import { app, given } from '#test/support/app.ts'

const aTeam = async (plan = 'free', overrides: Record<string, unknown> = {}) => {
  const reseller = await given.reseller({ scopes: ['teams:manage'] })
  const team = await given.team(reseller, { plan, overrides })
  const path = `${team.path}/feature-overrides`
  return { reseller, team, path, put: (overrides: unknown) => reseller.put(path, { overrides }) }
}
const unknown = '7b4f1a52-5d0e-4a3d-9c55-f1b0a1a0c001'

describe('GET …/feature-overrides', () => {
  test('returns the plan, the overrides and the effective limits', async () => {
    const { reseller, path } = await aTeam('hobby', { monitors: null, sso: true })
    const { status, body } = await reseller.get(path)
    expect(status).toBe(200)
    expect(body.data).toEqual({
      plan: 'hobby',
      overrides: { monitors: null, sso: true },
      effective_limits: { ...planLimits.hobby, monitors: null, sso: true },
    })
  })

  test('to readers of the own teams only', async () => {
    const { reseller, team, path } = await aTeam()
    expect((await (await given.token(reseller, 'rk', ['teams:read'])).get(path)).status).toBe(200)
    expect((await (await given.token(reseller, 'rk', ['monitors:manage'])).get(path)).status).toBe(403)
    for (const caller of [await given.reseller(), team, await given.token(team, 'sk', ['settings:manage'])])
      expect((await caller.get(path)).status).toBe(403)
    expect((await reseller.get(`/reseller/managed-teams/${unknown}/feature-overrides`)).status).toBe(404)
    expect((await given.stranger().get(path)).status).toBe(401)
  })
})

describe('PUT …/feature-overrides', () => {
  test('adds to what is there, removes by a word, and holds at once', async () => {
    const { reseller, team, path, put } = await aTeam('free', { team_members: 9 })
    const { status, body } = await put({ monitors: 7, min_check_interval: 30 })
    expect(status).toBe(200)
    expect(body.data.overrides).toEqual({ team_members: 9, monitors: 7, min_check_interval: 30 })
    expect(body.data.effective_limits).toEqual({
      ...planLimits.free,
      team_members: 9,
      monitors: 7,
      min_check_interval: 30,
    })
    expect((await team.get('/plan')).body.data.limits.monitors).toBe(7)

    const removed = await put({ monitors: '__remove__', team_members: '__remove__', sso: '__remove__' })
    expect(removed.body.data).toEqual({
      plan: 'free',
      overrides: { min_check_interval: 30 },
      effective_limits: { ...planLimits.free, min_check_interval: 30 },
    })
    expect((await reseller.get(path)).body).toEqual(removed.body)
    expect((await put({})).body).toEqual(removed.body)
  })

  test('is written with before and after into both trails, once for a change', async () => {
    const { reseller, team, put } = await aTeam('free', { monitors: 3 })
    await put({ monitors: 4, sso: true })
    await put({ monitors: 4 })
    for (const tenant of [reseller, team]) {
      const { rows } = await app.services.platform.query(
        'select action, entity_type, entity_id, user_id, changes from audit_entries where tenant_id = $1',
        [tenant.tenantId],
      )
      expect(rows).toEqual([
        {
          action: 'feature_overrides.updated',
          entity_type: 'managed_tenant',
          entity_id: team.id,
          user_id: reseller.userId,
          changes: { monitors: { before: 3, after: 4 }, sso: { before: null, after: true } },
        },
      ])
    }
  })

  test('by writers of the own teams only', async () => {
    const { reseller, team, path } = await aTeam()
    const body = { overrides: { monitors: 100 } }
    for (const caller of [
      await given.token(reseller, 'rk', ['teams:read']),
      await given.token(reseller, 'sk', ['settings:manage']),
      await given.reseller(),
      team,
    ])
      expect((await caller.put(path, body)).status).toBe(403)
    expect((await reseller.put(`/reseller/managed-teams/${unknown}/feature-overrides`, body)).status).toBe(404)
    expect((await team.get('/plan')).body.data.limits.monitors).toBe(planLimits.free.monitors)
  })

  const numbers = {
    monitors: [0, null],
    status_pages: [0, null],
    team_members: [0, null],
    pending_invitations: [0, null],
    api_keys: [0, null],
    subscribers: [0, null],
    maintenance_windows: [0, null],
    escalation_policies: [0, null],
    crawl_pages: [0, null],
    sms_credits: [0, null],
    regions_per_monitor: [1, null],
    agent_limit: [0],
    min_check_interval: [1, 86_400],
    data_retention_days: [1, 3_650],
  } as const satisfies Partial<Record<keyof Limits, readonly (number | null)[]>>

  test.each(Object.entries(numbers))('%s takes what it is for', async (feature, good) => {
    const { put } = await aTeam()
    for (const value of [...good, 42])
      expect((await put({ [feature]: value })).body.data.effective_limits[feature]).toBe(value)
    const least = good[0] as number
    const bad = [
      least - 1,
      -1,
      1.5,
      1e21,
      2 ** 53,
      '5',
      '',
      true,
      [],
      {},
      'none',
      '__REMOVE__',
      ...((good as readonly unknown[]).includes(null) ? [] : [null]),
    ]
    for (const value of bad) {
      const { status, body } = await put({ [feature]: value })
      expect(status, JSON.stringify(value)).toBe(422)
      expect(Object.keys(body.errors)).toEqual([`overrides.${feature}`])
      expect(body.errors[`overrides.${feature}`][0]).toMatch(/^Must be a whole number|^Too/)
    }
  })

  const flags = features.filter(feature => typeof planLimits.free[feature] === 'boolean')
  test('what is included or not is true or false', async () => {
    expect(flags.length).toBe(11)
    const { put } = await aTeam()
    for (const feature of flags) {
      for (const value of [true, false])
        expect((await put({ [feature]: value })).body.data.effective_limits[feature]).toBe(value)
      for (const value of [null, 0, 1, 'true', [], {}])
        expect(Object.keys((await put({ [feature]: value })).body.errors)).toEqual([`overrides.${feature}`])
    }
  })

  test('api_access is read or full, channels are a list of types without doubles', async () => {
    const { put } = await aTeam()
    for (const value of ['read', 'full'])
      expect((await put({ api_access: value })).body.data.effective_limits.api_access).toBe(value)
    for (const value of ['none', null, true, ''])
      expect(Object.keys((await put({ api_access: value })).body.errors)).toEqual(['overrides.api_access'])
    for (const value of [[], ['email'], [...channelTypes]])
      expect((await put({ notification_channels: value })).body.data.effective_limits.notification_channels).toEqual(
        value,
      )
    for (const value of [
      null,
      'email',
      ['email', 'email'],
      ['fax'],
      [null],
      [...channelTypes, 'email'],
      { 0: 'email' },
    ])
      expect(Object.keys((await put({ notification_channels: value })).body.errors)).toEqual([
        'overrides.notification_channels',
      ])
  })

  test('one wrong value refuses all, and each is named', async () => {
    const { reseller, path, put } = await aTeam()
    const { status, body } = await put({ monitors: 10, sso: 'yes', status_page: 1, toString: 1, 'ключ 🔑': null })
    expect(status).toBe(422)
    expect(Object.keys(body.errors).sort()).toEqual([
      'overrides.sso',
      'overrides.status_page',
      'overrides.toString',
      'overrides.ключ 🔑',
    ])
    expect((await reseller.get(path)).body.data.overrides).toEqual({})
  })

  test('keys that reach into prototypes are refused, and nothing is the worse for it', async () => {
    const { reseller, path } = await aTeam()
    for (const body of [
      '{"overrides":{"__proto__":{"monitors":1}}}',
      '{"overrides":{"constructor":{"prototype":{"monitors":1}}}}',
      '{"overrides":{"prototype":1}}',
      '{"__proto__":{"overrides":{}}}',
    ])
      expect((await reseller.put(path, body)).status, body).toBe(422)
    expect(({} as Record<string, unknown>).monitors).toBeUndefined()
    expect((await reseller.get(path)).body.data).toEqual({
      plan: 'free',
      overrides: {},
      effective_limits: planLimits.free,
    })
  })

  test('what is no map is refused', async () => {
    const { reseller, path } = await aTeam()
    for (const overrides of [null, 1, 'monitors', [], [['monitors', 1]], undefined])
      expect(Object.keys((await reseller.put(path, { overrides })).body.errors)).toEqual(['overrides'])
  })

  test('nothing else of a team can be changed along with it', async () => {
    const { reseller, team, path } = await aTeam()
    await reseller.put(path, {
      overrides: { monitors: 6 },
      plan: 'pro',
      tenant_id: reseller.tenantId,
      is_reseller: true,
    })
    const { rows } = await app.services.platform.query(
      'select plan, is_reseller, feature_overrides from tenants where id = $1',
      [team.tenantId],
    )
    expect(rows).toEqual([{ plan: 'free', is_reseller: false, feature_overrides: { monitors: 6 } }])
  })

  test('two calls at once both count', async () => {
    const { reseller, path, put } = await aTeam()
    const sent = { monitors: 6, sso: true, api_keys: 4, subscribers: null, crawl_pages: 9 }
    await Promise.all(Object.entries(sent).map(([feature, value]) => put({ [feature]: value })))
    expect((await reseller.get(path)).body.data.overrides).toEqual(sent)
  })
})
