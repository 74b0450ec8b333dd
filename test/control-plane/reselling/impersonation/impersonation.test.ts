import { randomUUID } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { app, type CallerUnderTest, given, type TeamUnderTest } from '#test/support/app.ts'
import { byToken } from '#test/support/by-token.ts'

const { platform } = app.services
const rounds = Number(process.env.RACE_ROUNDS ?? 3)
const tokensOf = (team: TeamUnderTest) => `${team.path}/impersonation-tokens`
const shop = { name: 'Shop', url: 'https://shop.example.com/' }

async function aTeam() {
  const reseller = await given.reseller({ scopes: ['teams:write'] })
  return { reseller, team: await given.team(reseller) }
}

/** A caller with a new impersonation token of the team. */
async function stepIn(reseller: CallerUnderTest, team: TeamUnderTest, fields: Record<string, unknown> = {}) {
  const { status, body } = await reseller.post(tokensOf(team), fields)
  expect(status).toBe(201)
  return { inside: byToken(team, body.plain_text_token), id: body.data.id as string }
}

describe('POST …/impersonation-tokens', () => {
  test('creates a token that acts in the team, and audits it in both logs', async () => {
    const { reseller, team } = await aTeam()
    const { status, body } = await reseller.post(tokensOf(team), { ttl_minutes: 5, label: 'Ticket 7' })
    expect(status).toBe(201)
    expect(body.plain_text_token).toMatch(/^ik-[\w-]{50}$/)
    expect(body.data).toEqual({
      id: body.data.id,
      managed_team_id: team.id,
      managed_tenant_id: team.tenantId,
      scopes: ['read', 'write'],
      expires_at: body.data.expires_at,
      ttl_minutes: 5,
    })
    expect((new Date(body.data.expires_at).getTime() - Date.now()) / 60_000).toBeCloseTo(5, 0)
    expect((await byToken(team, body.plain_text_token).post('/monitors', shop)).status).toBe(201)
    expect((await team.get('/monitors')).body.data[0].name).toBe('Shop')
    for (const trail of [reseller, team]) expect(await app.audited(trail)).toContain('impersonation_token.created')
    const { rows } = await platform.query(
      `select user_id, entity_type, entity_id from audit_entries where action = 'impersonation_token.created'
       and tenant_id = $1`,
      [team.tenantId],
    )
    expect(rows).toEqual([{ user_id: reseller.userId, entity_type: 'personal_access_token', entity_id: body.data.id }])
  })

  test('what it does is noted with the service user and with who stands behind', async () => {
    const { reseller, team } = await aTeam()
    const { inside, id } = await stepIn(reseller, team)
    await inside.post('/monitors', shop)
    const { body } = await team.get('/audit-log?action=monitor.created')
    expect(body.data[0]).toMatchObject({
      user_id: (await inside.get('/user')).body.id,
      user_name: 'Impersonation',
      impersonator_id: reseller.userId,
      token_id: id,
    })
  })

  test('its person is one for each team, without a password, and in no count', async () => {
    const { reseller, team } = await aTeam()
    const { inside } = await stepIn(reseller, team)
    await stepIn(reseller, team)
    const { rows } = await platform.query(
      `select u.email, u.password_hash, m.role from users u join memberships m on m.user_id = u.id
       where u.is_service and m.tenant_id = $1`,
      [team.tenantId],
    )
    expect(rows).toEqual([{ email: `impersonation@${team.tenantId}.invalid`, password_hash: null, role: 'admin' }])
    const signIn = await given.stranger().post('/auth/token', { email: rows[0].email, password: 'x', device_name: 'x' })
    expect(signIn.status).toBe(401)
    expect((await team.get('/plan')).body.data.usage.team_members).toBe(1)
    expect((await team.get('/members')).body.meta.total).toBe(1)
    expect((await inside.get('/user')).body).toMatchObject({ email: rows[0].email, tenant_id: team.tenantId })
  })

  test('with an idempotency key it is created once', async () => {
    const { reseller, team } = await aTeam()
    const headers = { 'Idempotency-Key': randomUUID() }
    const [one, two] = [
      await reseller.post(tokensOf(team), {}, { headers }),
      await reseller.post(tokensOf(team), {}, { headers }),
    ]
    expect(two.body).toEqual(one.body)
    expect((await reseller.get(tokensOf(team))).body.data).toHaveLength(1)
  })

  test('its scopes are what it may do', async () => {
    const { reseller, team } = await aTeam()
    const { inside: reader } = await stepIn(reseller, team, { scopes: ['read'] })
    const { inside: writer } = await stepIn(reseller, team, { scopes: ['write', 'write'] })
    expect((await reader.get('/monitors')).status).toBe(200)
    const made = await writer.post('/monitors', shop)
    expect(made.status).toBe(201)
    expect((await writer.get('/monitors')).status).toBe(403)
    for (const [method, path, body] of [
      ['POST', '/monitors', shop],
      ['PATCH', `/monitors/${made.body.data.id}`, { name: 'x' }],
      ['DELETE', `/monitors/${made.body.data.id}`],
      ['POST', `/monitors/${made.body.data.id}/disable`, {}],
    ] as const)
      expect((await reader.call(method, path, body)).status, `${method} ${path}`).toBe(403)
  })

  test('the header moves it nowhere, and it opens no reseller endpoint', async () => {
    const { reseller, team } = await aTeam()
    const sister = await given.team(reseller)
    await sister.post('/monitors', { ...shop, name: 'Sister' })
    const { inside } = await stepIn(reseller, team)
    for (const header of [sister.tenantId, reseller.tenantId, 'garbage', '']) {
      const { status, body } = await inside.get('/monitors', { headers: { 'X-Tenant-Id': header } })
      expect([status, body.data]).toEqual([200, []])
    }
    for (const path of ['/reseller/tokens/scopes', '/reseller/tokens', tokensOf(team), `${team.path}/monitors`])
      expect((await inside.get(path)).status, path).toBe(403)
    expect((await inside.post(tokensOf(team))).status).toBe(403)
    expect((await inside.delete('/auth/token')).status).toBe(403)
  })

  test('five live at a time: the sixth is refused, until one ends', async () => {
    const { reseller, team } = await aTeam()
    const ids: string[] = []
    for (let i = 0; i < 5; i++) ids.push((await stepIn(reseller, team)).id)
    const { status, body } = await reseller.post(tokensOf(team))
    expect([status, body.code, Object.keys(body.errors)]).toEqual([422, 'impersonation_limit', ['managed_team']])
    expect(body.plain_text_token).toBeUndefined()
    expect((await reseller.post(tokensOf(await given.team(reseller)))).status).toBe(201)
    await reseller.delete(`${tokensOf(team)}/${ids[0]}`)
    await stepIn(reseller, team)
    await platform.query(`update tokens set expires_at = clock_timestamp() - interval '1 second' where id = $1`, [
      ids[1],
    ])
    await stepIn(reseller, team)
    expect((await reseller.post(tokensOf(team))).status).toBe(422)
  })

  test('of fifty asked for at once five are made, with one service user', {
    timeout: 60_000 + rounds * 10_000,
  }, async () => {
    for (let round = 0; round < rounds; round++) {
      const { reseller, team } = await aTeam()
      const answers = await Promise.all(Array.from({ length: 50 }, () => reseller.post(tokensOf(team))))
      expect(answers.map(answer => answer.status).sort()).toEqual([...Array(5).fill(201), ...Array(45).fill(422)])
      const { rows } = await platform.query(
        `select (select count(*)::int from tokens where tenant_id = $1 and kind = 'ik') as tokens,
                (select count(*)::int from memberships m join users u on u.id = m.user_id where m.tenant_id = $1
                  and u.is_service) as people`,
        [team.tenantId],
      )
      expect(rows).toEqual([{ tokens: 5, people: 1 }])
    }
  })

  test('takes whole minutes from 1 to 15, known scopes and a short label', async () => {
    const { reseller, team } = await aTeam()
    for (const [field, value] of [
      ['ttl_minutes', 0],
      ['ttl_minutes', 16],
      ['ttl_minutes', '15'],
      ['ttl_minutes', 1.5],
      ['ttl_minutes', -1],
      ['ttl_minutes', null],
      ['scopes', []],
      ['scopes', null],
      ['scopes', 'read'],
      ['scopes.0', ['manage']],
      ['scopes.1', ['read', 'monitors:read']],
      ['label', 'l'.repeat(256)],
      ['label', 7],
    ] as const) {
      const { status, body } = await reseller.post(tokensOf(team), { [field.split('.')[0]!]: value })
      expect([status, Object.keys(body.errors ?? {})], JSON.stringify(value)).toEqual([422, [field]])
    }
    for (const fields of [
      { ttl_minutes: 1 },
      { ttl_minutes: 15, label: 'l'.repeat(255) },
      { label: null },
      { label: '🕵️' },
    ])
      await stepIn(reseller, team, fields)
  })

  test('lives no longer than the token that made it', async () => {
    const { reseller, team } = await aTeam()
    await platform.query(
      `update tokens set expires_at = clock_timestamp() + interval '3 minutes' where tenant_id = $1`,
      [reseller.tenantId],
    )
    const { body } = await reseller.post(tokensOf(team))
    expect((new Date(body.data.expires_at).getTime() - Date.now()) / 60_000).toBeLessThan(3.1)
  })

  test('only by a reseller token with teams:write, in a team of its own', async () => {
    const { reseller, team } = await aTeam()
    const rival = await given.reseller()
    for (const [method, suffix] of [
      ['GET', ''],
      ['POST', ''],
      ['DELETE', `/${randomUUID()}`],
    ] as const) {
      const ask = async (caller: CallerUnderTest, path = tokensOf(team)) =>
        (await caller.call(method, path + suffix, method === 'POST' ? {} : undefined)).status
      expect(await ask(await given.token(reseller, 'rk', ['teams:read', 'members:manage']))).toBe(403)
      expect(await ask(await given.token(reseller, 'ss', []))).toBe(403)
      expect(await ask(team)).toBe(403)
      expect(await ask(rival)).toBe(403)
      expect(await ask(rival, `/reseller/managed-teams/${randomUUID()}/impersonation-tokens`)).toBe(404)
      expect(await ask(rival, '/reseller/managed-teams/x/impersonation-tokens')).toBe(404)
      expect(await ask(given.stranger())).toBe(401)
    }
    expect(await app.audited(team)).toEqual([])
  })
})

describe('GET …/impersonation-tokens', () => {
  test('lists the living, newest first, without secrets', async () => {
    const { reseller, team } = await aTeam()
    const kept = await reseller.post(tokensOf(team), { label: 'Kept' })
    const over = await stepIn(reseller, team)
    const last = await reseller.post(tokensOf(team), { scopes: ['read'] })
    expect(last.body.data.ttl_minutes).toBe(15)
    await platform.query(`update tokens set expires_at = clock_timestamp() - interval '1 second' where id = $1`, [
      over.id,
    ])
    const { status, body, text } = await reseller.get(tokensOf(team))
    expect(status).toBe(200)
    expect(body.data).toEqual([
      {
        id: last.body.data.id,
        name: 'Impersonation',
        scopes: ['read'],
        expires_at: last.body.data.expires_at,
        impersonated_by_user_id: reseller.userId,
        created_at: body.data[0].created_at,
      },
      expect.objectContaining({ id: kept.body.data.id, name: 'Kept', scopes: ['read', 'write'] }),
    ])
    expect(body.meta).toEqual({ current_page: 1, last_page: 1, per_page: 15, total: 2 })
    expect(body.links).toMatchObject({ prev: null, next: null })
    const second = (await reseller.get(`${tokensOf(team)}?per_page=1&page=2`)).body
    expect(second.data).toMatchObject([{ id: kept.body.data.id }])
    expect(second.links.prev).toContain('page=1')
    for (const made of [kept, last]) expect(text).not.toContain(made.body.plain_text_token.slice(3, 40))
    expect((await reseller.get(tokensOf(await given.team(reseller)))).body.data).toEqual([])
  })
})

describe('DELETE …/impersonation-tokens/{token}', () => {
  test('revokes at once, and audits it in both logs', async () => {
    const { reseller, team } = await aTeam()
    const { inside, id } = await stepIn(reseller, team)
    expect((await inside.get('/monitors')).status).toBe(200)
    const answer = await reseller.delete(`${tokensOf(team)}/${id}`)
    expect([answer.status, answer.text]).toEqual([204, ''])
    expect((await inside.get('/monitors')).status).toBe(401)
    for (const trail of [reseller, team])
      expect(await app.audited(trail)).toEqual(['impersonation_token.created', 'impersonation_token.revoked'])
    expect((await reseller.delete(`${tokensOf(team)}/${id}`)).status).toBe(404)
  })

  test('another team’s token, or one of another kind, is unknown', async () => {
    const { reseller, team } = await aTeam()
    const sister = await given.team(reseller)
    const { inside, id } = await stepIn(reseller, sister)
    const { rows } = await platform.query(`select id from tokens where tenant_id = $1 and kind = 'ss'`, [team.tenantId])
    const bytes = new Set<string>()
    for (const unknown of [id, randomUUID(), rows[0].id]) {
      const { status, body } = await reseller.delete(`${tokensOf(team)}/${unknown}`)
      expect(status).toBe(404)
      bytes.add(JSON.stringify({ ...body, request_id: '' }))
    }
    expect(bytes.size).toBe(1)
    expect((await inside.get('/monitors')).status).toBe(200)
    expect((await team.get('/monitors')).status).toBe(200)
  })
})

test('impersonation may change the team’s branding, but no keys', async () => {
  const { reseller, team } = await aTeam()
  const { inside } = await stepIn(reseller, team)
  expect((await inside.patch('/branding', { brand_name: 'Acme' })).status).toBe(200)
  for (const [method, path, body] of [
    ['GET', '/api-keys'],
    ['POST', '/api-keys', { name: 'x', scopes: ['monitors:read'] }],
    ['GET', '/api-tokens'],
    ['POST', '/api-tokens', { name: 'x', scopes: ['monitors:read'] }],
    ['POST', '/auth/reseller-token', { name: 'x', scopes: ['teams:read'] }],
    ['PATCH', `/members/${team.userId}`, { role: 'viewer' }],
    ['POST', '/invitations', { email: 'new@example.com' }],
    ['POST', `/invitations/${crypto.randomUUID()}/resend`],
    ['POST', '/profile/password', {}],
  ] as const) {
    const { status, body: answer } = await inside.call(method, path, body)
    expect([status, answer.code], `${method} ${path}`).toEqual([403, 'impersonation_refused'])
  }
})

test('deleting the team ends it; restored within its time, the team lets it in again; let go, it is gone', async () => {
  const { reseller, team } = await aTeam()
  const { inside } = await stepIn(reseller, team)
  const { name } = (await (await given.token(reseller, 'rk', ['teams:manage'])).get(team.path)).body.data
  expect((await reseller.delete(team.path, { confirm_name: name })).status).toBe(204)
  expect((await inside.get('/monitors')).status).toBe(401)
  expect((await reseller.post(tokensOf(team))).status).toBe(404)
  expect((await reseller.post(`${team.path}/restore`)).status).toBe(200)
  expect((await inside.get('/monitors')).status).toBe(200)
  expect((await reseller.post(`${team.path}/decouple`)).status).toBe(200)
  expect((await inside.get('/monitors')).status).toBe(401)
  expect((await team.get('/monitors')).status).toBe(200)
})

describe('an impersonation token is dead', () => {
  const endings: Record<string, string> = {
    'one second after its time': `update tokens set expires_at = clock_timestamp() - interval '1 second'
      where tenant_id = $1 and kind = 'ik'`,
    'when the team is soft-deleted': 'update managed_teams set deleted_at = now() where tenant_id = $1',
    'when the tenant is soft-deleted': 'update tenants set deleted_at = now() where id = $1',
    'when the team is let go': 'delete from managed_teams where tenant_id = $1',
    'when another reseller manages the team': `update managed_teams
      set reseller_id = (select id from tenants where is_reseller and id <> reseller_id limit 1)
      where tenant_id = $1`,
    'when its reseller is none any more':
      'update tenants set is_reseller = false where id = (select reseller_id from managed_teams where tenant_id = $1)',
    'when its maker leaves the reseller':
      'delete from memberships where tenant_id = (select reseller_id from managed_teams where tenant_id = $1)',
  }
  test.each(Object.keys(endings))('%s', async ending => {
    const { reseller, team } = await aTeam()
    await given.reseller()
    const { inside } = await stepIn(reseller, team)
    await platform.query(
      `update tokens set expires_at = clock_timestamp() + interval '10 seconds' where tenant_id = $1 and kind = 'ik'`,
      [team.tenantId],
    )
    expect((await inside.get('/monitors')).status).toBe(200)
    await platform.query(endings[ending]!, [team.tenantId])
    expect((await inside.get('/monitors')).status).toBe(401)
  })
})
