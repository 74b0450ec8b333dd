import { randomBytes, randomUUID } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { createChallenge, takeChallenge } from '#control-plane/identity/passkeys/challenges.ts'
import { aPerson, aPersonIn, join, lastAudit } from '#test/control-plane/identity/people.ts'
import { app, CallerUnderTest, given } from '#test/support/app.ts'
import { inBrowser } from '#test/support/browser-session.ts'
import { Authenticator, type Deviation } from './authenticator.ts'
import { aChallenge, origin, register, signInBy, verify } from './given.ts'

const { platform } = app.services

async function aPersonWithPasskey() {
  const person = await aPerson()
  const { authenticator, answer } = await register(await inBrowser(person))
  expect(answer.status).toBe(201)
  return { person, authenticator }
}

describe('signing in by passkey', () => {
  test('opens a session of the browser as a cookie, and answers no token', async () => {
    const { person, authenticator } = await aPersonWithPasskey()
    const { status, body, headers } = await signInBy(authenticator)
    expect(status).toBe(201)
    expect(body.user).toMatchObject({ id: person.userId, email: person.email, tenant_id: person.tenantId })
    expect(body).not.toHaveProperty('token')
    const cookie = headers.get('set-cookie') ?? ''
    expect(cookie).toMatch(/^vedette=ss-[\w-]+; Path=\/; HttpOnly; SameSite=Lax; Expires=/)
    const own = await given
      .stranger()
      .get('/user', { headers: { Cookie: cookie.split(';')[0] ?? '', 'Sec-Fetch-Site': 'same-origin' } })
    expect([own.status, own.body.id]).toEqual([200, person.userId])
    expect(await lastAudit(person.tenantId, 'session.created')).toMatchObject({ user_id: person.userId })
    const { rows } = await platform.query(
      `select auth_method, is_browser, reauthenticated_at is not null as is_fresh from tokens
       where user_id = $1 and auth_method = 'passkey'`,
      [person.userId],
    )
    expect(rows).toEqual([{ auth_method: 'passkey', is_browser: true, is_fresh: true }])
  })

  test('answers a token where one is asked for, and sets no cookie', async () => {
    const { person, authenticator } = await aPersonWithPasskey()
    const { status, body, headers } = await signInBy(authenticator, {}, { as: 'token', device_name: 'A laptop' })
    expect([status, headers.get('set-cookie')]).toEqual([201, null])
    const caller = new CallerUnderTest(person.tenantId, person.userId, body.token)
    expect((await caller.get('/profile/sessions')).body.data[0]).toMatchObject({ device_name: 'A laptop' })
  })

  test('enters a named team of the person, and no other', async () => {
    const { person, authenticator } = await aPersonWithPasskey()
    const other = await given.tenant()
    const refused = await signInBy(authenticator, {}, { tenant_id: other.tenantId })
    expect([refused.status, refused.body.code]).toEqual([401, 'bad_credentials'])
    await join(person.userId, other.tenantId, 'viewer')
    const entered = await signInBy(authenticator, {}, { tenant_id: other.tenantId })
    expect([entered.status, entered.body.user.tenant_id]).toEqual([201, other.tenantId])
  })

  test('asks for no code of a second factor, since the device has verified the person', async () => {
    const { person, authenticator } = await aPersonWithPasskey()
    await platform.query(`insert into second_factors (user_id, secret, confirmed_at) values ($1, 'encrypted', now())`, [
      person.userId,
    ])
    expect((await signInBy(authenticator)).status).toBe(201)
  })

  test('the options name no person and no credential, and ask for verification of the user', async () => {
    const { status, body } = await given.stranger().post('/auth/passkeys/options')
    expect(status).toBe(200)
    expect(body.data).toEqual({
      challenge: expect.stringMatching(/^[\w-]{43}$/),
      rpId: 'localhost',
      timeout: 300_000,
      userVerification: 'required',
    })
  })

  const deviations: Record<string, Deviation> = {
    'for a page of another origin': { origin: 'https://localhost.example.com' },
    'for the same host on another port': { origin: 'http://localhost:8080' },
    'for another domain': { rpId: 'example.com' },
    'with a challenge that we did not make': { challenge: randomBytes(32).toString('base64url') },
    'with no challenge': { challenge: '' },
    'without verification of the user': { isUserVerified: false },
    'without presence of the user': { isUserPresent: false },
    'with the handle of another person': { userHandle: randomBytes(16).toString('base64url') },
    'without a handle': { userHandle: null },
    'signed by another key': { isForged: true },
    'of a registration': { type: 'webauthn.create' },
    'given in a frame of another origin': { crossOrigin: true },
  }
  for (const [what, deviation] of Object.entries(deviations))
    test(`an answer ${what} is refused`, async () => {
      const { authenticator } = await aPersonWithPasskey()
      const { status, body } = await signInBy(authenticator, deviation)
      expect([status, body.code]).toEqual([401, 'bad_credentials'])
      expect((await signInBy(authenticator)).status).toBe(201)
    })

  test('the handle of another person with a passkey opens neither account', async () => {
    const one = await aPersonWithPasskey()
    const other = await aPersonWithPasskey()
    expect((await signInBy(one.authenticator, { userHandle: other.authenticator.userHandle })).status).toBe(401)
  })

  test('an unknown passkey and that of another domain are refused like a wrong answer', async () => {
    const { authenticator } = await aPersonWithPasskey()
    const unknown = new Authenticator(origin)
    unknown.userHandle = authenticator.userHandle
    const answer = await signInBy(unknown)
    expect(answer.status).toBe(401)
    await platform.query(`update passkeys set rp_id = 'portal.example.com' where credential_id = $1`, [
      authenticator.id,
    ])
    const elsewhere = await signInBy(authenticator)
    expect({ ...elsewhere.body, request_id: '' }).toEqual({ ...answer.body, request_id: '' })
  })

  test('a known credential id with another key is refused', async () => {
    const { authenticator } = await aPersonWithPasskey()
    const foreign = new Authenticator(origin, { id: authenticator.id })
    foreign.userHandle = authenticator.userHandle
    expect((await signInBy(foreign)).status).toBe(401)
  })

  test('an answer is good once, even when fifty come at once', async () => {
    const { authenticator } = await aPersonWithPasskey()
    const answer = authenticator.get(await aChallenge())
    const all = await Promise.all(Array.from({ length: 50 }, () => verify(answer)))
    expect(all.filter(({ status }) => status === 201)).toHaveLength(1)
    expect(all.filter(({ status }) => status === 401)).toHaveLength(49)
  })

  test('a wrong answer uses its challenge up', async () => {
    const { authenticator } = await aPersonWithPasskey()
    const options = await aChallenge()
    expect((await verify(authenticator.get(options, { isForged: true }))).status).toBe(401)
    expect((await verify(authenticator.get(options))).status).toBe(401)
  })

  test('a challenge ends after five minutes', async () => {
    const { authenticator } = await aPersonWithPasskey()
    const options = await aChallenge()
    const { rows } = await platform.query(
      `update passkey_challenges set expires_at = clock_timestamp() - interval '1 ms'
       where challenge_hash = sha256(convert_to($1, 'UTF8'))
       returning expires_at > clock_timestamp() - interval '1 s' as was_set`,
      [options.challenge],
    )
    expect(rows).toHaveLength(1)
    expect((await verify(authenticator.get(options))).status).toBe(401)
  })

  test('a challenge to register is refused at a sign-in, and the other way round', async () => {
    const { person, authenticator } = await aPersonWithPasskey()
    const browser = await inBrowser(person)
    const { body } = await browser.post('/profile/passkeys/options')
    expect((await verify(authenticator.get(body.data))).status).toBe(401)
    const { userHandle: id } = authenticator
    const credential = new Authenticator(origin).create({ ...(await aChallenge()), user: { id } })
    expect((await browser.post('/profile/passkeys', { credential })).body.code).toBe('wrong_passkey')
  })

  test('a counter that does not grow is refused, and the team reads so in its audit log', async () => {
    const { person, authenticator } = await aPersonWithPasskey()
    expect((await signInBy(authenticator, { counter: 7 })).status).toBe(201)
    for (const counter of [7, 6, 0]) expect((await signInBy(authenticator, { counter })).status).toBe(401)
    const entry = await lastAudit(person.tenantId, 'passkey.refused')
    expect(entry).toMatchObject({ entity_id: person.userId, user_id: null, changes: { reason: 'counter' } })
    expect((await signInBy(authenticator, { counter: 8 })).status).toBe(201)
  })

  test('an authenticator without a counter says 0 each time', async () => {
    const { authenticator } = await aPersonWithPasskey()
    for (const _ of [1, 2, 3]) expect((await signInBy(authenticator, { counter: 0 })).status).toBe(201)
  })

  test('the passkey of a service user and of a person without a team opens nothing', async () => {
    const { person, authenticator } = await aPersonWithPasskey()
    await platform.query('update users set is_service = true where id = $1', [person.userId])
    expect((await signInBy(authenticator)).status).toBe(401)
    await platform.query('update users set is_service = false where id = $1', [person.userId])
    await platform.query('delete from memberships where user_id = $1', [person.userId])
    expect((await signInBy(authenticator)).status).toBe(401)
  })

  test('a page of another origin is refused', async () => {
    const { authenticator } = await aPersonWithPasskey()
    const others: Record<string, string>[] = [
      { 'Sec-Fetch-Site': 'cross-site' },
      { Origin: 'https://evil.example' },
      {},
    ]
    for (const headers of others) {
      const credential = authenticator.get(await aChallenge())
      const { status, body } = await given.stranger().post('/auth/passkeys/verify', { credential }, { headers })
      expect([status, body.code]).toEqual([403, 'cross_site'])
    }
  })

  test('malformed answers are a 422 on their field', async () => {
    const { authenticator } = await aPersonWithPasskey()
    const good = authenticator.get(await aChallenge())
    const { response } = good
    const cases: [unknown, string][] = [
      [undefined, 'credential'],
      ['text', 'credential'],
      [{ ...good, id: '' }, 'credential.id'],
      [{ ...good, id: 'a'.repeat(1_365) }, 'credential.id'],
      [{ ...good, type: 'password' }, 'credential.type'],
      [{ ...good, response: { ...response, signature: 'no base64url!' } }, 'credential.response.signature'],
      [{ ...good, response: { ...response, clientDataJSON: 'a'.repeat(4_001) } }, 'credential.response.clientDataJSON'],
      [{ ...good, response: { ...response, userHandle: 'a'.repeat(101) } }, 'credential.response.userHandle'],
    ]
    for (const [credential, field] of cases) {
      const { status, body } = await verify(credential)
      expect([status, Object.keys(body.errors)]).toEqual([422, [field]])
    }
    for (const name of ['clientDataJSON', 'authenticatorData', 'signature'])
      for (const value of ['AA', 'e30', 'bnVsbA', 'W10', randomBytes(200).toString('base64url')])
        expect((await verify({ ...good, response: { ...response, [name]: value } })).status).toBe(401)
  })
})

test('a challenge is for one purpose, one person and one domain', async () => {
  const userId = randomUUID()
  const challenge = await createChallenge(platform, { purpose: 'register', userId }, 'a.example')
  const take = (who: string, rpId: string) =>
    takeChallenge(platform, challenge, { purpose: 'register', userId: who }, rpId)
  expect(await take(randomUUID(), 'a.example')).toBe(false)
  expect(await take(userId, 'b.example')).toBe(false)
  expect(await takeChallenge(platform, challenge, { purpose: 'sign_in', userId: null }, 'a.example')).toBe(false)
  expect(await take(userId, 'a.example')).toBe(true)
  expect(await take(userId, 'a.example')).toBe(false)
})

test('a removed passkey is refused', async () => {
  const { person, authenticator } = await aPersonWithPasskey()
  const browser = await inBrowser(person)
  const [passkey] = (await browser.get('/profile/passkeys')).body.data
  expect((await browser.delete(`/profile/passkeys/${passkey.id}`)).status).toBe(204)
  expect((await signInBy(authenticator)).status).toBe(401)
})

test('a viewer signs in by passkey like an owner', async () => {
  const member = await aPersonIn((await given.tenant()).tenantId, 'viewer')
  const { authenticator } = await register(await inBrowser(member))
  const { body } = await verify(authenticator.get(await aChallenge()))
  expect(body.user.role).toBe('viewer')
})
