import { describe, expect, test } from 'vitest'
import { encryptSecret } from '#control-plane/base/secrets.ts'
import { secretPurpose } from '#control-plane/identity/mfa/secret.ts'
import { another, aPerson, aPersonIn, join, lastAudit, password, signIn } from '#test/control-plane/identity/people.ts'
import { app, given } from '#test/support/app.ts'
import { codeOf, guarded } from './factor.ts'

const { platform } = app.services

describe('setting up a second factor', () => {
  test('counts from the first code on, and gives ten recovery codes', async () => {
    const person = await aPerson()
    const started = await person.post('/profile/mfa', { password })
    expect(started.status).toBe(201)
    expect(started.body.data.otpauth_url).toContain(`secret=${started.body.data.secret}`)
    expect((await person.get('/profile/mfa')).body.data).toEqual({
      mfa_enabled: false,
      enabled_at: null,
      recovery_codes_left: 0,
    })
    expect((await signIn(person.email)).status).toBe(201)
    expect((await person.post('/profile/mfa/confirm', { code: '000000' })).body.code).toBe('wrong_code')
    const { status, body } = await person.post('/profile/mfa/confirm', { code: await codeOf(started.body.data.secret) })
    expect([status, body.data.mfa_enabled]).toEqual([200, true])
    expect(new Set(body.data.recovery_codes).size).toBe(10)
    for (const code of body.data.recovery_codes) expect(code).toMatch(/^([A-Z2-9]{4}-){3}[A-Z2-9]{4}$/)
    expect((await person.get('/profile/mfa')).body.data).toMatchObject({ mfa_enabled: true, recovery_codes_left: 10 })
    expect((await person.get('/profile')).body.data).toMatchObject({
      mfa_enabled: true,
      auth_methods: ['password', 'totp'],
    })
    expect((await person.post('/profile/mfa', { password })).body.code).toBe('mfa_enabled')
    expect(await lastAudit(person.tenantId, 'mfa.enabled')).toMatchObject({ entity_id: person.userId, changes: null })
  })

  test('nothing of it can be read where it is stored', async () => {
    const { person, secret, recovery } = await guarded(await aPerson())
    const { rows } = await platform.query(
      'select row_to_json(f)::text as text from second_factors f where user_id = $1',
      [person.userId],
    )
    for (const text of [secret, ...recovery, ...recovery.map(code => code.replaceAll('-', ''))])
      expect(rows[0].text).not.toContain(text)
  })

  test('needs the password, and a session of one’s own', async () => {
    const person = await aPerson()
    expect((await person.post('/profile/mfa', { password: 'wrong' })).body.code).toBe('wrong_password')
    expect((await person.post('/profile/mfa/confirm', { code: '123456' })).body.code).toBe('mfa_not_started')
    for (const code of ['', '12345', '1234567', 'abcdef', null])
      expect(Object.keys((await person.post('/profile/mfa/confirm', { code })).body.errors)).toEqual(['code'])
    const key = await person.elsewhere(person.tenantId, 'sk', ['team:manage'])
    expect((await key.post('/profile/mfa', { password })).body.code).toBe('session_needed')
  })
})

describe('signing in with a second factor', () => {
  test('an unreadable secret is a 422 on its field; a recovery code still signs in', async () => {
    const { person, secret, recovery } = await guarded(await aPerson())
    const forgotten = { secretKey: 'a key of this installation that was forgotten long ago' }
    await platform.query('update second_factors set secret = $2 where user_id = $1', [
      person.userId,
      encryptSecret(forgotten, secretPurpose, person.userId ?? '', secret),
    ])
    const { status, body } = await signIn(person.email, { otp_code: await codeOf(secret) })
    expect([status, body.code, Object.keys(body.errors)]).toEqual([422, 'second_factor_unreadable', ['otp_code']])
    expect((await signIn(person.email, { otp_code: recovery[0] })).status).toBe(201)
  })

  test('asks only who has the password for a code; a wrong code reads like a wrong password', async () => {
    const { person, secret } = await guarded(await aPerson())
    const asked = await signIn(person.email)
    expect([asked.status, asked.body.code, Object.keys(asked.body.errors)]).toEqual([422, 'otp_required', ['otp_code']])
    const plain = ({ text }: { text: string }) => text.replace(/"request_id":"[^"]+"/, '')
    const wrong = [
      await signIn(person.email, { otp_code: '000000' }),
      await signIn(person.email, { password: 'wrong' }),
      await signIn(person.email, { password: 'wrong', otp_code: await codeOf(secret) }),
    ]
    expect(new Set(wrong.map(plain)).size).toBe(1)
    expect(wrong.map(answer => answer.status)).toEqual([401, 401, 401])
    expect((await signIn(person.email, { otp_code: await codeOf(secret) })).status).toBe(201)
  })

  test('a code is good once, also for two who come at the same moment', async () => {
    const { person, secret } = await guarded(await aPerson())
    const code = await codeOf(secret)
    const answers = await Promise.all([1, 2, 3].map(() => signIn(person.email, { otp_code: code })))
    expect(answers.map(answer => answer.status).sort()).toEqual([201, 401, 401])
    expect((await signIn(person.email, { otp_code: await codeOf(secret, -1) })).status).toBe(401)
    expect((await signIn(person.email, { otp_code: await codeOf(secret, 1) })).status).toBe(201)
    expect((await signIn(person.email, { otp_code: await codeOf(secret, 3) })).status).toBe(401)
  })

  test('a recovery code signs in once, however it is typed', async () => {
    const { person, recovery } = await guarded(await aPerson())
    const [first = '', second = ''] = recovery
    expect((await signIn(person.email, { otp_code: first.toLowerCase().replaceAll('-', ' ') })).status).toBe(201)
    expect((await signIn(person.email, { otp_code: first })).status).toBe(401)
    expect((await signIn(person.email, { otp_code: second.replaceAll('-', '') })).status).toBe(201)
    expect((await person.get('/profile/mfa')).body.data.recovery_codes_left).toBe(8)
  })

  test('is asked of those who accept an invitation, and of those who erase themselves', async () => {
    const { person, secret } = await guarded(await aPerson())
    const owner = await given.tenant()
    const { body } = await owner.post('/invitations', { email: person.email })
    const accept = (extra: Record<string, unknown>) =>
      given.stranger().post('/invitations/accept', { token: body.plain_text_token, password, ...extra })
    expect((await accept({})).body.code).toBe('otp_required')
    expect((await accept({ otp_code: await codeOf(secret) })).status).toBe(201)
    expect((await person.delete('/profile', { password })).body.code).toBe('otp_required')
    expect((await person.delete('/profile', { password, otp_code: '000000' })).body.code).toBe('wrong_code')
  })
})

describe('changing it', () => {
  test('is switched off with password and code, and renewed recovery codes replace the earlier ones', async () => {
    const { person, secret, recovery } = await guarded(await aPerson())
    const renewed = await person.post('/profile/mfa/recovery-codes', { password, otp_code: recovery[0] })
    expect(renewed.body.data.recovery_codes).toHaveLength(10)
    expect((await person.delete('/profile/mfa', { password, otp_code: recovery[1] })).body.code).toBe('wrong_code')
    expect((await person.delete('/profile/mfa', { password: another, otp_code: await codeOf(secret) })).body.code).toBe(
      'wrong_password',
    )
    expect(Object.keys((await person.delete('/profile/mfa', { password })).body.errors)).toEqual(['otp_code'])
    expect((await person.delete('/profile/mfa', { password, otp_code: await codeOf(secret) })).status).toBe(204)
    expect((await signIn(person.email)).status).toBe(201)
    expect((await person.delete('/profile/mfa', { password, otp_code: await codeOf(secret, 1) })).body.code).toBe(
      'mfa_not_enabled',
    )
  })
})

describe('POST /members/{user_id}/reset-mfa', () => {
  test('an administrator, or the reseller, takes a lost factor off', async () => {
    const reseller = await given.reseller({ scopes: ['members:write'] })
    const team = await given.team(reseller)
    for (const reset of [
      (id: string | null) => team.post(`/members/${id}/reset-mfa`),
      (id: string | null) => reseller.post(`${team.path}/members/${id}/reset-mfa`),
    ]) {
      const { person } = await guarded(await aPersonIn(team.tenantId))
      expect((await team.get(`/members/${person.userId}`)).body.data.mfa_enabled).toBe(true)
      const { status, body } = await reset(person.userId)
      expect([status, body.data.mfa_enabled]).toEqual([200, false])
      expect((await signIn(person.email)).status).toBe(201)
      expect(await lastAudit(team.tenantId, 'mfa.reset')).toMatchObject({ entity_id: person.userId })
    }
  })

  test('not off a person whom others rely on', async () => {
    const reseller = await given.reseller()
    const [team, sister] = [await given.team(reseller), await given.team(reseller)]
    const foreign = await given.tenant()
    const { person } = await guarded(await aPersonIn(team.tenantId))
    await join(person.userId, sister.tenantId, 'member')
    expect((await team.post(`/members/${person.userId}/reset-mfa`)).body.code).toBe('person_of_others')
    await join(person.userId, foreign.tenantId, 'viewer')
    expect((await reseller.post(`${team.path}/members/${person.userId}/reset-mfa`)).body.code).toBe('person_of_others')
    await platform.query('delete from memberships where user_id = $1 and tenant_id = $2', [
      person.userId,
      foreign.tenantId,
    ])
    expect((await reseller.post(`${team.path}/members/${person.userId}/reset-mfa`)).status).toBe(200)
  })

  test('is refused in another tenant’s name, and to members', async () => {
    const reseller = await given.reseller()
    const team = await given.team(reseller)
    const named = { headers: { 'X-Tenant-Id': team.tenantId } }
    expect((await reseller.post(`/members/${team.userId}/reset-mfa`, undefined, named)).body.code).toBe(
      'impersonation_refused',
    )
    expect((await (await given.colleague(team, 'member')).post(`/members/${team.userId}/reset-mfa`)).status).toBe(403)
  })
})
