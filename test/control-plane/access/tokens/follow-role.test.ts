import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type ControlPlane, startControlPlane } from '#cli/serve/serve.ts'
import { tenantScopes } from '#contract/scopes.ts'
import { createToken } from '#control-plane/access/tokens/create.ts'
import { mailsOf } from '#test/control-plane/identity/mails.ts'
import { another, aPersonIn, join, password } from '#test/control-plane/identity/people.ts'
import { app, CallerUnderTest, given } from '#test/support/app.ts'

const { platform } = app.services
let second: ControlPlane
beforeAll(async () => {
  second = await startControlPlane({ ...app.services.config, port: 0, metricsPort: 0 }, ['api'])
})
afterAll(() => second.close())

/** The answers of both processes to one request. */
async function answers(
  caller: CallerUnderTest,
  path: string,
  init: { method?: string; body?: string } = {},
): Promise<number[]> {
  const headers = {
    Authorization: `Bearer ${caller.token}`,
    'X-Forwarded-For': caller.ip,
    'Content-Type': 'application/json',
  }
  return Promise.all(
    [app.baseUrl, second.baseUrl].map(
      async base => (await fetch(`${base}/api/v1${path}`, { ...init, headers })).status,
    ),
  )
}

/** A team's key as a person of it makes it. */
async function aKeyOf(maker: CallerUnderTest, scopes: string[], path = '/api-keys') {
  const { status, body } = await maker.post(path, { name: 'CI', scopes })
  expect(status).toBe(201)
  return { id: body.data.id as string, caller: new CallerUnderTest(maker.tenantId, null, body.plain_text_token) }
}

describe('a reseller token', () => {
  async function aResellerToken() {
    const reseller = await given.reseller()
    const admin = await given.colleague(reseller, 'admin')
    const made = await admin.post('/auth/reseller-token', { name: 'x', scopes: ['teams:manage'] })
    return { reseller, admin, token: new CallerUnderTest(reseller.tenantId, admin.userId, made.body.plain_text_token) }
  }
  const setRole = (of: CallerUnderTest, role: string) =>
    platform.query('update memberships set role = $3 where user_id = $1 and tenant_id = $2', [
      of.userId,
      of.tenantId,
      role,
    ])

  test.each(['member', 'viewer'])(
    'is refused at once by every process when its person is demoted to %s, and works again when promoted',
    async role => {
      const { admin, token } = await aResellerToken()
      expect(await answers(token, '/reseller/managed-teams')).toEqual([200, 200])
      await setRole(admin, role)
      for (const path of ['/reseller/managed-teams', '/reseller/tokens', '/user', '/monitors'])
        expect(await answers(token, path)).toEqual([401, 401])
      const mint = { method: 'POST', body: JSON.stringify({ name: 'more', scopes: ['teams:read'] }) }
      expect(await answers(token, '/reseller/tokens', mint)).toEqual([401, 401])
      await setRole(admin, 'owner')
      expect(await answers(token, '/reseller/managed-teams')).toEqual([200, 200])
    },
  )

  test('is refused when its person is removed or erased', async () => {
    for (const end of ['delete from memberships where user_id = $1', 'delete from users where id = $1']) {
      const { admin, token } = await aResellerToken()
      expect(await answers(token, '/reseller/managed-teams')).toEqual([200, 200])
      await platform.query(end, [admin.userId])
      expect(await answers(token, '/reseller/managed-teams')).toEqual([401, 401])
    }
  })

  test('without a person behind it works on', async () => {
    const reseller = await given.reseller()
    const { plain } = await createToken(platform, {
      kind: 'rk',
      tenantId: reseller.tenantId,
      userId: null,
      name: 'x',
      scopes: ['teams:read'],
      expiresAt: null,
    })
    expect(await answers(new CallerUnderTest(reseller.tenantId, null, plain), '/reseller/managed-teams')).toEqual([
      200, 200,
    ])
  })
})

describe('an impersonation token', () => {
  test('is refused when the person who made it administers the reseller no more', async () => {
    const reseller = await given.reseller()
    const team = await given.team(reseller)
    const { body } = await reseller.post(`${team.path}/impersonation-tokens`)
    const token = new CallerUnderTest(team.tenantId, null, body.plain_text_token)
    expect(await answers(token, '/monitors')).toEqual([200, 200])
    await platform.query(`update memberships set role = 'member' where user_id = $1`, [reseller.userId])
    expect(await answers(token, '/monitors')).toEqual([401, 401])
  })
})

describe('a key of a team', () => {
  test('does at most what its maker’s role allows at that moment, and nothing once the maker is gone', async () => {
    const owner = await given.tenant()
    const maker = await given.colleague(owner, 'admin')
    const { id, caller: key } = await aKeyOf(maker, [...tenantScopes])
    const monitor = () => ({ method: 'POST', body: JSON.stringify({ name: 'Shop', url: 'https://shop.example.com/' }) })
    expect(await answers(key, '/api-keys')).toEqual([200, 200])
    expect(await answers(key, '/monitors', monitor())).toEqual([201, 201])
    await owner.patch(`/members/${maker.userId}`, { role: 'member' })
    expect(await answers(key, '/api-keys')).toEqual([403, 403])
    expect(await answers(key, '/monitors', monitor())).toEqual([201, 201])
    await owner.patch(`/members/${maker.userId}`, { role: 'viewer' })
    expect(await answers(key, '/monitors', monitor())).toEqual([403, 403])
    expect(await answers(key, '/monitors')).toEqual([200, 200])
    await owner.delete(`/members/${maker.userId}`)
    expect(await answers(key, '/monitors')).toEqual([401, 401])

    // the rotating person becomes its creator
    const rotated = await owner.post(`/api-keys/${id}/rotate`)
    expect([rotated.status, rotated.body.data.created_by]).toEqual([201, owner.userId])
    expect(
      await answers(new CallerUnderTest(owner.tenantId, null, rotated.body.plain_text_token), '/api-keys'),
    ).toEqual([200, 200])
    expect(await answers(key, '/monitors')).toEqual([401, 401])
  })

  test('made or rotated by another key follows the person behind that one', async () => {
    const owner = await given.tenant()
    const maker = await given.colleague(owner, 'admin')
    const { caller: first } = await aKeyOf(maker, [...tenantScopes])
    const { id, caller: child } = await aKeyOf(first, ['monitors:read', 'settings:manage'])
    const rotated = await first.post(`/api-keys/${id}/rotate`)
    expect(rotated.body.data.created_by).toBe(maker.userId)
    const keys = [child, new CallerUnderTest(owner.tenantId, null, rotated.body.plain_text_token)]
    for (const key of keys) expect(await answers(key, '/monitors')).toEqual([200, 200])
    await owner.delete(`/members/${maker.userId}`)
    for (const key of keys) expect(await answers(key, '/monitors')).toEqual([401, 401])
  })

  test('made by its reseller follows the reseller’s person', async () => {
    const reseller = await given.reseller()
    const team = await given.team(reseller)
    const { caller: key } = await aKeyOf(reseller, ['monitors:read'], `${team.path}/api-keys`)
    expect(await answers(key, '/monitors')).toEqual([200, 200])
    await platform.query('update tenants set is_reseller = false where id = $1', [reseller.tenantId])
    expect(await answers(key, '/monitors')).toEqual([401, 401])
    await platform.query('update tenants set is_reseller = true where id = $1', [reseller.tenantId])
    expect(await answers(key, '/monitors')).toEqual([200, 200])
    await platform.query(`update memberships set role = 'member' where user_id = $1`, [reseller.userId])
    expect(await answers(key, '/monitors')).toEqual([401, 401])
  })

  test('that no person made works on', async () => {
    const owner = await given.tenant()
    const key = await given.token(owner, 'svc', ['monitors:read'])
    await platform.query('update tokens set user_id = null where user_id = $1 and kind = $2', [owner.userId, 'svc'])
    expect(await answers(key, '/monitors')).toEqual([200, 200])
  })
})

describe('the mail about a new password', () => {
  test('lists the keys of the team that stay, and says how many stay elsewhere', async () => {
    const { tenantId } = await given.tenant()
    const person = await aPersonIn(tenantId, 'admin')
    const elsewhere = await given.tenant({ isReseller: true })
    await join(person.userId, elsewhere.tenantId, 'admin')
    await aKeyOf(person, ['monitors:read'])
    await person.post('/api-tokens', { name: 'mine', scopes: ['monitors:read'] })
    const rk = await (await person.elsewhere(elsewhere.tenantId)).post('/auth/reseller-token', {
      name: 'console',
      scopes: ['teams:read'],
    })
    expect((await person.post('/profile/password', { current_password: password, password: another })).status).toBe(204)
    const mail = (await mailsOf(person)).findLast(({ type }) => type === 'security_password_changed')
    expect(mail!.data).toMatchObject({ keys: [{ name: 'CI', kind: 'svc' }], keys_elsewhere: 1 })
    expect(
      await answers(
        new CallerUnderTest(elsewhere.tenantId, person.userId, rk.body.plain_text_token),
        '/reseller/managed-teams',
      ),
    ).toEqual([200, 200])
  })

  test('comes with the end of impersonation tokens that the person made', async () => {
    const reseller = await given.reseller()
    const team = await given.team(reseller)
    const admin = await aPersonIn(reseller.tenantId, 'admin')
    const rk = new CallerUnderTest(
      reseller.tenantId,
      admin.userId,
      (await admin.post('/auth/reseller-token', { name: 'x', scopes: ['teams:manage'] })).body.plain_text_token,
    )
    const { body } = await rk.post(`${team.path}/impersonation-tokens`)
    const token = new CallerUnderTest(team.tenantId, null, body.plain_text_token)
    expect(await answers(token, '/monitors')).toEqual([200, 200])
    await admin.post('/profile/password', { current_password: password, password: another })
    expect(await answers(token, '/monitors')).toEqual([401, 401])
  })
})

describe('a key whose maker has less right than it', () => {
  test('is shown with what it may do now, and why', async () => {
    const owner = await given.tenant()
    const maker = await given.colleague(owner, 'admin')
    const { id, caller } = await aKeyOf(maker, ['monitors:read', 'monitors:write'])
    const shown = async () => {
      const { body } = await owner.get(`/api-keys/${id}`)
      const listed = (await owner.get('/api-keys')).body.data.find((key: { id: string }) => key.id === id)
      expect(listed).toEqual(body.data)
      const { scopes, effective_scopes: now, problem } = body.data
      return { scopes, now, problem }
    }
    const scopes = ['monitors:read', 'monitors:write']
    expect(await shown()).toEqual({ scopes, now: scopes, problem: null })
    await owner.patch(`/members/${maker.userId}`, { role: 'viewer' })
    expect(await shown()).toEqual({ scopes, now: ['monitors:read'], problem: 'creator_role' })
    expect(await answers(caller, '/monitors')).toEqual([200, 200])
    expect((await owner.delete(`/members/${maker.userId}`)).status).toBe(204)
    expect(await shown()).toEqual({ scopes, now: [], problem: 'creator_left' })
    expect(await answers(caller, '/monitors')).toEqual([401, 401])
    const removed = (await owner.get('/audit-log')).body.data.find(
      ({ action }: { action: string }) => action === 'member.removed',
    )
    expect(removed.changes).toMatchObject({ api_keys_stopped: ['CI'] })
    const rotated = await owner.post(`/api-keys/${id}/rotate`)
    expect(rotated.body.data).toMatchObject({ effective_scopes: scopes, problem: null })
    await owner.patch(`/api-keys/${rotated.body.data.id}`, { is_active: false })
    const off = (await owner.get(`/api-keys/${rotated.body.data.id}`)).body.data
    expect(off).toMatchObject({ effective_scopes: [], problem: 'disabled' })
  })

  test('may do the parts of a scope that the role covers', async () => {
    const owner = await given.tenant()
    const maker = await given.colleague(owner, 'admin')
    const { id, caller } = await aKeyOf(maker, ['monitors:manage'])
    await owner.patch(`/members/${maker.userId}`, { role: 'viewer' })
    const { body } = await owner.get(`/api-keys/${id}`)
    expect(body.data).toMatchObject({ effective_scopes: ['monitors:read'], problem: 'creator_role' })
    expect(await answers(caller, '/monitors')).toEqual([200, 200])
  })

  test('of an administrator of the reseller works with all of its scopes', async () => {
    const reseller = await given.reseller()
    const team = await given.team(reseller)
    const { id } = await aKeyOf(reseller, ['monitors:write'], `${team.path}/api-keys`)
    const shown = await reseller.get(`${team.path}/api-keys/${id}`)
    expect(shown.body.data).toMatchObject({ effective_scopes: ['monitors:write'], problem: null })
  })
})
