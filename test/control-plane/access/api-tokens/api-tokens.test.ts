import { randomUUID } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { tenantScopes } from '#contract/scopes.ts'
import { app, given } from '#test/support/app.ts'
import { byToken } from '#test/support/by-token.ts'

const { platform } = app.services
const shop = { name: 'Shop', url: 'https://shop.example.com/' }
const make = (scopes: string[] = ['monitors:write']) => ({ name: 'Laptop', scopes })
const verbs = (id: string) =>
  [
    ['GET', '/api-tokens'],
    ['POST', '/api-tokens', make()],
    ['GET', `/api-tokens/${id}`],
    ['PATCH', `/api-tokens/${id}`, { name: 'x' }],
    ['POST', `/api-tokens/${id}/rotate`, {}],
    ['DELETE', `/api-tokens/${id}`],
  ] as const

test('GET /api-tokens/scopes lists the ten families with a sentence each', async () => {
  const { status, body } = await (await given.tenant({ role: 'viewer' })).get('/api-tokens/scopes')
  expect(status).toBe(200)
  expect(body.data.map((scope: { value: string }) => scope.value)).toEqual(tenantScopes)
  expect(new Set(tenantScopes.map(scope => scope.split(':')[0])).size).toBe(10)
  expect(tenantScopes).toHaveLength(27)
  for (const { description } of body.data) expect(description).toMatch(/^[A-Z].{8,}\.$/)
  expect((await given.stranger().get('/api-tokens/scopes')).status).toBe(401)
})

describe('personal tokens', () => {
  test('act in the name of who made them', async () => {
    const team = await given.tenant()
    const member = await given.colleague(team, 'member')
    const { status, body } = await member.post('/api-tokens', make(['monitors:write', 'monitors:read']))
    expect(status).toBe(201)
    expect(body.plain_text_token).toMatch(/^sk-[\w-]{50}$/)
    expect(body.data).toMatchObject({
      name: 'Laptop',
      scopes: ['monitors:read', 'monitors:write'],
      created_by: member.userId,
      rotated_from: null,
      is_active: true,
    })
    const token = byToken(member, body.plain_text_token)
    expect((await token.get('/user')).body.id).toBe(member.userId)
    expect((await token.post('/monitors', shop)).status).toBe(201)
    expect((await token.get('/incidents')).status).toBe(403)
    const { rows } = await platform.query(
      `select user_id, token_id from audit_entries where tenant_id = $1 and action = 'monitor.created'`,
      [team.tenantId],
    )
    expect(rows).toEqual([{ user_id: member.userId, token_id: body.data.id }])
  })

  test('are listed, renamed, disabled, rotated and revoked only by their person', async () => {
    const team = await given.tenant()
    const member = await given.colleague(team, 'member')
    const { data, plain_text_token } = (await member.post('/api-tokens', make())).body
    const path = `/api-tokens/${data.id}`
    expect((await member.get('/api-tokens')).body.data.map((token: { id: string }) => token.id)).toEqual([data.id])
    expect((await team.get('/api-tokens')).body.data).toEqual([])
    for (const [method, way, body] of verbs(data.id).filter(([, way]) => way !== '/api-tokens'))
      for (const unknown of [way, way.replace(data.id, randomUUID())])
        expect((await team.call(method, unknown, body)).status, `${method} ${way}`).toBe(404)
    expect((await member.patch(path, { is_active: false, name: 'Old laptop' })).body.data).toMatchObject({
      is_active: false,
      name: 'Old laptop',
    })
    expect((await byToken(member, plain_text_token).get('/user')).status).toBe(401)
    expect((await member.post(`${path}/rotate`)).body.code).toBe('token_disabled')
    await member.patch(path, { is_active: true })
    const fresh = (await member.post(`${path}/rotate`, { grace_period_hours: 168 })).body
    expect(fresh.data).toMatchObject({ rotated_from: data.id, name: 'Old laptop' })
    expect((await member.post(`${path}/rotate`)).status).toBe(422)
    for (const secret of [plain_text_token, fresh.plain_text_token])
      expect((await byToken(member, secret).get('/user')).body.id).toBe(member.userId)
    expect((await member.delete(path)).status).toBe(204)
    expect((await byToken(member, plain_text_token).get('/user')).status).toBe(401)
    expect(await app.audited(team)).toEqual([
      'api_token.created',
      'api_token.updated',
      'api_token.updated',
      'api_token.rotated',
      'api_token.deleted',
    ])
  })

  test('hold no more than the person’s role', async () => {
    const owner = await given.tenant()
    for (const [role, may, mayNot] of [
      [
        'viewer',
        ['monitors:read', 'team:read', 'billing:read'],
        ['monitors:write', 'monitors:manage', 'settings:write'],
      ],
      [
        'member',
        ['monitors:write', 'incidents:write', 'settings:read'],
        ['monitors:manage', 'team:write', 'settings:write', 'billing:write'],
      ],
      ['admin', [...tenantScopes], []],
    ] as const) {
      const person = await given.colleague(owner, role)
      expect((await person.post('/api-tokens', make([...may]))).status, role).toBe(201)
      for (const scope of mayNot)
        expect((await person.post('/api-tokens', make(['monitors:read', scope]))).body.code, `${role} ${scope}`).toBe(
          'scope_escalation',
        )
    }
  })

  test('lose what the person’s role loses, at once, and end with the membership', async () => {
    const owner = await given.tenant()
    const person = await given.colleague(owner, 'admin')
    const token = byToken(
      person,
      (await person.post('/api-tokens', make(['monitors:manage', 'settings:manage']))).body.plain_text_token,
    )
    const demote = (role: string) =>
      platform.query('update memberships set role = $2 where user_id = $1', [person.userId, role])
    const can = async () => [
      (await token.get('/monitors')).status,
      (await token.post('/monitors', shop)).status,
      (await token.get('/api-keys')).status,
    ]
    expect(await can()).toEqual([200, 201, 200])
    await demote('member')
    expect(await can()).toEqual([200, 201, 403])
    await demote('viewer')
    expect(await can()).toEqual([200, 403, 403])
    await demote('owner')
    expect(await can()).toEqual([200, 201, 200])
    await platform.query('delete from memberships where user_id = $1', [person.userId])
    expect(await can()).toEqual([401, 401, 401])
  })

  test('come from one’s own session only', async () => {
    const reseller = await given.reseller()
    const team = await given.team(reseller)
    const { id } = (await team.post('/api-tokens', make())).body.data
    const locked = await given.token(team, 'ss', [])
    await platform.query(
      `update tokens set is_locked = true where user_id = $1
       and id = (select id from tokens where user_id = $1 and kind = 'ss' order by created_at desc limit 1)`,
      [team.userId],
    )
    const others = [
      locked,
      await given.token(team, 'sk', [...tenantScopes]),
      await given.token(team, 'svc', [...tenantScopes]),
      await given.impersonation(reseller, team),
      reseller,
    ]
    for (const [method, path, body] of verbs(id)) {
      for (const caller of others) expect((await caller.call(method, path, body)).status, `${method} ${path}`).toBe(403)
      expect((await given.stranger().call(method, path, body)).status).toBe(401)
    }
    expect((await team.get(`/api-tokens/${id}`)).body.data.name).toBe('Laptop')
  })

  test('a header moves them to no other tenant', async () => {
    const reseller = await given.reseller()
    const team = await given.team(reseller)
    const person = await given.colleague(reseller, 'owner')
    const { status, body } = await person.post('/api-tokens', make(), { headers: { 'X-Tenant-Id': team.tenantId } })
    expect(status).toBe(201)
    const { rows } = await platform.query('select tenant_id from tokens where id = $1', [body.data.id])
    expect(rows).toEqual([{ tenant_id: reseller.tenantId }])
  })

  test.each([
    ['name', { name: '' }],
    ['name', { name: null }],
    ['scopes', { scopes: [] }],
    ['scopes.0', { scopes: ['sso:read'] }],
    ['expires_at', { expires_at: '2020-01-01' }],
    ['allowed_ips.0', { allowed_ips: ['10.0.0.0/99'] }],
  ])('refuse a wrong %s: %j', async (field, fields) => {
    const { status, body } = await (await given.tenant()).post('/api-tokens', { ...make(), ...fields })
    expect([status, Object.keys(body.errors ?? {})]).toEqual([422, [field]])
  })
})
