import { randomUUID } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { mostMappedGroups } from '#control-plane/identity/sso/input.ts'
import { hashPassword } from '#control-plane/identity/users/password.ts'
import { app, type CallerUnderTest, given } from '#test/support/app.ts'
import { inBrowser } from '#test/support/browser-session.ts'
import { aVerifiedDomain } from './scene.ts'

const { platform } = app.services
const path = '/sso/config'
const issuer = 'https://login.example.com'
const first = { issuer, client_id: 'vedette', client_secret: 'a secret of the provider' }

const password = 'a password hard to guess'
const withPassword = async ({ userId }: CallerUnderTest) =>
  platform.query('update users set password_hash = $2 where id = $1', [userId, await hashPassword(password)])

describe('the single sign-on of a team', () => {
  test('is set, shown without its secret, changed and deleted, each with its audit entry', async () => {
    const team = await given.tenant()
    expect((await team.get(path)).body).toEqual({ data: null })
    const made = await team.patch(path, first)
    expect(made.status).toBe(200)
    expect(made.body.data).toMatchObject({
      protocol: 'oidc',
      issuer,
      client_secret: '********',
      scopes: ['openid', 'email', 'profile'],
      default_role: 'member',
      is_jit: true,
      is_enabled: false,
      is_enforced: false,
      redirect_uri: `${app.services.config.baseUrl}/sso/callback`,
    })
    const { rows } = await platform.query('select client_secret from sso_configs where tenant_id = $1', [team.tenantId])
    expect(rows[0].client_secret).not.toContain('secret of')
    const changes = { client_secret: '********', groups_claim: 'groups', role_map: { ops: 'admin' }, is_enabled: true }
    const changed = await team.patch(path, changes)
    expect(changed.body.data).toMatchObject(changes)
    expect((await team.patch(path, changes)).status).toBe(200)
    expect((await team.delete(path)).status).toBe(204)
    expect((await team.delete(path)).status).toBe(204)
    expect((await team.get(path)).body).toEqual({ data: null })
    expect(await app.audited(team)).toEqual(['sso_config.updated', 'sso_config.updated', 'sso_config.deleted'])
    const trail = await platform.query('select changes::text from audit_entries where tenant_id = $1', [team.tenantId])
    expect(JSON.stringify(trail.rows)).not.toContain('a secret of')
    const mails = await platform.query(
      `select payload->'data'->>'change' as change from outbox where tenant_id = $1 and kind = 'mail' order by id`,
      [team.tenantId],
    )
    expect(mails.rows.map(({ change }) => change)).toEqual(['sso_changed', 'sso_changed', 'sso_removed'])
  })

  test('loses its secret with another provider, who could read it', async () => {
    const team = await given.tenant()
    await team.patch(path, first)
    expect((await team.patch(path, { issuer: 'https://other.example.com' })).body.data.client_secret).toBeNull()
    const kept = await team.patch(path, { issuer, client_secret: '********' })
    expect(kept.status).toBe(422)
    expect(Object.keys(kept.body.errors)).toEqual(['client_secret'])
  })

  test.each([
    [{}, ['issuer', 'client_id']],
    [{ ...first, issuer: 'http://login.example.com' }, ['issuer']],
    [{ ...first, issuer: 'https://169.254.169.254' }, ['issuer']],
    [{ ...first, issuer: 'http://127.0.0.1:8080' }, ['issuer']],
    [{ ...first, issuer: 'https://login.example.com/?tenant=1' }, ['issuer']],
    [{ ...first, issuer: 'https://login.example.com/#' }, ['issuer']],
    [{ ...first, issuer: 'ftp://login.example.com' }, ['issuer']],
    [{ ...first, issuer: `https://login.example.com/${'a'.repeat(980)}` }, ['issuer']],
    [{ ...first, client_id: '' }, ['client_id']],
    [{ ...first, client_id: 'a'.repeat(256) }, ['client_id']],
    [{ ...first, client_secret: 'a'.repeat(1_001) }, ['client_secret']],
    [{ ...first, scopes: Array.from({ length: 21 }, (_, n) => `s${n}`) }, ['scopes']],
    [{ ...first, scopes: ['two words'] }, ['scopes.0']],
    [{ ...first, role_map: { ops: 'owner' }, groups_claim: 'groups' }, ['role_map.ops']],
    [{ ...first, role_map: { ops: 'admin' } }, ['groups_claim']],
    [{ ...first, default_role: 'owner' }, ['default_role']],
    [{ ...first, is_enforced: true }, ['is_enforced', 'break_glass_user_id']],
    [{ ...first, break_glass_user_id: 'x' }, ['break_glass_user_id']],
  ])('refuses %j', async (body, fields) => {
    const refused = await (await given.tenant()).patch(path, body)
    expect(refused.status).toBe(422)
    expect(Object.keys(refused.body.errors)).toEqual(fields)
  })

  test('maps at most a hundred groups', async () => {
    const team = await given.tenant()
    const map = (n: number) => Object.fromEntries(Array.from({ length: n }, (_, each) => [`g${each}`, 'viewer']))
    const groups_claim = 'groups'
    expect((await team.patch(path, { ...first, groups_claim, role_map: map(mostMappedGroups) })).status).toBe(200)
    const refused = await team.patch(path, { role_map: map(mostMappedGroups + 1) })
    expect(refused.status).toBe(422)
    expect(Object.keys(refused.body.errors)).toEqual(['role_map'])
  })

  test('is for owners alone, who have just proven to be present', async () => {
    const team = await given.tenant()
    const admin = await given.colleague(team, 'admin')
    for (const caller of [admin, await given.token(team, 'svc', ['settings:manage'])]) {
      const refused = await caller.patch(path, first)
      expect(refused.status).toBe(403)
      expect(['owner_needed', 'session_needed']).toContain(refused.body.code)
    }
    const browser = await inBrowser(team)
    expect((await browser.patch(path, first)).status).toBe(200)
    await platform.query(
      `update tokens set reauthenticated_at = now() - interval '11 minutes' where tenant_id = $1 and is_browser`,
      [team.tenantId],
    )
    for (const answer of [
      await browser.patch(path, first),
      await browser.delete(path),
      await browser.post('/sso/domains', { domain: 'corp.example.com' }),
    ])
      expect(answer.body.code).toBe('reauthentication_required')
  })

  test('is refused under impersonation', async () => {
    const reseller = await given.reseller()
    const team = await given.team(reseller)
    const guest = await given.impersonation(reseller, team)
    for (const answer of [await guest.get(path), await guest.patch(path, first), await guest.delete(path)])
      expect(answer.status).toBe(403)
  })

  test('needs a plan that includes it', async () => {
    const team = await given.tenant({ plan: 'free' })
    const refused = await team.patch(path, first)
    expect(refused.status).toBe(403)
    expect(refused.body).toMatchObject({ code: 'not_in_plan', quota: 'sso', plan: 'free' })
    expect((await team.post('/sso/domains', { domain: 'corp.example.com' })).body.code).toBe('not_in_plan')
  })

  test('names no owner who is no member, whether there is such a person or not', async () => {
    const [team, other] = [await given.tenant({ overrides: { sso: true } }), await given.tenant()]
    const answers = await Promise.all(
      [crypto.randomUUID(), other.userId].map(break_glass_user_id =>
        team.patch('/sso/config', { issuer: 'https://login.example.com', client_id: 'x', break_glass_user_id }),
      ),
    )
    for (const { status, body } of answers)
      expect([status, body.errors]).toEqual([
        422,
        { break_glass_user_id: ['Must be an owner of this team who has a password.'] },
      ])
  })

  test('is of one team: others see nothing of it', async () => {
    const [team, other] = [await given.tenant(), await given.tenant()]
    await team.patch(path, first)
    expect((await other.get(path)).body).toEqual({ data: null })
    expect((await other.get('/sso/attempts')).body).toEqual({ data: [] })
  })
})

describe('enforced single sign-on', () => {
  const enforce = (team: CallerUnderTest, changes = {}) =>
    team.patch(path, { ...first, is_enabled: true, is_enforced: true, break_glass_user_id: team.userId, ...changes })

  test('needs a verified domain, and an owner with a password', async () => {
    const team = await given.tenant()
    expect((await enforce(team)).body.code).toBe('domain_needed')
    await aVerifiedDomain(team)
    const admin = await given.colleague(team, 'admin')
    await withPassword(admin)
    const stranger = await given.tenant()
    await withPassword(stranger)
    for (const { userId } of [team, admin, stranger]) {
      const refused = await enforce(team, { break_glass_user_id: userId })
      expect(refused.status).toBe(422)
      expect(Object.keys(refused.body.errors)).toEqual(['break_glass_user_id'])
    }
    await withPassword(team)
    expect((await enforce(team)).status).toBe(200)
  })

  test('ends the sessions of others, and refuses their passwords; the chosen owner gets in', async () => {
    const team = await given.tenant()
    const member = await given.colleague(team, 'member')
    const owner = await given.colleague(team, 'owner')
    for (const person of [team, member, owner]) await withPassword(person)
    const domain = await aVerifiedDomain(team)
    const atProvider = await inBrowser(member, { method: 'oidc' })
    const byPasskey = await inBrowser(member, { method: 'passkey' })
    expect((await enforce(team)).status).toBe(200)
    expect((await member.get('/user')).status).toBe(401)
    expect((await byPasskey.get('/user')).status).toBe(401)
    expect((await atProvider.get('/user')).status).toBe(200)
    expect((await team.get('/user')).status).toBe(200)

    const signIn = ({ userId }: CallerUnderTest) =>
      given.stranger().post('/auth/token', { email: `${userId}@people.test`, password, device_name: 'x' })
    expect((await signIn(team)).status).toBe(201)
    for (const person of [member, owner]) {
      const refused = await signIn(person)
      expect(refused.status).toBe(422)
      expect(refused.body.code).toBe('password_login_hidden')
    }
    // the owner who may use a password is one no more: every owner may
    await platform.query(`update memberships set role = 'admin' where user_id = $1`, [team.userId])
    expect((await signIn(owner)).status).toBe(201)
    expect((await signIn(member)).status).toBe(422)
    await platform.query(`update memberships set role = 'owner' where user_id = $1`, [team.userId])

    const domains = await team.get('/sso/domains')
    expect(domains.body.data).toMatchObject([{ domain, is_verified: true }])
    expect((await team.delete(`/sso/domains/${domains.body.data[0].id}`)).body.code).toBe('domain_needed')
    await platform.query('update tenants set feature_overrides = $2 where id = $1', [team.tenantId, { sso: false }])
    expect((await signIn(member)).status).toBe(201)
  })
})

describe('the sessions that a provider opened', () => {
  test.each<[string, (team: CallerUnderTest) => Promise<{ status: number }>, boolean]>([
    ['end when it is disabled', team => team.patch(path, { is_enabled: false }), true],
    ['end when the issuer changes', team => team.patch(path, { issuer: 'https://new.example.com' }), true],
    ['end when it is deleted', team => team.delete(path), true],
    ['go on when its scopes change', team => team.patch(path, { scopes: ['openid', 'email'] }), false],
  ])('%s', async (_, change, areEnded) => {
    const team = await given.tenant()
    expect((await team.patch(path, { ...first, is_enabled: true })).status).toBe(200)
    const member = await given.colleague(team, 'member')
    const atProvider = await inBrowser(member, { method: 'oidc' })
    const locked = await inBrowser(member, { method: 'saml', isLocked: true })
    const callers = await inBrowser(team, { method: 'oidc' })
    expect((await change(callers)).status).toBeLessThan(300)
    for (const session of [atProvider, locked]) expect((await session.get('/user')).status).toBe(areEnded ? 401 : 200)
    for (const session of [callers, team, member]) expect((await session.get('/user')).status).toBe(200)
  })
})

describe('domains', () => {
  test('are added, listed, shown, checked and deleted', async () => {
    const team = await given.tenant()
    const domain = `corp-${randomUUID()}.example.com`
    const made = await team.post('/sso/domains', { domain: `${domain.toUpperCase()}.` })
    expect(made.status).toBe(201)
    expect(made.body.data).toMatchObject({
      domain,
      is_verified: false,
      dns: { txt_name: `_verify-sso.${domain}`, txt_value: expect.stringMatching(/^verify=[\w-]{43}$/) },
    })
    const { id } = made.body.data
    expect((await team.get('/sso/domains')).body.data).toEqual([made.body.data])
    expect((await team.get(`/sso/domains/${id}`)).body.data).toEqual(made.body.data)
    expect((await team.post('/sso/domains', { domain })).body.code).toBe('in_use')
    const checked = await team.post(`/sso/domains/${id}/verify`)
    expect(checked.status).toBe(200)
    expect(['txt_missing', 'dns_unanswered']).toContain(checked.body.data.last_error)
    const other = await given.tenant()
    for (const answer of [
      await other.get(`/sso/domains/${id}`),
      await other.post(`/sso/domains/${id}/verify`),
      await other.delete(`/sso/domains/${id}`),
    ])
      expect(answer.status).toBe(404)
    expect((await other.post('/sso/domains', { domain })).status).toBe(201)
    expect((await team.delete(`/sso/domains/${id}`)).status).toBe(204)
    expect(await app.audited(team)).toEqual(['sso_domain.created', 'sso_domain.deleted'])
  })

  test.each(['co.uk', 'localhost', 'corp.example.com:443', '', 'a@corp.example.com', 7])('refuse %j', async domain => {
    const refused = await (await given.tenant()).post('/sso/domains', { domain })
    expect(refused.status).toBe(422)
    expect(Object.keys(refused.body.errors)).toEqual(['domain'])
  })
})
