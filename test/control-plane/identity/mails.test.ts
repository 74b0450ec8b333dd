import { generate } from 'otplib'
import { describe, expect, test } from 'vitest'
import { languageOfTag } from '#locales/languages.ts'
import { app, given } from '#test/support/app.ts'
import { mailsOf, tokenIn } from './mails.ts'
import { anAddress, another, aPerson, aPersonIn, password, signIn } from './people.ts'

const aMoment = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/)
const to = (person: { userId: string | null; email: string }) => ({
  user_id: person.userId,
  email: person.email,
  name: 'Mo Member',
  language: 'en',
})
const notice = (person: { email: string }, ip: string | null) => ({
  user_name: 'Mo Member',
  user_email: person.email,
  occurred_at: aMoment,
  ip_address: ip,
})
const codeOf = async (secret: string) => generate({ secret, epoch: Math.floor(app.services.clock.nowMs() / 1_000) })

describe('who is written to, and what', () => {
  test('an invitation, and the same sent again, with a link that works', async () => {
    const owner = await aPerson()
    const email = anAddress()
    const made = await owner.post('/invitations', { email, role: 'viewer' })
    await owner.post(`/invitations/${made.body.data.id}/resend`)
    const asked = await mailsOf(owner)
    expect(asked).toHaveLength(2)
    for (const { type, recipient, data } of asked) {
      expect([type, recipient]).toEqual(['invitation', { user_id: null, email, name: null, language: 'en' }])
      expect(data).toMatchObject({ invited_by: 'Mo Member', role: 'viewer', expires_at: aMoment })
      expect(data.accept_url).toMatch(/^http:\/\/localhost\/invitation#[\w-]{43}$/)
    }
    const lookUp = (url: string) => given.stranger().post('/invitations/lookup', { token: tokenIn(url) })
    expect((await lookUp(asked[0]!.data.accept_url)).status).toBe(422)
    expect((await lookUp(asked[1]!.data.accept_url)).body.data.email).toBe(email)
  })

  test('an invitation does not name the reseller, nor reveal whether the address has an account', async () => {
    const reseller = await given.reseller()
    const team = await given.team(reseller)
    const known = await aPerson()
    await reseller.post(`${team.path}/invitations`, { email: known.email })
    const [asked] = await mailsOf(team)
    expect(asked).toMatchObject({
      recipient: { user_id: null, email: known.email, name: null },
      data: { invited_by: null },
    })
    expect(await mailsOf(reseller)).toEqual([])
  })

  test('who is removed, and whose role is changed; who leaves by themselves is not', async () => {
    const owner = await aPerson()
    const member = await aPersonIn(owner.tenantId)
    await owner.patch(`/members/${member.userId}`, { role: 'member' })
    await owner.patch(`/members/${member.userId}`, { role: 'admin' })
    await owner.delete(`/members/${member.userId}`)
    const [role, removed, ...rest] = await mailsOf(owner)
    expect(role).toMatchObject({
      type: 'security_role_changed',
      recipient: to(member),
      data: { ...notice(member, null), role: 'admin' },
    })
    expect(removed).toMatchObject({ type: 'member_removed', recipient: to(member), data: { user_name: 'Mo Member' } })
    expect(rest).toEqual([])
  })

  test('every change of what opens an account, with exactly what the notices say', async () => {
    const person = await aPerson()
    const other = await person.elsewhere()
    const started = await person.post('/profile/mfa', { password })
    const on = await person.post('/profile/mfa/confirm', { code: await codeOf(started.body.data.secret) })
    const [first, second] = on.body.data.recovery_codes
    const renewed = await person.post('/profile/mfa/recovery-codes', { password, otp_code: first })
    expect(renewed.status).toBe(200)
    expect((await person.delete('/profile/mfa', { password, otp_code: second })).status).toBe(422)
    expect(
      (await person.delete('/profile/mfa', { password, otp_code: renewed.body.data.recovery_codes[0] })).status,
    ).toBe(204)
    const token = await person.post('/api-tokens', { name: 'CI', scopes: ['monitors:read'] })
    await person.delete(`/api-tokens/${token.body.data.id}`)
    await person.delete(
      `/profile/sessions/${(await other.get('/profile/sessions')).body.data.find((each: { is_current: boolean }) => each.is_current).id}`,
    )
    await person.delete('/profile/sessions')
    expect((await person.post('/profile/password', { current_password: password, password: another })).status).toBe(204)

    const asked = await mailsOf(person)
    expect(asked.map(({ type }) => type)).toEqual([
      'security_mfa_enabled',
      'security_recovery_codes_regenerated',
      'security_mfa_disabled',
      'security_api_token_created',
      'security_api_token_revoked',
      'security_session_revoked',
      'security_password_changed',
    ])
    for (const { recipient, data } of asked) {
      expect(recipient).toEqual(to(person))
      const { keys: _, keys_elsewhere: __, ...said } = data
      expect(said).toEqual(notice(person, person.ip))
    }
  })

  test('a second factor reset by an administrator is mailed; without a second factor there is no mail', async () => {
    const owner = await aPerson()
    const member = await aPersonIn(owner.tenantId)
    expect((await owner.post(`/members/${member.userId}/reset-mfa`)).status).toBe(200)
    const started = await member.post('/profile/mfa', { password })
    await member.post('/profile/mfa/confirm', { code: await codeOf(started.body.data.secret) })
    await owner.post(`/members/${member.userId}/reset-mfa`)
    const asked = await mailsOf(owner)
    expect(asked.map(({ type }) => type)).toEqual(['security_mfa_enabled', 'security_mfa_reset'])
    expect(asked[1]).toMatchObject({ recipient: to(member), data: notice(member, null) })
  })

  test('a key of the team’s is no person’s', async () => {
    const owner = await aPerson()
    expect((await owner.post('/api-keys', { name: 'CI', scopes: ['monitors:read'] })).status).toBe(201)
    expect(await mailsOf(owner)).toEqual([])
  })
})

describe('a device not seen before', () => {
  const firefox = 'Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:131.0) Gecko/20100101 Firefox/131.0'
  const laterFirefox = 'Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:140.0) Gecko/20100101 Firefox/140.0'
  const safari =
    'Mozilla/5.0 (iPhone; CPU iPhone OS 17_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like ' +
    'Gecko) Version/17.0 Mobile/15E148 Safari/604.1'

  test('is written of, except the very first; a browser outlives its versions', async () => {
    const person = await aPerson()
    const enter = (userAgent: string, device_name = 'a browser') =>
      given
        .stranger()
        .post('/auth/token', { email: person.email, password, device_name }, { headers: { 'User-Agent': userAgent } })
    for (const userAgent of [firefox, laterFirefox, firefox, safari, safari])
      expect((await enter(userAgent, 'called anything')).status).toBe(201)
    for (const name of ['build server', 'build server', '<b>x</b>'])
      expect((await enter('curl/8.0', name)).status).toBe(201)
    await enter(`Mozilla/5.0 ${'x'.repeat(5_000)}`, 'odd one')
    const asked = await mailsOf(person)
    expect(asked.map(({ type, data }) => [type, data.device])).toEqual(
      ['Safari, iOS', 'build server', '<b>x</b>', 'odd one'].map(device => ['security_login_new_device', device]),
    )
    expect(asked[0]).toMatchObject({
      recipient: to(person),
      data: { user_email: person.email, ip_address: expect.stringMatching(/^198\./) },
    })
    const { rows } = await app.services.platform.query('select fingerprint from known_devices where user_id = $1', [
      person.userId,
    ])
    expect(rows).toHaveLength(5)
  })

  test('a wrong password stores no known device', async () => {
    const person = await aPerson()
    await signIn(person.email, { password: 'wrong' })
    expect(
      (await app.services.platform.query('select 1 from known_devices where user_id = $1', [person.userId])).rowCount,
    ).toBe(0)
  })
})

test('a person’s language is carried along', async () => {
  const person = await aPerson()
  await person.patch('/profile', { language: 'de-AT' })
  await person.post('/invitations', { email: anAddress() })
  const [asked] = await mailsOf(person)
  expect(languageOfTag(asked!.recipient.language)).toBe('de')
})
