import { randomUUID } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { aPerson, aPersonIn, join, lastAudit, password } from '#test/control-plane/identity/people.ts'
import { app, given } from '#test/support/app.ts'
import { inBrowser } from '#test/support/browser-session.ts'
import { Authenticator, type Deviation } from './authenticator.ts'
import { origin, register, signInBy } from './given.ts'

const { platform } = app.services

const mailsOf = async ({ tenantId }: { tenantId: string }) => {
  const { rows } = await platform.query<{ name: string; to: string }>(
    `select name, payload -> 'recipient' ->> 'email' as to from outbox
     where tenant_id = $1 and kind = 'mail' order by id`,
    [tenantId],
  )
  return rows
}

describe('making a passkey', () => {
  test('is offered for our host, with verification of the user, and without those that there are', async () => {
    const person = await aPerson()
    const browser = await inBrowser(person)
    const { authenticator } = await register(browser)
    const { status, body } = await browser.post('/profile/passkeys/options')
    expect(status).toBe(200)
    expect(body.data).toMatchObject({
      rp: { id: 'localhost', name: 'Vedette' },
      user: { name: person.email, displayName: 'Mo Member' },
      attestation: 'none',
      authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
      excludeCredentials: [
        { id: authenticator.id.toString('base64url'), type: 'public-key', transports: ['internal', 'hybrid'] },
      ],
    })
    const handle = Buffer.from(body.data.user.id, 'base64url').toString('hex')
    expect(handle).toBe(person.userId?.replaceAll('-', ''))
  })

  test('answers it, mails the person and enters it in the audit log', async () => {
    const person = await aPerson()
    const browser = await inBrowser(person)
    const { answer } = await register(browser, { name: '  My key ' })
    expect(answer.status).toBe(201)
    expect(answer.body.data).toMatchObject({
      name: 'My key',
      rp_id: 'localhost',
      transports: ['internal', 'hybrid'],
      is_backup_eligible: false,
      is_backed_up: false,
      aaguid: '01020304-0506-0708-0102-030405060708',
      last_used_at: null,
    })
    expect(await mailsOf(person)).toEqual([{ name: 'security_passkey_added', to: person.email }])
    expect(await lastAudit(person.tenantId, 'passkey.added')).toMatchObject({
      user_id: person.userId,
      entity_type: 'user',
      entity_id: person.userId,
      changes: { passkey_id: answer.body.data.id },
    })
  })

  test('one that a manager of passwords copies is known as such, and by the name of browser and system', async () => {
    const browser = await inBrowser(await aPerson())
    const authenticator = new Authenticator(origin)
    authenticator.isSynced = true
    const { body } = await browser.post('/profile/passkeys/options')
    const firefox = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0'
    const made = await browser.post(
      '/profile/passkeys',
      { credential: authenticator.create(body.data) },
      { headers: { 'User-Agent': firefox } },
    )
    expect(made.body.data).toMatchObject({ name: 'Firefox, Linux', is_backup_eligible: true, is_backed_up: true })
  })

  const deviations: Record<string, Deviation> = {
    'by a page of another origin': { origin: 'https://evil.example' },
    'for another domain': { rpId: 'evil.example' },
    'with a challenge that we did not make': { challenge: 'A'.repeat(43) },
    'without verification of the user': { isUserVerified: false },
    'without presence of the user': { isUserPresent: false },
    'of a sign-in': { type: 'webauthn.get' },
    'given in a frame of another origin': { crossOrigin: true },
    'with a statement of a format that we did not ask for': { format: 'tpm' },
    'with certificates, whose lists of revoked ones would be downloaded': {
      format: 'packed',
      statement: new Map([['x5c', [Buffer.from('a certificate')]]]),
    },
    'with an algorithm that we did not offer': { algorithm: -36 },
    'with a key that is no point of its curve': { publicKey: new Map([[-3, Buffer.alloc(32, 7)]]) },
    'with a key of zeros': { publicKey: new Map([-2, -3].map(part => [part, Buffer.alloc(32)])) },
    'with a key that is too short': { publicKey: new Map([[-2, Buffer.alloc(31, 1)]]) },
    'with a key of another curve': { publicKey: new Map([[-1, 2]]) },
  }
  for (const [what, deviation] of Object.entries(deviations))
    test(`an answer ${what} is refused`, async () => {
      const browser = await inBrowser(await aPerson())
      const { status, body } = (await register(browser, { deviation })).answer
      expect([status, body.code, Object.keys(body.errors)]).toEqual([422, 'wrong_passkey', ['credential']])
      expect((await browser.get('/profile/passkeys')).body.data).toEqual([])
    })

  test('an answer is good once, and only for the person that it was asked for', async () => {
    const browser = await inBrowser(await aPerson())
    const other = await inBrowser(await aPerson())
    const { body } = await browser.post('/profile/passkeys/options')
    const credential = new Authenticator(origin).create(body.data)
    expect((await other.post('/profile/passkeys', { credential })).body.code).toBe('wrong_passkey')
    const all = await Promise.all(Array.from({ length: 8 }, () => browser.post('/profile/passkeys', { credential })))
    expect(all.map(({ status }) => status).sort()).toEqual([201, ...Array.from({ length: 7 }, () => 422)])
  })

  test('the credential of another person is not taken over', async () => {
    const first = await register(await inBrowser(await aPerson()))
    const thief = new Authenticator(origin, { id: first.authenticator.id })
    const { answer } = await register(await inBrowser(await aPerson()), { authenticator: thief })
    expect([answer.status, answer.body.code]).toEqual([422, 'taken'])
    expect((await signInBy(first.authenticator)).status).toBe(201)
    expect((await signInBy(thief)).status).toBe(401)
  })

  test('there are twenty at most, also when the last two are made at once', async () => {
    const person = await aPerson()
    const browsers = await Promise.all([inBrowser(person), inBrowser(person)])
    await platform.query(
      `insert into passkeys (id, user_id, rp_id, credential_id, public_key, aaguid, name)
       select gen_random_uuid(), $1::uuid, 'localhost', sha256(convert_to($1::text || n, 'UTF8')), '',
         gen_random_uuid(), 'one'
       from generate_series(1, 19) n`,
      [person.userId],
    )
    const offers = await Promise.all(browsers.map(browser => browser.post('/profile/passkeys/options')))
    const made = await Promise.all(
      browsers.map((browser, index) =>
        browser.post('/profile/passkeys', { credential: new Authenticator(origin).create(offers[index]!.body.data) }),
      ),
    )
    expect(made.map(({ status }) => status).sort()).toEqual([201, 422])
    const refused = await browsers[0]!.post('/profile/passkeys/options')
    expect([refused.status, refused.body.code]).toEqual([422, 'too_many_passkeys'])
    expect((await browsers[0]!.get('/profile/passkeys?per_page=100')).body.meta.total).toBe(20)
  })

  test('a session of a browser that is not fresh, a limited one and a key of the team make none', async () => {
    const person = await aPerson()
    const browser = await inBrowser(person)
    await platform.query(
      `update tokens set reauthenticated_at = clock_timestamp() - interval '601 s' where user_id = $1 and is_browser`,
      [person.userId],
    )
    const stale = await browser.post('/profile/passkeys/options')
    expect([stale.status, stale.body.code]).toEqual([403, 'reauthentication_required'])
    const limited = await inBrowser(person, { isLocked: true, method: 'partner_sso' })
    const key = await person.elsewhere(person.tenantId, 'sk', ['team:manage'])
    for (const caller of [limited, key]) {
      for (const answer of [
        await caller.post('/profile/passkeys/options', { password }),
        await caller.get('/profile/passkeys'),
        await caller.patch(`/profile/passkeys/${randomUUID()}`, { name: 'x' }),
        await caller.delete(`/profile/passkeys/${randomUUID()}`, { password }),
      ])
        expect([answer.status, answer.body.code]).toEqual([403, 'session_needed'])
    }
  })

  test('outside a browser the password is needed, so that a stolen token makes none', async () => {
    const person = await aPerson()
    const without = await person.post('/profile/passkeys/options', {})
    expect([without.status, Object.keys(without.body.errors)]).toEqual([422, ['password']])
    const wrong = await person.post('/profile/passkeys/options', { password: 'wrong' })
    expect([wrong.status, wrong.body.code]).toEqual([422, 'wrong_password'])
    const { status, body } = await person.post('/profile/passkeys/options', { password })
    expect(status).toBe(200)
    const credential = new Authenticator(origin).create(body.data)
    expect((await person.post('/profile/passkeys', { credential })).status).toBe(201)
  })

  test('names are one line of at most 100 characters', async () => {
    const browser = await inBrowser(await aPerson())
    const { answer } = await register(browser, { name: 'n'.repeat(100) })
    expect(answer.status).toBe(201)
    for (const name of ['', 'n'.repeat(101), 'a\nb', 5]) {
      const { status, body } = await browser.patch(`/profile/passkeys/${answer.body.data.id}`, { name })
      expect([status, Object.keys(body.errors)]).toEqual([422, ['name']])
    }
  })
})

describe('managing passkeys', () => {
  test('a list in the order in which they were made, and their last use', async () => {
    const browser = await inBrowser(await aPerson())
    const first = await register(browser, { name: 'first' })
    await register(browser, { name: 'second' })
    await signInBy(first.authenticator)
    const { data } = (await browser.get('/profile/passkeys')).body
    expect(data.map(({ name }: { name: string }) => name)).toEqual(['first', 'second'])
    expect(data.map((each: { last_used_at: string | null }) => each.last_used_at !== null)).toEqual([true, false])
  })

  test('another name is entered in the audit log without the name', async () => {
    const person = await aPerson()
    const browser = await inBrowser(person)
    const { id } = (await register(browser, { name: 'before' })).answer.body.data
    const { status, body } = await browser.patch(`/profile/passkeys/${id}`, { name: 'after' })
    expect([status, body.data.name]).toEqual([200, 'after'])
    expect(await lastAudit(person.tenantId, 'passkey.renamed')).toMatchObject({ changes: { passkey_id: id } })
    await browser.patch(`/profile/passkeys/${id}`, { name: 'after' })
    expect((await app.audited(person)).filter(action => action === 'passkey.renamed')).toHaveLength(1)
  })

  test('a deleted one is mailed and entered in the audit log', async () => {
    const person = await aPerson()
    const browser = await inBrowser(person)
    const { id } = (await register(browser)).answer.body.data
    expect((await browser.delete(`/profile/passkeys/${id}`)).status).toBe(204)
    expect((await browser.delete(`/profile/passkeys/${id}`)).status).toBe(404)
    expect((await mailsOf(person)).map(({ name }) => name)).toEqual([
      'security_passkey_added',
      'security_passkey_removed',
    ])
    expect(await lastAudit(person.tenantId, 'passkey.removed')).toMatchObject({ changes: { passkey_id: id } })
  })

  test('outside a browser the password is needed to delete one', async () => {
    const person = await aPerson()
    const { id } = (await register(await inBrowser(person))).answer.body.data
    expect((await person.delete(`/profile/passkeys/${id}`)).status).toBe(422)
    expect((await person.delete(`/profile/passkeys/${id}`, { password })).status).toBe(204)
  })

  test('the passkeys of another person are not found', async () => {
    const { answer } = await register(await inBrowser(await aPerson()))
    const other = await inBrowser(await aPerson())
    const path = `/profile/passkeys/${answer.body.data.id}`
    expect((await other.patch(path, { name: 'mine' })).status).toBe(404)
    expect((await other.delete(path)).status).toBe(404)
    expect((await other.get('/profile/passkeys')).body.data).toEqual([])
  })

  test('the last one of a person without a password stays, also when two are deleted at once', async () => {
    const person = await aPerson()
    await platform.query('update users set password_hash = null where id = $1', [person.userId])
    const browser = await inBrowser(person)
    const ids = [(await register(browser)).answer.body.data.id, (await register(browser)).answer.body.data.id]
    const gone = await Promise.all(ids.map(id => browser.delete(`/profile/passkeys/${id}`)))
    expect(gone.map(({ status }) => status).sort()).toEqual([204, 422])
    const refused = gone.find(({ status }) => status === 422)
    expect([refused?.body.code, Object.keys(refused?.body.errors)]).toEqual(['last_passkey', ['passkey']])
  })
})

describe('what others see of passkeys', () => {
  test('profile, second factor and members name them', async () => {
    const person = await aPerson()
    const browser = await inBrowser(person)
    await register(browser)
    expect((await browser.get('/profile')).body.data.auth_methods).toEqual(['password', 'passkey'])
    expect((await browser.get('/profile/mfa')).body.data).toMatchObject({ mfa_enabled: false, passkeys: 1 })
    const [member] = (await person.get('/members')).body.data
    expect(member).toMatchObject({ auth_methods: ['password', 'passkey'] })
  })

  test('the reset of a second factor by an administrator takes them away, with a mail', async () => {
    const owner = await aPerson()
    const member = await aPersonIn(owner.tenantId)
    const { authenticator } = await register(await inBrowser(member))
    const { status, body } = await owner.post(`/members/${member.userId}/reset-mfa`)
    expect([status, body.data.auth_methods]).toEqual([200, ['password']])
    expect((await signInBy(authenticator)).status).toBe(401)
    expect((await mailsOf(owner)).map(({ name }) => name)).toEqual(['security_passkey_added', 'security_mfa_reset'])
  })

  test('an administrator of one team does not take away those of a person of two', async () => {
    const owner = await aPerson()
    const member = await aPersonIn(owner.tenantId)
    const { authenticator } = await register(await inBrowser(member))
    await join(member.userId, (await given.tenant()).tenantId, 'viewer')
    expect((await owner.post(`/members/${member.userId}/reset-mfa`)).status).toBe(403)
    expect((await signInBy(authenticator)).status).toBe(201)
  })

  test('the export of personal data has them without keys; erasure deletes them', async () => {
    const person = await aPerson()
    await register(await inBrowser(person), { name: 'Mine' })
    const { body } = await person.get('/profile/export')
    expect(body.data.passkeys).toEqual([expect.objectContaining({ name: 'Mine', rp_id: 'localhost' })])
    expect(body.data.passkeys[0]).not.toHaveProperty('public_key')
    expect((await person.delete('/profile', { password })).status).toBe(200)
    expect((await platform.query('select 1 from passkeys where user_id = $1', [person.userId])).rowCount).toBe(0)
  })
})
