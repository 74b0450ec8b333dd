import { randomUUID } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { resellerScopes } from '#contract/scopes.ts'
import { app, given } from '#test/support/app.ts'
import { byToken } from '#test/support/by-token.ts'

const inDays = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString()
const make = (name = 'Billing', scopes: string[] = ['teams:read']) => ({ name, scopes })

describe('POST /reseller/tokens', () => {
  test('creates a token that works, and shows its secret once', async () => {
    const reseller = await given.reseller()
    const { status, body } = await reseller.post(
      '/reseller/tokens',
      make('Bill’s ? "quotes" \\ 💶', ['teams:read', 'monitors:manage', 'teams:read']),
    )
    expect(status).toBe(201)
    expect(body.plain_text_token).toMatch(/^rk-[\w-]{50}$/)
    expect(body.data).toMatchObject({
      name: 'Bill’s ? "quotes" \\ 💶',
      scopes: ['teams:read', 'monitors:manage'],
      purpose: 'reseller',
      is_active: true,
      last_used_at: null,
      expires_at: null,
      rotated_from: null,
      created_by: reseller.userId,
      masked_token: `rk-********${body.plain_text_token.slice(-4)}`,
    })
    expect(body.data.created_at).toMatch(/\.\d{6}Z$/)
    const made = byToken(reseller, body.plain_text_token)
    expect((await made.get(`/reseller/tokens/${body.data.id}`)).body.data.id).toBe(body.data.id)
    expect((await made.get('/user')).body.id).toBe(reseller.userId)
    expect(await app.audited(reseller)).toEqual(['reseller_token.created'])
    const { rows } = await app.services.platform.query(
      'select changes::text as text from audit_entries where tenant_id = $1',
      [reseller.tenantId],
    )
    expect(rows[0].text).not.toContain(body.plain_text_token.slice(3, 20))
  })

  test('passes on no more than the maker may do', async () => {
    const reseller = await given.reseller({ scopes: ['teams:write', 'monitors:manage'] })
    for (const scopes of [
      ['teams:read'],
      ['teams:manage'],
      ['members:manage'],
      ['teams:write', 'incidents:read'],
      ['api-keys:write'],
    ]) {
      const { status, body } = await reseller.post('/reseller/tokens', make('x', scopes))
      expect(status, scopes.join()).toBe(403)
      expect(body).toMatchObject({ code: 'scope_escalation' })
      expect(body.plain_text_token).toBeUndefined()
    }
    for (const scopes of [['teams:write'], ['monitors:read'], ['monitors:write', 'monitors:manage']])
      expect((await reseller.post('/reseller/tokens', make('x', scopes))).status, scopes.join()).toBe(201)
  })

  test('lives no longer than the maker', async () => {
    const reseller = await given.reseller()
    const ending = await reseller.post('/reseller/tokens', { ...make('week', ['teams:manage']), expires_at: inDays(7) })
    expect(ending.status).toBe(201)
    const maker = byToken(reseller, ending.body.plain_text_token)
    for (const expires_at of [inDays(8), null]) {
      const { status, body } = await maker.post('/reseller/tokens', { ...make(), expires_at })
      expect(status).toBe(422)
      expect(body.code).toBe('outlives_maker')
      expect(Object.keys(body.errors)).toEqual(['expires_at'])
    }
    expect((await maker.post('/reseller/tokens', { ...make(), expires_at: ending.body.data.expires_at })).status).toBe(
      201,
    )
    expect((await maker.post('/reseller/tokens', make())).body.data.expires_at).toBe(ending.body.data.expires_at)
  })

  test('ignores what is not asked for', async () => {
    const reseller = await given.reseller()
    const rival = await given.reseller()
    const { body } = await reseller.post('/reseller/tokens', {
      ...make(),
      purpose: 'admin',
      is_active: false,
      tenant_id: rival.tenantId,
      user_id: rival.userId,
      last_used_at: inDays(-1),
      id: randomUUID(),
      kind: 'ss',
    })
    expect(body.data).toMatchObject({
      purpose: 'reseller',
      is_active: true,
      last_used_at: null,
      created_by: reseller.userId,
    })
    const { rows } = await app.services.platform.query('select tenant_id, kind from tokens where id = $1', [
      body.data.id,
    ])
    expect(rows).toEqual([{ tenant_id: reseller.tenantId, kind: 'rk' }])
  })

  test('refuses any other kind of token, whatever its scopes', async () => {
    const reseller = await given.reseller()
    const team = await given.team(reseller)
    const others = [
      await given.token(reseller, 'ss', []),
      await given.token(reseller, 'sk', [...resellerScopes]),
      await given.token(reseller, 'svc', [...resellerScopes]),
      await given.impersonation(reseller, team, ['read', 'write', ...resellerScopes]),
    ]
    for (const caller of others)
      for (const [method, path, body] of [
        ['GET', '/reseller/tokens/scopes'],
        ['GET', '/reseller/tokens'],
        ['GET', `/reseller/tokens/${randomUUID()}`],
        ['POST', '/reseller/tokens', make()],
        ['POST', `/reseller/tokens/${randomUUID()}/rotate`, {}],
        ['POST', `/reseller/tokens/${randomUUID()}/toggle`, {}],
        ['DELETE', `/reseller/tokens/${randomUUID()}`],
      ] as const)
        expect((await caller.call(method, path, body)).status, `${method} ${path}`).toBe(403)
    expect((await given.stranger().post('/reseller/tokens', make())).status).toBe(401)
  })

  test('refuses a reseller that is none any more, at once', async () => {
    const reseller = await given.reseller()
    await app.services.platform.query('update tenants set is_reseller = false where id = $1', [reseller.tenantId])
    const { status, body } = await reseller.post('/reseller/tokens', make())
    expect([status, body.code]).toEqual([403, 'not_a_reseller'])
    await app.services.platform.query('update tenants set is_reseller = true where id = $1', [reseller.tenantId])
    expect((await reseller.post('/reseller/tokens', make())).status).toBe(201)
  })

  test.each([
    ['name', {}],
    ['name', { name: '' }],
    ['name', { name: '   ' }],
    ['name', { name: 'n'.repeat(256) }],
    ['name', { name: null }],
    ['name', { name: 5 }],
    ['name', { name: 'a\0b' }],
    ['scopes', { name: 'x', scopes: undefined }],
    ['scopes', { name: 'x', scopes: [] }],
    ['scopes', { name: 'x', scopes: null }],
    ['scopes', { name: 'x', scopes: 'teams:read' }],
    ['scopes.0', { name: 'x', scopes: ['teams'] }],
    ['scopes.1', { name: 'x', scopes: ['teams:read', 'teams:admin'] }],
    ['scopes.0', { name: 'x', scopes: ['billing:read'] }],
    ['expires_at', { name: 'x', expires_at: 'tomorrow' }],
    ['expires_at', { name: 'x', expires_at: 1_900_000_000 }],
    ['expires_at', { name: 'x', expires_at: inDays(-1) }],
    ['expires_at', { name: 'x', expires_at: '2020-02-30T00:00:00Z' }],
    ['expires_at', { name: 'x', expires_at: '9999-12-31T23:59:59-14:00' }],
    ['expires_at', { name: 'x', expires_at: '' }],
  ])('refuses a wrong %s: %j', async (field, fields) => {
    const reseller = await given.reseller()
    const { status, body } = await reseller.post('/reseller/tokens', { scopes: ['teams:read'], ...fields })
    expect(status).toBe(422)
    expect(Object.keys(body.errors)).toContain(field)
  })

  test('takes what lies just inside', async () => {
    const reseller = await given.reseller()
    for (const fields of [
      { name: 'n' },
      { name: '🗝'.repeat(127) },
      { name: 'n'.repeat(255) },
      { expires_at: null },
      { expires_at: '2999-12-31' },
      { scopes: resellerScopes },
    ])
      expect((await reseller.post('/reseller/tokens', { ...make(), ...fields })).status, JSON.stringify(fields)).toBe(
        201,
      )
  })
})

describe('POST /auth/reseller-token', () => {
  test('gives a reseller’s administrator the first token', async () => {
    const reseller = await given.reseller()
    for (const role of ['owner', 'admin'] as const) {
      const person = await given.colleague(reseller, role)
      const { status, body } = await person.post('/auth/reseller-token', make('First', [...resellerScopes]))
      expect(status).toBe(201)
      expect(body.data.created_by).toBe(person.userId)
      expect((await byToken(reseller, body.plain_text_token).get('/reseller/tokens')).body.meta.total).toBeGreaterThan(
        0,
      )
    }
    expect(await app.audited(reseller)).toEqual(['reseller_token.created', 'reseller_token.created'])
  })

  test('refuses all others', async () => {
    const reseller = await given.reseller()
    const team = await given.team(reseller)
    const others = [
      await given.colleague(reseller, 'member'),
      await given.colleague(reseller, 'viewer'),
      reseller,
      await given.token(reseller, 'sk', ['settings:manage']),
      await given.token(reseller, 'svc', ['settings:manage']),
      await given.impersonation(reseller, team),
      team,
      await given.tenant(),
    ]
    for (const caller of others) expect((await caller.post('/auth/reseller-token', make())).status).toBe(403)
    const locked = await given.colleague(reseller, 'owner')
    await app.services.platform.query('update tokens set is_locked = true where user_id = $1', [locked.userId])
    expect((await locked.post('/auth/reseller-token', make())).body.code).toBe('session_needed')
    expect((await given.stranger().post('/auth/reseller-token', make())).status).toBe(401)
  })
})
