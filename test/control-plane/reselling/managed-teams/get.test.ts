import { describe, expect, test } from 'vitest'
import { aMonitor } from '#test/control-plane/monitoring/monitored.ts'
import { app, given } from '#test/support/app.ts'

describe('GET /reseller/managed-teams/{id}', () => {
  test('shows a team with what its monitors are', async () => {
    const reseller = await given.reseller({ scopes: ['teams:read'] })
    const team = await given.team(reseller, { label: 'gold', plan: 'hobby' })
    for (const options of [{}, {}, { status: 'down' }, { status: 'warning' }, { status: null }, { isEnabled: false }])
      await aMonitor(team, options)
    const { status, body, headers } = await reseller.get(team.path)
    expect(status).toBe(200)
    expect(headers.get('etag')).toBeTruthy()
    expect(body.data).toMatchObject({
      id: team.id,
      tenant_id: team.tenantId,
      label: 'gold',
      plan: 'hobby',
      paused_at: null,
    })
    expect(body.data).toMatchObject({ monitors_count: 6, monitors_up_count: 2, monitors_down_count: 1 })
    for (const moment of [body.data.created_at, body.data.updated_at])
      expect(moment).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/)
    expect(Object.keys(body.data).sort()).toEqual(
      [
        ...[
          'id',
          'tenant_id',
          'name',
          'slug',
          'plan',
          'label',
          'monitors_count',
          'monitors_down_count',
          'monitors_up_count',
          'is_paused',
          'paused_at',
        ],
        ...['paused_reason', 'on_trial', 'trial_ends_at', 'deleted_at', 'days_until_purge', 'created_at', 'updated_at'],
        ...['public_id', 'external_ref', 'metadata', 'plan_after_trial'],
      ].sort(),
    )
  })

  test('unknown 404, another reseller’s 403, not a UUID 404, deleted 404', async () => {
    const [reseller, rival] = [await given.reseller(), await given.reseller()]
    const team = await given.team(reseller)
    expect((await rival.get(team.path)).status).toBe(403)
    for (const id of [
      crypto.randomUUID(),
      'nothing',
      '0',
      team.tenantId,
      `${team.id}0`,
      encodeURIComponent("' or 1=1"),
    ])
      expect((await reseller.get(`/reseller/managed-teams/${id}`)).status, id).toBe(404)
    expect((await reseller.get(`/reseller/managed-teams/${team.id.toUpperCase()}`)).body.data.id).toBe(team.id)
    await app.services.platform.query('update managed_teams set deleted_at = now() where id = $1', [team.id])
    expect((await reseller.get(team.path)).status).toBe(404)
  })

  test('refuses general tokens of every scope, and reseller tokens without the scope', async () => {
    const reseller = await given.reseller({ scopes: ['monitors:manage'] })
    const team = await given.team(reseller)
    for (const caller of [
      reseller,
      team,
      await given.token(reseller, 'ss', []),
      await given.token(reseller, 'sk', ['team:manage', 'settings:manage']),
    ])
      expect((await caller.get(team.path)).status).toBe(403)
    for (const scope of ['teams:read', 'teams:manage'])
      expect((await (await given.token(reseller, 'rk', [scope])).get(team.path)).status).toBe(200)
    expect((await (await given.token(reseller, 'rk', ['teams:write'])).get(team.path)).status).toBe(403)
  })
})
