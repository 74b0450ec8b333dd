import { describe, expect, test } from 'vitest'
import { endpoints } from '#control-plane/endpoints.ts'
import { another, aPerson, lastAudit, password } from '#test/control-plane/identity/people.ts'
import { app, given } from '#test/support/app.ts'
import { inBrowser } from '#test/support/browser-session.ts'
import { CookieJar } from './browser.ts'

const { platform } = app.services

/** As if the person had signed in eleven minutes ago. */
const age = (userId: string | null) =>
  platform.query(
    `update tokens set reauthenticated_at = clock_timestamp() - interval '11 minutes' where user_id = $1 and is_browser`,
    [userId],
  )

const newKey = { name: 'CI', scopes: ['monitors:read'] }

describe('POST /auth/step-up', () => {
  test('lets a browser do what is dangerous for ten minutes, and replaces its secret', async () => {
    const person = await aPerson()
    const browser = new CookieJar()
    await browser.logIn(person.email)
    expect((await browser.post('/api-keys', newKey)).status).toBe(201)
    await age(person.userId)
    expect((await browser.post('/api-keys', newKey)).body.code).toBe('reauthentication_required')
    expect((await browser.get('/api-keys')).status).toBe(200)
    const before = browser.session!
    const { status, body, text } = await browser.post('/auth/step-up', { password })
    expect(status, text).toBe(200)
    expect(Date.parse(body.fresh_until) - Date.now()).toBeGreaterThan(590_000)
    expect(browser.session).not.toBe(before)
    expect(text).not.toContain('ss-')
    const stolen = new CookieJar()
    stolen.cookies.set('vedette', before)
    expect((await stolen.get('/user')).status).toBe(401)
    expect((await browser.post('/api-keys', newKey)).status).toBe(201)
    expect((await lastAudit(person.tenantId, 'session.confirmed'))?.user_id).toBe(person.userId)
    const { data } = (await browser.get('/profile/sessions')).body
    expect(data.filter((session: { is_browser: boolean }) => session.is_browser)).toHaveLength(1)
  })

  test('of a wrong password changes nothing, and its guesses are limited', async () => {
    const person = await aPerson()
    const browser = await inBrowser(person)
    await age(person.userId)
    for (let guess = 0; guess < 10; guess++) {
      const answer = await browser.post('/auth/step-up', { password: another })
      if (answer.status === 429) break
      expect([answer.status, answer.body.code]).toEqual([422, 'wrong_password'])
      expect(answer.headers.getSetCookie()).toEqual([])
    }
    expect((await browser.post('/auth/step-up', { password })).status).toBe(429)
    expect((await browser.post('/api-keys', newKey)).body.code).toBe('reauthentication_required')
  })

  test('is for browsers: other sessions and keys do as before, and cannot be confirmed', async () => {
    const person = await aPerson()
    const own = { headers: { 'Sec-Fetch-Site': 'same-origin' } }
    expect((await person.post('/auth/step-up', { password }, own)).body.code).toBe('not_a_browser_session')
    expect((await person.post('/api-keys', newKey)).status).toBe(201)
    const key = await person.elsewhere(person.tenantId, 'sk', ['settings:manage', 'monitors:read'])
    expect((await key.post('/auth/step-up', { password }, own)).body.code).toBe('not_a_browser_session')
  })

  test('is refused to a session that is limited to its team', async () => {
    const browser = await inBrowser(await aPerson(), { isLocked: true })
    expect((await browser.post('/auth/step-up', { password })).body.code).toBe('session_needed')
  })
})

describe('a session of a browser', () => {
  test('proves itself again after a change of its person’s role', async () => {
    const owner = await aPerson()
    const admin = await given.colleague(owner, 'admin')
    const browser = await inBrowser(admin)
    expect((await browser.post('/api-keys', newKey)).status).toBe(201)
    expect((await owner.patch(`/members/${admin.userId}`, { role: 'owner' })).status).toBe(200)
    expect((await browser.post('/api-keys', newKey)).body.code).toBe('reauthentication_required')
    expect((await browser.get('/members')).status).toBe(200)
  })

  test('stays after a change of password with another secret, while all others end', async () => {
    const person = await aPerson()
    const [browser, other] = [new CookieJar(), new CookieJar()]
    await browser.logIn(person.email)
    await other.logIn(person.email)
    const before = browser.session
    const change = { current_password: password, password: another }
    expect((await browser.post('/profile/password', change)).status).toBe(204)
    expect(browser.session).not.toBe(before)
    expect((await browser.get('/user')).status).toBe(200)
    expect((await other.get('/user')).status).toBe(401)
    expect((await person.get('/user')).status).toBe(401)
  })

  test('of a reseller’s administrator makes tokens that outlive it', async () => {
    const browser = await inBrowser(await given.reseller())
    const scopes = ['teams:read']
    const made = await browser.post('/reseller/tokens', { name: 'console', scopes })
    expect([made.status, made.body.data?.expires_at], made.text).toEqual([201, null])
    await age(browser.userId)
    for (const path of ['/reseller/tokens', '/auth/reseller-token'])
      expect((await browser.post(path, { name: 'x', scopes })).body.code).toBe('reauthentication_required')
    const ids = [crypto.randomUUID()]
    const batch = await browser.post('/reseller/managed-teams/batch', {
      action: 'delete',
      ids,
      confirm: {},
    })
    expect(batch.body.code).toBe('reauthentication_required')
  })

  test('needs to be fresh for each operation that this list names', () => {
    const named = endpoints.filter(({ needsFreshSession }) => needsFreshSession)
    const names = named.map(({ method, path }) => `${method} ${path}`)
    expect(dangerous.filter(name => !names.includes(name))).toEqual([])
  })
})

/** The reviewed list: what mints credentials, changes who may do what, or cannot be undone. */
const dangerous = [
  'DELETE /members/{user_id}',
  'DELETE /profile',
  'DELETE /profile/mfa',
  'DELETE /reseller/managed-teams/{managed_team}',
  'PATCH /members/{user_id}',
  'PATCH /security-policy',
  'POST /api-keys',
  'POST /api-keys/{token}/rotate',
  'POST /api-tokens',
  'POST /api-tokens/{token}/rotate',
  'POST /auth/reseller-token',
  'POST /invitations',
  'POST /members/{user_id}/reset-mfa',
  'POST /profile/email',
  'POST /profile/mfa',
  'POST /profile/mfa/confirm',
  'POST /profile/mfa/recovery-codes',
  'POST /profile/password',
  'POST /reseller/managed-teams/{managed_team}/decouple',
  'POST /reseller/managed-teams/{managed_team}/impersonation-tokens',
  'POST /reseller/managed-teams/{managed_team}/members',
  'POST /reseller/managed-teams/{managed_team}/members/{user_id}/erase',
  'POST /reseller/tokens',
  'POST /reseller/tokens/{token}/rotate',
]
