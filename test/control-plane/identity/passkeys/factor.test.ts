import { generate } from 'otplib'
import { describe, expect, test } from 'vitest'
import { aPerson, password } from '#test/control-plane/identity/people.ts'
import { CookieJar } from '#test/control-plane/identity/sessions/browser.ts'
import { app } from '#test/support/app.ts'
import { inBrowser } from '#test/support/browser-session.ts'
import { aChallenge, register } from './given.ts'

const { platform, clock } = app.services

async function withPasskey() {
  const person = await aPerson()
  const { authenticator, answer } = await register(await inBrowser(person))
  expect(answer.status).toBe(201)
  return { person, authenticator }
}

async function withCodes() {
  const { person, authenticator } = await withPasskey()
  const { body } = await person.post('/profile/mfa', { password })
  const epoch = Math.floor(clock.nowMs() / 1_000) - 30
  const code = await generate({ secret: body.data.secret, epoch })
  expect((await person.post('/profile/mfa/confirm', { code })).status).toBe(200)
  return { person, authenticator }
}

describe('a passkey in place of a code', () => {
  test('signs in after the password, and may have the browser remembered', async () => {
    const { person, authenticator } = await withCodes()
    const jar = new CookieJar()
    expect((await jar.logIn(person.email)).body.code).toBe('otp_required')
    const passkey = authenticator.get(await aChallenge())
    expect((await jar.logIn(person.email, { passkey, remember_device: true })).status).toBe(200)
    const [session] = (await jar.get('/profile/sessions')).body.data
    expect(session).toMatchObject({ is_current: true, auth_method: 'passkey', is_browser: true })
    expect((await jar.get('/profile/trusted-devices')).body.data).toHaveLength(1)
    expect((await jar.logIn(person.email, { passkey })).status).toBe(401)
  })

  test('of another person is refused like a wrong code, and so is one after a wrong password', async () => {
    const { person, authenticator } = await withCodes()
    const other = await withPasskey()
    const jar = new CookieJar()
    const foreign = other.authenticator.get(await aChallenge())
    const refused = await jar.logIn(person.email, { passkey: foreign })
    expect([refused.status, refused.body.code]).toEqual([401, 'bad_credentials'])
    const passkey = authenticator.get(await aChallenge())
    expect((await jar.logIn(person.email, { passkey, password: 'wrong' })).status).toBe(401)
    expect(jar.session).toBeUndefined()
  })
})

describe('POST /auth/step-up by passkey', () => {
  test('makes the session fresh, replaces the cookie, and needs no password and no code', async () => {
    const { person, authenticator } = await withCodes()
    const jar = new CookieJar()
    await jar.logIn(person.email, { passkey: authenticator.get(await aChallenge()) })
    await platform.query('update tokens set reauthenticated_at = null where user_id = $1', [person.userId])
    const before = jar.session
    const answer = await jar.post('/auth/step-up', { passkey: authenticator.get(await aChallenge()) })
    expect(answer.status).toBe(200)
    expect(jar.session).not.toBe(before)
    expect((await jar.post('/profile/passkeys/options')).status).toBe(200)
  })

  test('refuses the passkey of another person, an answer given before, and an empty call', async () => {
    const { person, authenticator } = await withPasskey()
    const other = await withPasskey()
    const browser = await inBrowser(person)
    const used = authenticator.get(await aChallenge())
    expect((await new CookieJar().post('/auth/passkeys/verify', { credential: used })).status).toBe(201)
    for (const passkey of [other.authenticator.get(await aChallenge()), used]) {
      const { status, body } = await browser.post('/auth/step-up', { passkey })
      expect([status, body.code, Object.keys(body.errors)]).toEqual([422, 'wrong_passkey', ['passkey']])
    }
    const empty = await browser.post('/auth/step-up', {})
    expect([empty.status, Object.keys(empty.body.errors)]).toEqual([422, ['password']])
  })
})

test('a sign-in by passkey ends the session that the browser had', async () => {
  const { person, authenticator } = await withPasskey()
  const jar = new CookieJar()
  await jar.logIn(person.email)
  const before = jar.session
  const { status } = await jar.post('/auth/passkeys/verify', { credential: authenticator.get(await aChallenge()) })
  expect([status, jar.session === before]).toEqual([201, false])
  const browsers = (await jar.get('/profile/sessions')).body.data.filter(
    (each: { auth_method: string; is_current: boolean }) => each.auth_method === 'password' && each.is_current,
  )
  expect(browsers).toEqual([])
  const { rowCount } = await platform.query(`select 1 from tokens where hash = sha256(convert_to($1, 'UTF8'))`, [
    before,
  ])
  expect(rowCount).toBe(0)
})

describe('a team that requires a second factor', () => {
  test('takes a session by passkey, and one by password alone only once it stepped up by passkey', async () => {
    const { person, authenticator } = await withPasskey()
    await platform.query(
      `insert into security_policies (tenant_id, mfa_required_at, mfa_grace_days)
       values ($1, now() - interval '1 day', 0)`,
      [person.tenantId],
    )
    const jar = new CookieJar()
    await jar.logIn(person.email)
    expect((await jar.get('/monitors')).body.code).toBe('mfa_required')
    expect((await jar.get('/profile/passkeys')).status).toBe(200)
    expect((await jar.post('/auth/step-up', { passkey: authenticator.get(await aChallenge()) })).status).toBe(200)
    expect((await jar.get('/monitors')).status).toBe(200)
    const fresh = new CookieJar()
    await fresh.post('/auth/passkeys/verify', { credential: authenticator.get(await aChallenge()) })
    expect((await fresh.get('/monitors')).status).toBe(200)
  })
})
