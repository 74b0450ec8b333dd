import { describe, expect, test } from 'vitest'
import { aMonitor } from '#test/control-plane/monitoring/monitored.ts'
import { app, given } from '#test/support/app.ts'
import { noted, published, refusedTo, storedTeam, trail } from './given.ts'

describe('POST /reseller/managed-teams/{id}/pause', () => {
  test('pauses a team, emits an event to the reseller, and audits it in both logs', async () => {
    const reseller = await given.reseller({ scopes: ['teams:write'] })
    const team = await given.team(reseller)
    const { status, body } = await reseller.post(`${team.path}/pause`, { reason: 'unpaid' })
    expect(status).toBe(200)
    expect(body.data).toEqual({ message: expect.any(String), is_paused: true, paused_reason: 'unpaid' })
    const reader = await given.token(reseller, 'rk', ['teams:read'])
    const shown = (await reader.get(team.path)).body.data
    expect(shown).toMatchObject({ is_paused: true, paused_reason: 'unpaid', paused_at: expect.any(String) })
    expect(await published(reseller)).toEqual([
      {
        name: 'team.paused',
        payload: {
          managed_team_id: team.id,
          tenant_id: team.tenantId,
          tenant_name: expect.any(String),
          reason: 'unpaid',
        },
      },
    ])
    const entry = {
      action: 'managed_tenant.paused',
      entity_type: 'managed_tenant',
      entity_id: team.id,
      changes: {
        paused_at: { before: null, after: shown.paused_at },
        paused_reason: { before: null, after: 'unpaid' },
      },
    }
    expect(await trail(reseller)).toEqual([entry])
    expect(await trail(team)).toEqual([entry])
    expect(
      (await app.services.platform.query('select paused_at from tenants where id = $1', [team.tenantId])).rows[0]
        .paused_at,
    ).toBeInstanceOf(Date)
  })

  test('records once for each active check that it is not running', async () => {
    const reseller = await given.reseller()
    const team = await given.team(reseller)
    const [shop, off, later] = [await aMonitor(team), await aMonitor(team, { isEnabled: false }), await aMonitor(team)]
    const { platform } = app.services
    await platform.query(`update checks set verdict = 'up' where id = $1`, [shop.check])
    await reseller.post(`${team.path}/pause`)
    expect(await noted(shop.check)).toEqual(['paused'])
    expect(await noted(off.check)).toEqual([])
    await team.post(`/monitors/${later.id}/disable`)
    await team.post(`/monitors/${shop.id}/disable`)
    await team.post(`/monitors/${shop.id}/enable`)
    await team.post(`/checks/${shop.check}/disable`)
    await team.post(`/checks/${shop.check}/enable`)
    expect(await noted(shop.check)).toEqual(['paused'])
    await reseller.post(`${team.path}/unpause`)
    expect(await noted(shop.check)).toEqual(['paused', 'none'])
    expect(await noted(later.check)).toEqual(['paused'])
    expect(await noted(off.check)).toEqual([])
  })

  test('a second pause keeps the time and emits nothing; a new reason replaces the old one', async () => {
    const reseller = await given.reseller()
    const team = await given.team(reseller)
    await reseller.post(`${team.path}/pause`, { reason: 'unpaid' })
    const before = (await reseller.get(team.path)).body.data
    expect((await reseller.post(`${team.path}/pause`, { reason: 'unpaid' })).body.data.paused_reason).toBe('unpaid')
    expect((await reseller.post(`${team.path}/pause`)).body.data.paused_reason).toBe('unpaid')
    expect((await reseller.get(team.path)).body.data).toEqual(before)
    expect((await reseller.post(`${team.path}/pause`, { reason: 'abuse' })).body.data).toMatchObject({
      is_paused: true,
      paused_reason: 'abuse',
    })
    expect((await reseller.get(team.path)).body.data).toMatchObject({
      paused_at: before.paused_at,
      paused_reason: 'abuse',
    })
    expect(await app.emitted(reseller)).toEqual(['team.paused'])
    expect(await app.audited(team)).toEqual(['managed_tenant.paused', 'managed_tenant.updated'])
  })

  test('ten at once are one pause', async () => {
    const reseller = await given.reseller()
    const team = await given.team(reseller)
    const answers = await Promise.all(
      Array.from({ length: 10 }, () => reseller.post(`${team.path}/pause`, { reason: 'unpaid' })),
    )
    expect(answers.map(({ status }) => status)).toEqual(Array(10).fill(200))
    expect(await app.emitted(reseller)).toEqual(['team.paused'])
  })

  test('the team can still read what is there', async () => {
    const reseller = await given.reseller()
    const team = await given.team(reseller)
    await reseller.post(`${team.path}/pause`)
    expect((await team.get('/monitors')).status).toBe(200)
    expect((await reseller.get('/monitors', { headers: { 'X-Tenant-Id': team.tenantId } })).status).toBe(200)
  })

  test.each([[undefined], [{}], [{ reason: null }], [{ reason: '' }], [{ reason: '  ' }]])(
    'takes %j as no reason',
    async body => {
      const reseller = await given.reseller()
      const team = await given.team(reseller)
      const answer = await reseller.call('POST', `${team.path}/pause`, body)
      expect(answer.body.data).toMatchObject({ is_paused: true, paused_reason: null })
    },
  )

  test.each([
    ['x'.repeat(50), 200],
    ['x'.repeat(51), 422],
    ['é'.repeat(50), 200],
    [7, 422],
    [['unpaid'], 422],
  ])('reason %j: %i', async (reason, expected) => {
    const reseller = await given.reseller()
    const team = await given.team(reseller)
    const { status, body } = await reseller.post(`${team.path}/pause`, { reason })
    expect(status).toBe(expected)
    if (expected === 422) expect(Object.keys(body.errors)).toEqual(['reason'])
  })

  test('refuses everybody else, and leaves the team as it was', async () => {
    const [reseller, rival] = [await given.reseller(), await given.reseller()]
    const team = await given.team(reseller)
    const before = await storedTeam(team)
    const others = [
      rival,
      team,
      await given.token(reseller, 'rk', ['teams:read']),
      await given.token(reseller, 'ss', []),
    ]
    expect(await refusedTo(others, 'POST', `${team.path}/pause`, {})).toEqual([403, 403, 403, 403])
    expect((await reseller.post(`/reseller/managed-teams/${crypto.randomUUID()}/pause`)).status).toBe(404)
    expect((await reseller.post('/reseller/managed-teams/x/pause')).status).toBe(404)
    expect(await storedTeam(team)).toEqual(before)
    expect(await app.audited(rival)).toEqual([])
  })
})

describe('POST /reseller/managed-teams/{id}/unpause', () => {
  test('ends a pause and emits an event to the reseller', async () => {
    const reseller = await given.reseller()
    const team = await given.team(reseller)
    await reseller.post(`${team.path}/pause`, { reason: 'unpaid' })
    const { paused_at } = (await reseller.get(team.path)).body.data
    const { status, body } = await reseller.post(`${team.path}/unpause`)
    expect(status).toBe(200)
    expect(body.data).toEqual({ message: expect.any(String), is_paused: false })
    expect((await reseller.get(team.path)).body.data).toMatchObject({
      is_paused: false,
      paused_at: null,
      paused_reason: null,
    })
    expect((await published(reseller)).at(-1)).toEqual({
      name: 'team.unpaused',
      payload: { managed_team_id: team.id, tenant_id: team.tenantId, tenant_name: expect.any(String) },
    })
    const changes = { paused_at: { before: paused_at, after: null }, paused_reason: { before: 'unpaid', after: null } }
    for (const each of [reseller, team])
      expect((await trail(each)).at(-1)).toMatchObject({ action: 'managed_tenant.unpaused', changes })
  })

  test('a team that is not paused is left as it is', async () => {
    const reseller = await given.reseller()
    const team = await given.team(reseller)
    const before = await storedTeam(team)
    expect((await reseller.post(`${team.path}/unpause`)).body.data.is_paused).toBe(false)
    expect(await storedTeam(team)).toEqual(before)
    expect(await app.emitted(reseller)).toEqual([])
    expect(await app.audited(reseller)).toEqual([])
  })

  test('refuses everybody else', async () => {
    const [reseller, rival] = [await given.reseller(), await given.reseller()]
    const team = await given.team(reseller)
    await reseller.post(`${team.path}/pause`)
    const others = [
      rival,
      team,
      await given.token(reseller, 'rk', ['teams:read']),
      await given.token(reseller, 'sk', ['team:manage']),
    ]
    expect(await refusedTo(others, 'POST', `${team.path}/unpause`)).toEqual([403, 403, 403, 403])
    expect((await reseller.get(team.path)).body.data.is_paused).toBe(true)
  })
})
