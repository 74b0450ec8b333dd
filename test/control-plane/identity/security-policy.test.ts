import { describe, expect, test } from 'vitest'
import { app, given } from '#test/support/app.ts'
import { inBrowser } from '#test/support/browser-session.ts'
import { mailsOf } from './mails.ts'
import { codeOf, guarded } from './mfa/factor.ts'
import { aPerson, aPersonIn, lastAudit, password, signIn } from './people.ts'
import { CookieJar } from './sessions/browser.ts'

const { platform } = app.services

/** As if the policy had been set so many days ago. */
const daysAgo = (tenantId: string, days: number) =>
  platform.query(
    `with older as (update memberships set created_at = created_at - interval '1 year' where tenant_id = $1)
     update security_policies set mfa_required_at = clock_timestamp() - $2 * interval '1 day' where tenant_id = $1`,
    [tenantId, days],
  )

describe('GET and PATCH /security-policy', () => {
  test('requires nothing at first, and only what is sent changes', async () => {
    const owner = await given.tenant()
    await given.colleague(owner, 'member')
    expect((await owner.get('/security-policy')).body.data).toEqual({
      mfa_required: false,
      mfa_grace_days: 7,
      mfa_required_at: null,
      mfa_due_at: null,
      members_without_mfa: 2,
      updated_at: null,
    })
    const on = await owner.patch('/security-policy', { mfa_required: true })
    expect(on.body.data).toMatchObject({ mfa_required: true, mfa_grace_days: 7 })
    const { mfa_required_at: since, mfa_due_at: due } = on.body.data
    expect(Date.parse(due) - Date.parse(since)).toBe(7 * 86_400_000)
    const longer = await owner.patch('/security-policy', { mfa_grace_days: 30 })
    expect(longer.body.data.mfa_required_at).toBe(since)
    expect(Date.parse(longer.body.data.mfa_due_at) - Date.parse(since)).toBe(30 * 86_400_000)
    const off = await owner.patch('/security-policy', { mfa_required: false })
    expect(off.body.data).toMatchObject({ mfa_required: false, mfa_required_at: null, mfa_due_at: null })
    expect(await lastAudit(owner.tenantId, 'security_policy.updated')).toMatchObject({
      user_id: owner.userId,
      entity_type: 'tenant',
      changes: { mfa_required: { before: true, after: false }, mfa_grace_days: { before: 30, after: 30 } },
    })
  })

  test('takes 0 to 30 days', async () => {
    const owner = await given.tenant()
    for (const days of [0, 30])
      expect((await owner.patch('/security-policy', { mfa_grace_days: days })).status).toBe(200)
    for (const days of [-1, 31, 1.5, '7', null]) {
      const { status, body } = await owner.patch('/security-policy', { mfa_grace_days: days })
      expect([status, Object.keys(body.errors)], String(days)).toEqual([422, ['mfa_grace_days']])
    }
  })

  test('mails all active members once for each change', async () => {
    const owner = await given.tenant()
    const member = await aPersonIn(owner.tenantId, 'viewer')
    const disabled = await aPersonIn(owner.tenantId, 'viewer')
    await owner.patch(`/members/${disabled.userId}`, { status: 'disabled' })
    await owner.patch('/security-policy', { mfa_grace_days: 3 })
    await owner.patch('/security-policy', { mfa_required: true })
    await owner.patch('/security-policy', { mfa_required: true })
    await owner.patch('/security-policy', { mfa_required: false })
    const sent = (await mailsOf(owner)).filter(({ type }) => type === 'security_auth_policy_changed')
    const people = sent.map(({ recipient, data }) => `${recipient.user_id} ${data.change} ${data.mfa_due_at !== null}`)
    expect(people.sort()).toEqual(
      [owner, member].flatMap(({ userId }) => [`${userId} mfa_required true`, `${userId} mfa_optional false`]).sort(),
    )
  })

  test('is set by administrators and by the reseller with sso:write', async () => {
    const reseller = await given.reseller({ scopes: ['sso:write', 'sso:read'] })
    const team = await given.team(reseller)
    const path = `${team.path}/security-policy`
    expect((await reseller.patch(path, { mfa_required: true })).body.data.mfa_required).toBe(true)
    expect((await team.get('/security-policy')).body.data.mfa_required).toBe(true)
    expect(await lastAudit(reseller.tenantId, 'security_policy.updated')).toBeDefined()
    const named = { headers: { 'X-Tenant-Id': team.tenantId } }
    expect((await reseller.patch('/security-policy', { mfa_required: false }, named)).status).toBe(403)
    const member = await given.colleague(team, 'member')
    expect((await member.get('/security-policy')).status).toBe(200)
    expect((await member.patch('/security-policy', { mfa_required: false })).status).toBe(403)
    const narrow = await given.reseller({ scopes: ['members:manage', 'teams:manage'] })
    const other = await given.team(narrow)
    expect((await narrow.get(`${other.path}/security-policy`)).status).toBe(403)
  })
})

describe('a member without the second factor that the team requires', () => {
  test('works until the days of grace are over, and learns until when', async () => {
    const person = await aPerson()
    await person.patch('/security-policy', { mfa_required: true, mfa_grace_days: 2 })
    // the person joined by the clock of the database, which may be some milliseconds ahead of the process's
    await daysAgo(person.tenantId, 0)
    const due = (await person.get('/security-policy')).body.data.mfa_due_at
    expect((await person.get('/user')).body.mfa_due_at).toBe(due)
    expect((await signIn(person.email)).body.user.mfa_due_at).toBe(due)
    expect((await new CookieJar().logIn(person.email)).body.user.mfa_due_at).toBe(due)
    expect((await person.get('/monitors')).status).toBe(200)
    await daysAgo(person.tenantId, 1.9)
    expect((await person.get('/monitors')).status).toBe(200)
    await daysAgo(person.tenantId, 2.1)
    expect((await person.get('/monitors')).body.code).toBe('mfa_required')
  })

  test('may then do nothing but set one up, in all their sessions, and works again at once', async () => {
    const person = await aPerson()
    const key = await person.elsewhere(person.tenantId, 'sk', ['monitors:read'])
    await person.patch('/security-policy', { mfa_required: true, mfa_grace_days: 0 })
    await daysAgo(person.tenantId, 1)
    const browser = new CookieJar()
    const { body } = await browser.logIn(person.email)
    expect(Date.parse(body.user.mfa_due_at)).toBeLessThan(Date.now())
    for (const caller of [person, browser]) {
      for (const path of ['/monitors', '/profile', '/profile/sessions', '/members', '/security-policy'])
        expect((await caller.get(path)).body.code, path).toBe('mfa_required')
      expect((await caller.patch('/security-policy', { mfa_required: false })).body.code).toBe('mfa_required')
      for (const path of ['/user', '/profile/mfa']) expect((await caller.get(path)).status, path).toBe(200)
    }
    expect((await key.get('/monitors')).status).toBe(200)
    expect((await browser.post('/auth/step-up', { password })).status).toBe(200)
    const { secret } = (await browser.post('/profile/mfa', { password })).body.data
    expect((await browser.post('/profile/mfa/confirm', { code: await codeOf(secret) })).status).toBe(200)
    for (const caller of [person, browser]) expect((await caller.get('/monitors')).status).toBe(200)
    expect((await person.get('/user')).body.mfa_due_at).toBeNull()
    await platform.query('delete from second_factors where user_id = $1', [person.userId])
    expect((await person.get('/monitors')).body.code).toBe('mfa_required')
    expect((await person.delete('/auth/token')).status).toBe(200)
  })

  test('has the days of grace from the day of joining, and those with a factor and of other teams are not asked', async () => {
    const { person: owner } = await guarded(await aPerson())
    await owner.patch('/security-policy', { mfa_required: true, mfa_grace_days: 5 })
    await daysAgo(owner.tenantId, 100)
    const late = await given.colleague(owner, 'member')
    expect((await late.get('/monitors')).status).toBe(200)
    const due = Date.parse((await late.get('/user')).body.mfa_due_at)
    expect(Math.abs(due - Date.now() - 5 * 86_400_000)).toBeLessThan(60_000)
    expect((await owner.get('/monitors')).status).toBe(200)
    expect((await owner.get('/user')).body.mfa_due_at).toBeNull()
    expect((await (await aPerson()).get('/user')).body.mfa_due_at).toBeNull()
  })

  test('is not asked by the team where a provider of single sign-on has opened the session', async () => {
    const owner = await given.tenant()
    await owner.patch('/security-policy', { mfa_required: true, mfa_grace_days: 0 })
    await daysAgo(owner.tenantId, 1)
    for (const method of ['oidc', 'saml', 'partner_sso'] as const)
      expect((await (await inBrowser(owner, { method })).get('/monitors')).status, method).toBe(200)
    for (const method of ['password', 'login_link'] as const)
      expect((await (await inBrowser(owner, { method })).get('/monitors')).status, method).toBe(403)
  })
})
