import { describe, expect, test } from 'vitest'
import { app, given } from '#test/support/app.ts'
import { mailsOf, tokenIn } from './mails.ts'
import { anAddress, aPerson, password, signIn } from './people.ts'

const confirm = (token: string) => given.stranger().post('/auth/email/confirm', { token })
const linksOf = async (of: { tenantId: string }) =>
  (await mailsOf(of)).filter(({ type }) => type === 'email_change_verify').map(({ data }) => tokenIn(data.confirm_url))

describe('another e-mail address', () => {
  test('takes effect once confirmed; both addresses get mails, and old password links are void', async () => {
    const person = await aPerson()
    const next = anAddress()
    const asked = await person.post('/profile/email', { email: next, password })
    expect([asked.status, asked.body.data.pending_email]).toEqual([200, next])
    expect((await person.get('/profile')).body.data.email).toBe(person.email)
    await given.stranger().post('/auth/password/forgot', { email: person.email })
    const [token] = await linksOf(person)

    expect((await confirm(token!)).status).toBe(204)
    expect((await confirm(token!)).status).toBe(422)
    expect((await person.get('/profile')).body.data.email).toBe(next)
    expect([(await signIn(person.email)).status, (await signIn(next)).status]).toEqual([401, 201])
    const [requested, verify, forgotten, notified, warned] = await mailsOf(person)
    expect([requested!.type, requested!.recipient.email]).toEqual(['email_change_requested', person.email])
    expect([verify!.type, verify!.recipient.email]).toEqual(['email_change_verify', next])
    expect(notified).toMatchObject({
      type: 'email_changed_notify',
      recipient: { email: person.email },
      data: { new_email: `${next[0]}***@people.test` },
    })
    expect(warned).toMatchObject({
      type: 'security_email_changed',
      recipient: { email: next },
      data: { user_email: next },
    })
    const late = { token: tokenIn(forgotten!.data.reset_url), password: 'mild otters juggle seven kettles' }
    expect((await given.stranger().post('/auth/password/reset', late)).status).toBe(422)
    expect(await app.audited(person)).toEqual(expect.arrayContaining(['email.change_requested', 'email.changed']))
  })

  test('an address with an account gets no mail, and the answer does not reveal it', async () => {
    const [person, other] = [await aPerson(), await aPerson()]
    const { status, body } = await person.post('/profile/email', { email: other.email.toUpperCase(), password })
    expect([status, body.data.pending_email]).toEqual([200, other.email.toUpperCase()])
    expect((await mailsOf(person)).map(({ recipient }) => recipient.email)).toEqual([person.email])
  })

  test('one that got an account meanwhile is refused, and nothing changes', async () => {
    const person = await aPerson()
    const next = anAddress()
    await person.post('/profile/email', { email: next, password })
    await app.services.platform.query('update users set email = $2 where id = $1', [(await aPerson()).userId, next])
    const { status, body } = await confirm((await linksOf(person))[0]!)
    expect([status, body.code]).toEqual([422, 'taken'])
    expect((await person.get('/profile')).body.data.email).toBe(person.email)
  })

  test('asked for again, the earlier link is void; an hour later the last one too', async () => {
    const person = await aPerson()
    for (let i = 0; i < 3; i++) await person.post('/profile/email', { email: anAddress(), password })
    expect((await person.post('/profile/email', { email: anAddress(), password })).status).toBe(429)
    const [first, , third] = await linksOf(person)
    expect((await confirm(first!)).status).toBe(422)
    await app.services.platform.query('update email_changes set expires_at = clock_timestamp() where user_id = $1', [
      person.userId,
    ])
    expect((await confirm(third!)).status).toBe(422)
  })

  test.each([
    ['a wrong password', { password: 'wrong' }, 'password'],
    ['no password', { password: undefined }, 'password'],
    ['what is no address', { email: 'pat' }, 'email'],
    ['256 characters', { email: `${'a'.repeat(250)}@b.example` }, 'email'],
  ])('refuses %s', async (_, changes, field) => {
    const person = await aPerson()
    const { status, body } = await person.post('/profile/email', { email: anAddress(), password, ...changes })
    expect([status, Object.keys(body.errors)]).toEqual([422, [field]])
  })

  test('refuses the address one has, however it is written, and a key in place of a session', async () => {
    const person = await aPerson()
    expect((await person.post('/profile/email', { email: person.email.toUpperCase(), password })).status).toBe(422)
    const key = await person.elsewhere(person.tenantId, 'sk', ['team:manage'])
    expect((await key.post('/profile/email', { email: anAddress(), password })).status).toBe(403)
    expect((await confirm('x')).body.errors).toHaveProperty('token')
  })
})
