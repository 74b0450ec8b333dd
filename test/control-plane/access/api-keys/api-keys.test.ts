import { randomUUID } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { tenantScopes } from '#contract/scopes.ts'
import { app, type CallerUnderTest, given } from '#test/support/app.ts'
import { byToken } from '#test/support/by-token.ts'

const { platform } = app.services
const shop = { name: 'Shop', url: 'https://shop.example.com/' }
const make = (scopes: string[] = ['monitors:manage']) => ({ name: 'Deploy', scopes })
const verbs = (id: string) =>
  [
    ['GET', '/api-keys'],
    ['POST', '/api-keys', make()],
    ['GET', `/api-keys/${id}`],
    ['PATCH', `/api-keys/${id}`, { name: 'x' }],
    ['POST', `/api-keys/${id}/rotate`, {}],
    ['DELETE', `/api-keys/${id}`],
  ] as const

describe('a team’s own API keys', () => {
  test('an administrator creates one, which acts for the team and for no person', async () => {
    const team = await given.tenant()
    const admin = await given.colleague(team, 'admin')
    const { status, body } = await admin.post('/api-keys', {
      ...make(['monitors:manage', 'settings:read']),
      expires_at: '2999-01-01T00:00:00Z',
    })
    expect(status).toBe(201)
    expect(body.plain_text_token).toMatch(/^svc-[\w-]{50}$/)
    expect(body.data).toMatchObject({
      name: 'Deploy',
      masked_token: `svc-********${body.plain_text_token.slice(-4)}`,
      scopes: ['monitors:manage', 'settings:read'],
      allowed_ips: null,
      is_active: true,
      last_used_at: null,
      last_used_ip: null,
      expires_at: '2999-01-01T00:00:00.000000Z',
      created_by: admin.userId,
      rotated_from: null,
    })
    const key = byToken(team, body.plain_text_token)
    expect((await key.post('/monitors', shop)).status).toBe(201)
    expect((await key.get('/user')).status).toBe(403)
    expect((await key.get('/incidents')).status).toBe(403)
    const log = (await key.get('/audit-log')).body.data
    expect(log.map((entry: { action: string }) => entry.action)).toEqual(['monitor.created', 'api_key.created'])
    expect(log[0]).toMatchObject({ user_id: null, token_id: body.data.id })
    expect(log[1]).toMatchObject({
      entity_type: 'personal_access_token',
      entity_id: body.data.id,
      user_id: admin.userId,
    })
    await expect.poll(async () => (await team.get(`/api-keys/${body.data.id}`)).body.data.last_used_ip).toBe(key.ip)
    // it acts for the team, and follows the role of who made it
    await platform.query('delete from memberships where user_id = $1', [admin.userId])
    expect((await key.get('/monitors')).status).toBe(401)
  })

  test('lists them newest first, masked, in pages; not those of people', async () => {
    const team = await given.tenant()
    await given.token(team, 'sk', ['monitors:read'])
    const secrets: string[] = []
    for (const name of ['one', 'two', 'three'])
      secrets.push((await team.post('/api-keys', { ...make(), name })).body.plain_text_token)
    const { body, text } = await team.get('/api-keys')
    expect(body.data.map((key: { name: string }) => key.name)).toEqual(['three', 'two', 'one'])
    expect(body.meta.total).toBe(3)
    for (const secret of secrets) expect(text).not.toContain(secret.slice(4, 40))
    expect((await team.get('/api-keys?per_page=2&page=2')).body.data).toHaveLength(1)
    for (const query of ['per_page=0', 'per_page=101', 'page=0'])
      expect((await team.get(`/api-keys?${query}`)).status).toBe(422)
  })

  test('is renamed, disabled at once and enabled again', async () => {
    const team = await given.tenant()
    const { data, plain_text_token } = (await team.post('/api-keys', make())).body
    const key = byToken(team, plain_text_token)
    expect((await team.patch(`/api-keys/${data.id}`, { name: 'Renamed', is_active: false })).body.data).toMatchObject({
      name: 'Renamed',
      is_active: false,
    })
    expect((await key.get('/monitors')).status).toBe(401)
    expect((await team.patch(`/api-keys/${data.id}`, { is_active: true })).body.data).toMatchObject({
      name: 'Renamed',
      is_active: true,
    })
    expect((await key.get('/monitors')).status).toBe(200)
    await team.patch(`/api-keys/${data.id}`, {})
    await team.patch(`/api-keys/${data.id}`, {
      scopes: ['team:manage'],
      allowed_ips: ['10.0.0.0/8'],
      expires_at: null,
      tenant_id: randomUUID(),
    })
    expect((await team.get(`/api-keys/${data.id}`)).body.data).toMatchObject({
      scopes: ['monitors:manage'],
      allowed_ips: null,
    })
    const { rows } = await platform.query(
      `select changes from audit_entries where tenant_id = $1 and action = 'api_key.updated' order by created_at, id`,
      [team.tenantId],
    )
    expect(rows.map(row => row.changes)).toEqual([
      { name: { before: 'Deploy', after: 'Renamed' }, is_active: { before: true, after: false } },
      { is_active: { before: false, after: true } },
    ])
    for (const change of [{ name: '' }, { name: null }, { is_active: 'no' }, { is_active: null }])
      expect((await team.patch(`/api-keys/${data.id}`, change)).status).toBe(422)
  })

  test('rotates with grace, once, and is deleted for good', async () => {
    const team = await given.tenant()
    const old = (await team.post('/api-keys', { ...make(), allowed_ips: ['198.0.0.0/8'] })).body
    const { status, body } = await team.post(`/api-keys/${old.data.id}/rotate`, { grace_period_hours: 1 })
    expect(status).toBe(201)
    expect(body.data).toMatchObject({
      rotated_from: old.data.id,
      scopes: ['monitors:manage'],
      allowed_ips: ['198.0.0.0/8'],
      expires_at: null,
    })
    for (const secret of [old.plain_text_token, body.plain_text_token])
      expect((await byToken(team, secret).get('/monitors')).status).toBe(200)
    expect((await team.post(`/api-keys/${old.data.id}/rotate`)).body.code).toBe('already_rotated')
    const { rows } = await platform.query(
      `select payload->'input' as input from outbox where tenant_id = $1 and name = 'tokenGrace'`,
      [team.tenantId],
    )
    expect(rows[0].input).toEqual({
      tokenId: old.data.id,
      tenantId: team.tenantId,
      expiresAtMs: new Date(body.rotated_from.expires_at).getTime(),
    })
    expect((await team.delete(`/api-keys/${body.data.id}`)).status).toBe(204)
    expect((await byToken(team, body.plain_text_token).get('/monitors')).status).toBe(401)
    expect((await team.get(`/api-keys/${body.data.id}`)).status).toBe(404)
    for (const hours of [0, 169, '1', 1.5])
      expect((await team.post(`/api-keys/${old.data.id}/rotate`, { grace_period_hours: hours })).status).toBe(422)
  })

  test('only for owners, administrators and tokens with settings:manage; never under impersonation', async () => {
    const reseller = await given.reseller()
    const team = await given.team(reseller)
    const { id } = (await team.post('/api-keys', make(['monitors:read']))).body.data
    const resellerPerson = await given.colleague(reseller, 'owner')
    const outsiders: [string, CallerUnderTest, Record<string, string>][] = [
      ['member', await given.colleague(team, 'member'), {}],
      ['viewer', await given.colleague(team, 'viewer'), {}],
      ['settings:write', await given.token(team, 'sk', ['settings:write', 'team:manage']), {}],
      ['impersonation', await given.impersonation(reseller, team), {}],
      ['reseller by header', reseller, { 'X-Tenant-Id': team.tenantId }],
      ['reseller’s person by header', resellerPerson, { 'X-Tenant-Id': team.tenantId }],
    ]
    for (const [method, path, body] of verbs(id)) {
      for (const [name, caller, headers] of outsiders)
        expect((await caller.call(method, path, body, { headers })).status, `${name}: ${method} ${path}`).toBe(403)
      expect((await given.stranger().call(method, path, body)).status).toBe(401)
    }
    const manager = await given.token(team, 'sk', ['settings:manage', 'monitors:read'])
    expect((await manager.get('/api-keys')).status).toBe(200)
    expect((await manager.post('/api-keys', make(['monitors:read']))).status).toBe(201)
    expect((await manager.post('/api-keys', make(['monitors:write']))).body.code).toBe('scope_escalation')
    const { id: broad } = (await team.post('/api-keys', make(['billing:write']))).body.data
    expect((await manager.post(`/api-keys/${broad}/rotate`)).body.code).toBe('scope_escalation')
    expect((await manager.patch(`/api-keys/${broad}`, { is_active: false })).status).toBe(200)
    expect((await manager.patch(`/api-keys/${broad}`, { is_active: true })).body.code).toBe('scope_escalation')
    expect((await manager.delete(`/api-keys/${broad}`)).status).toBe(204)
  })

  test('another tenant’s key, or a token of a person, is unknown', async () => {
    const [team, other] = [await given.tenant(), await given.tenant()]
    const { id } = (await other.post('/api-keys', make())).body.data
    await given.token(team, 'sk', [])
    const { rows } = await platform.query(`select id from tokens where tenant_id = $1 and kind = 'sk'`, [team.tenantId])
    const bytes = new Set<string>()
    for (const unknown of [id, rows[0].id, randomUUID()])
      for (const [method, path, body] of verbs(unknown).filter(([, path]) => path !== '/api-keys')) {
        const answer = await team.call(method, path, body)
        expect(answer.status, `${method} ${path}`).toBe(404)
        bytes.add(JSON.stringify({ ...answer.body, request_id: '' }))
      }
    expect(bytes.size).toBe(1)
    expect((await other.get(`/api-keys/${id}`)).body.data.name).toBe('Deploy')
  })

  test.each([
    ['name', { name: '' }],
    ['name', { name: 'n'.repeat(256) }],
    ['scopes', { scopes: [] }],
    ['scopes.0', { scopes: ['monitors:everything'] }],
    ['scopes.0', { scopes: ['teams:read'] }],
    ['scopes.0', { scopes: ['billing:manage'] }],
    ['expires_at', { expires_at: '2020-01-01T00:00:00Z' }],
    ['allowed_ips', { allowed_ips: [] }],
    ['allowed_ips', { allowed_ips: '192.0.2.1' }],
    ['allowed_ips', { allowed_ips: Array(51).fill('192.0.2.1') }],
    ['allowed_ips.0', { allowed_ips: ['192.0.2.0/33'] }],
    ['allowed_ips.1', { allowed_ips: ['192.0.2.1', 'example.com'] }],
    ['allowed_ips.0', { allowed_ips: ['2001:db8::/129'] }],
    ['allowed_ips.0', { allowed_ips: ['192.0.2.1/8/8'] }],
    ['allowed_ips.0', { allowed_ips: ['::ffff:192.0.2.1'] }],
    ['allowed_ips.0', { allowed_ips: ['fe80::1%eth0'] }],
    ['allowed_ips.0', { allowed_ips: ['0300.1.1.1'] }],
    ['allowed_ips.0', { allowed_ips: [''] }],
  ])('refuses a wrong %s: %j', async (field, fields) => {
    const { status, body } = await (await given.tenant()).post('/api-keys', { ...make(), ...fields })
    expect([status, Object.keys(body.errors ?? {})]).toEqual([422, [field]])
  })

  test('of twenty made at once the plan lets through its number, keys and personal tokens together', async () => {
    const team = await given.team(await given.reseller(), { overrides: { api_keys: 3 } })
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, index) => team.post(index % 2 ? '/api-keys' : '/api-tokens', make())),
    )
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(3)
    for (const { body } of answers.filter(({ status }) => status !== 201))
      expect(body).toMatchObject({ code: 'plan_limit', errors: { api_keys: expect.any(Array) } })
    expect(await app.emitted(team)).toContain('tenant.quota_exceeded')
    const made = answers.find(({ status, body }) => status === 201 && body.data.masked_token.startsWith('svc'))
    if (made) expect((await team.post(`/api-keys/${made.body.data.id}/rotate`)).status).toBe(201)
    expect((await team.post('/api-keys', make())).status).toBe(422)
  })

  test('takes every general scope', async () => {
    const { body } = await (await given.tenant()).post('/api-keys', make([...tenantScopes]))
    expect(body.data.scopes).toEqual(tenantScopes)
  })
})

describe('a managed team’s API keys, by its reseller', () => {
  test('are the same keys', async () => {
    const reseller = await given.reseller({ scopes: ['api-keys:manage', 'monitors:manage'] })
    const team = await given.team(reseller)
    const { status, body } = await reseller.post(`${team.path}/api-keys`, make())
    expect(status).toBe(201)
    expect(body.data.created_by).toBe(reseller.userId)
    const path = `/api-keys/${body.data.id}`
    expect((await team.get(path)).body.data.name).toBe('Deploy')
    const key = byToken(team, body.plain_text_token)
    expect((await key.post('/monitors', shop)).status).toBe(201)
    expect((await team.get('/monitors')).body.meta.total).toBe(1)
    expect((await key.get(`${team.path}/monitors`)).status).toBe(403)
    expect((await reseller.patch(team.path + path, { name: 'x' })).status).toBe(200)
    expect((await reseller.post(`${team.path}${path}/rotate`)).status).toBe(201)
    expect((await reseller.get(`${team.path}/api-keys`)).body.meta.total).toBe(2)
    expect((await reseller.delete(team.path + path)).status).toBe(204)
    expect((await key.get('/monitors')).status).toBe(401)
    expect(await app.audited(team)).toEqual([
      'api_key.created',
      'monitor.created',
      'api_key.updated',
      'api_key.rotated',
      'api_key.deleted',
    ])
  })

  test('hold no more than the reseller’s token may do', async () => {
    const reseller = await given.reseller({
      scopes: ['api-keys:write', 'monitors:write', 'notifications:read', 'teams:manage', 'members:read'],
    })
    const team = await given.team(reseller)
    const may = async (scope: string) => (await reseller.post(`${team.path}/api-keys`, make([scope]))).status
    for (const scope of [
      'monitors:write',
      'checks:write',
      'notifications:read',
      'escalation:read',
      'billing:write',
      'team:read',
    ])
      expect(await may(scope), scope).toBe(201)
    for (const scope of [
      'monitors:read',
      'monitors:manage',
      'notifications:write',
      'incidents:read',
      'settings:read',
      'team:write',
      'status-pages:read',
      'maintenance:write',
    ])
      expect(await may(scope), scope).toBe(403)
    const { id } = (await team.post('/api-keys', make(['incidents:manage']))).body.data
    expect((await reseller.post(`${team.path}/api-keys/${id}/rotate`)).body.code).toBe('scope_escalation')
    expect((await reseller.delete(`${team.path}/api-keys/${id}`)).status).toBe(204)
  })

  test('need api-keys, to read or to write, and a team of the reseller’s', async () => {
    const reseller = await given.reseller({ scopes: ['api-keys:read', 'monitors:manage', 'teams:manage'] })
    const team = await given.team(reseller)
    const { id } = (await team.post('/api-keys', make())).body.data
    const others = await given.token(reseller, 'rk', ['teams:manage', 'monitors:manage', 'members:manage'])
    const rival = await given.reseller()
    const sister = await given.team(reseller)
    const all = await given.token(reseller, 'rk', ['api-keys:manage', 'monitors:manage'])
    for (const [method, path, body] of verbs(id)) {
      const isRead = method === 'GET'
      expect((await reseller.call(method, team.path + path, body)).status, `${method} ${path}`).toBe(isRead ? 200 : 403)
      expect((await others.call(method, team.path + path, body)).status).toBe(403)
      expect((await rival.call(method, team.path + path, body)).status).toBe(403)
      expect((await team.call(method, team.path + path, body)).status).toBe(403)
      if (path !== '/api-keys') expect((await all.call(method, sister.path + path, body)).status).toBe(404)
    }
    expect((await team.get(`/api-keys/${id}`)).status).toBe(200)
  })

  test('go when the reseller lets the team go; those of its own people stay', async () => {
    const reseller = await given.reseller()
    const team = await given.team(reseller)
    const [theirs, own] = [await reseller.post(`${team.path}/api-keys`, make()), await team.post('/api-keys', make())]
    expect((await reseller.post(`${team.path}/decouple`)).status).toBe(200)
    expect((await byToken(team, theirs.body.plain_text_token).get('/monitors')).status).toBe(401)
    expect((await byToken(team, own.body.plain_text_token).get('/monitors')).status).toBe(200)
    expect((await team.get('/api-keys')).body.data.map((key: { id: string }) => key.id)).toEqual([own.body.data.id])
  })

  test('end with the team', async () => {
    const reseller = await given.reseller()
    const team = await given.team(reseller)
    const key = byToken(team, (await team.post('/api-keys', make())).body.plain_text_token)
    await platform.query('update tenants set deleted_at = now() where id = $1', [team.tenantId])
    expect((await key.get('/monitors')).status).toBe(401)
  })
})
