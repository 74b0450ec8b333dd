import { randomUUID } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { hashSecret } from '#control-plane/base/token-secret.ts'
import { createUser } from '#control-plane/identity/users/create.ts'
import { app, CallerUnderTest, given } from '#test/support/app.ts'

const password = 'correct horse battery staple'

async function aMember(tenantId: string) {
  const email = `${randomUUID()}@people.test`
  await createUser(app.services.platform, { name: 'Mo Member', email, password, tenantId, role: 'admin' })
  return email
}
const signIn = (caller: CallerUnderTest, email: string, extra: Record<string, unknown> = {}) =>
  caller.post('/auth/token', { email, password, device_name: 'a test', ...extra })

describe('POST /auth/token', () => {
  test('answers a session token and the person, and leaves a trace', async () => {
    const tenant = await given.tenant()
    const email = await aMember(tenant.tenantId)
    const { status, body } = await signIn(given.stranger(), email)
    expect(status).toBe(201)
    expect(body.token).toMatch(/^ss-/)
    expect(body.user).toMatchObject({ email, tenant_id: tenant.tenantId, role: 'admin', language: 'en' })
    expect(body.user.managed_teams).toBeUndefined()
    expect(await app.audited(tenant)).toContain('session.created')

    const signedIn = new CallerUnderTest(tenant.tenantId, body.user.id, body.token)
    expect((await signedIn.get('/user')).body).toEqual(body.user)
  })

  test('marks an operator, in the answer and to the session', async () => {
    const { tenantId } = await given.tenant()
    const email = await aMember(tenantId)
    await app.services.platform.query('update users set is_super_admin = true where email = $1', [email])
    const { body } = await signIn(given.stranger(), email)
    expect(body.user.is_super_admin).toBe(true)
    expect((await new CallerUnderTest(tenantId, body.user.id, body.token).get('/user')).body).toEqual(body.user)
  })

  test('shows a reseller the teams it manages', async () => {
    const reseller = await given.reseller()
    const team = await given.team(reseller, { label: 'gold' })
    const email = await aMember(reseller.tenantId)
    const { body } = await signIn(given.stranger(), email)
    const { name, slug } = (await reseller.get(team.path)).body.data
    expect(body.user.managed_teams).toEqual([{ id: team.id, tenant_id: team.tenantId, name, slug, label: 'gold' }])
  })

  test('an unknown account and a wrong password get the same answer', async () => {
    const email = await aMember((await given.tenant()).tenantId)
    const wrong = await signIn(given.stranger(), email, { password: 'wrong' })
    const unknown = await signIn(given.stranger(), `${randomUUID()}@people.test`)
    expect([wrong.status, unknown.status]).toEqual([401, 401])
    expect({ ...wrong.body, request_id: null }).toEqual({ ...unknown.body, request_id: null })
  })

  test('names each missing or wrong field', async () => {
    const stranger = given.stranger()
    expect(Object.keys((await stranger.post('/auth/token', {})).body.errors).sort()).toEqual([
      'device_name',
      'email',
      'password',
    ])
    expect(Object.keys((await signIn(stranger, 'not-an-address')).body.errors)).toEqual(['email'])
    expect(Object.keys((await signIn(stranger, 'a@b.test', { device_name: 'x'.repeat(256) })).body.errors)).toEqual([
      'device_name',
    ])
    expect((await stranger.post('/auth/token', '{"email":')).status).toBe(400)
  })

  test('guessing is refused by address, and does not block other addresses', async () => {
    const email = await aMember((await given.tenant()).tenantId)
    const one = given.stranger()
    for (let i = 0; i < 10; i++) expect((await signIn(one, `${randomUUID()}@people.test`)).status).toBe(401)
    const eleventh = await signIn(one, email)
    expect(eleventh.status).toBe(429)
    expect(Number(eleventh.headers.get('retry-after'))).toBeGreaterThan(0)
    expect(eleventh.headers.get('x-ratelimit-remaining')).toBe('0')
    for (let i = 0; i < 10; i++) await signIn(given.stranger(), email, { password: 'wrong' })
    expect((await signIn(given.stranger(), email)).status).toBe(201)
  })
})

describe('a session', () => {
  test('ends with DELETE /auth/token, at once', async () => {
    const caller = await given.tenant()
    expect((await caller.get('/user')).status).toBe(200)
    expect((await caller.delete('/auth/token')).body).toEqual({ message: 'Signed out.' })
    expect((await caller.get('/user')).status).toBe(401)
  })

  test('ends when it expires, when its person leaves, and when its tenant is deleted', async () => {
    const { platform } = app.services
    const expired = await given.tenant()
    await platform.query(`update tokens set expires_at = now() - interval '1 second' where user_id = $1`, [
      expired.userId,
    ])
    expect((await expired.get('/user')).status).toBe(401)
    const left = await given.tenant()
    await platform.query('delete from memberships where user_id = $1', [left.userId])
    expect((await left.get('/user')).status).toBe(401)
    const deleted = await given.tenant()
    await platform.query('update tenants set deleted_at = now() where id = $1', [deleted.tenantId])
    expect((await deleted.get('/user')).status).toBe(401)
    const disabled = await given.tenant()
    await platform.query('update tokens set is_active = false where user_id = $1', [disabled.userId])
    expect((await disabled.get('/user')).status).toBe(401)
  })

  test('is not what other tokens are: they cannot sign out', async () => {
    const key = await given.token(await given.tenant(), 'sk', ['monitors:read'])
    expect((await key.delete('/auth/token')).status).toBe(403)
  })

  test('without a token, or with a broken one, the answer is 401 and counted by address', async () => {
    const stranger = given.stranger()
    expect((await stranger.get('/user')).status).toBe(401)
    for (const bearer of ['', 'x', 'ss-short', `ss-${'a'.repeat(50)}`])
      expect((await stranger.get('/user', { headers: { Authorization: `Bearer ${bearer}` } })).status).toBe(401)
    let last = await stranger.get('/user')
    for (let i = 0; i < 60 && last.status === 401; i++) last = await stranger.get('/user')
    expect(last.status).toBe(429)
  })
})

test('a person has a hundred sessions at most: the one unused for longest gives way', { timeout: 60_000 }, async () => {
  const { platform } = app.services
  const tenant = await given.tenant()
  const email = await aMember(tenant.tenantId)
  const first = (await signIn(given.stranger(), email)).body
  const oldest = new CallerUnderTest(tenant.tenantId, first.user.id, first.token)
  await platform.query(
    `insert into tokens (id, tenant_id, user_id, kind, name, hash, last_used_at, created_at)
     select gen_random_uuid(), $1, $2, 'ss', 'a device', sha256(gen_random_uuid()::text::bytea),
       now() - n * interval '1 second', now() - interval '1 day'
     from generate_series(1, 98) n`,
    [tenant.tenantId, first.user.id],
  )
  await platform.query(
    `update tokens set last_used_at = now() - interval '50 seconds'
     where id = (select id from tokens where user_id = $1 and name = 'a test')`,
    [first.user.id],
  )
  const sessions = async () =>
    (
      await platform.query<{ n: number }>(`select count(*)::int as n from tokens where user_id = $1 and kind = 'ss'`, [
        first.user.id,
      ])
    ).rows[0]!.n
  expect((await signIn(given.stranger(), email)).status).toBe(201)
  expect(await sessions()).toBe(100)
  expect((await oldest.get('/user')).status).toBe(200)
  await platform.query(`update tokens set last_used_at = now() - interval '2 hours' where user_id = $1 and hash = $2`, [
    first.user.id,
    hashSecret(first.token),
  ])
  expect((await signIn(given.stranger(), email)).status).toBe(201)
  expect(await sessions()).toBe(100)
  expect((await oldest.get('/user')).status).toBe(401)
})
