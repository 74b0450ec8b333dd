import { describe, expect, test } from 'vitest'
import { app, given } from '#test/support/app.ts'
import { mailsOf, tokenIn } from './mails.ts'
import { anAddress, another, aPerson, aPersonIn, type PersonUnderTest, password, signIn } from './people.ts'

const { platform } = app.services
const ask = (path: string, body: unknown) => given.stranger().post(path, body)
const confirm = (token: string) => ask('/auth/email/confirm', { token })
const revert = (token: string) => ask('/auth/email/revert', { token })
const reset = (token: string, to = another) => ask('/auth/password/reset', { token, password: to })

/** The token of the newest mail of a type that was asked for in the team’s name. */
async function newestLink(of: { tenantId: string }, type: string, to?: string): Promise<string> {
  const found = (await mailsOf(of)).findLast(
    mail => mail.type === type && (to === undefined || mail.recipient.email === to),
  )
  return tokenIn(
    found?.data.confirm_url ?? found?.data.reset_url ?? found?.data.revert_url ?? found?.data.accept_url ?? '',
  )
}

const byReset = async (person: PersonUnderTest) => {
  await ask('/auth/password/forgot', { email: person.email })
  expect((await reset(await newestLink(person, 'password_reset'))).status).toBe(204)
}
const byChange = async (person: PersonUnderTest) =>
  expect((await person.post('/profile/password', { current_password: password, password: another })).status).toBe(204)

describe.each([
  ['a password reset', byReset],
  ['a password change', byChange],
])('%s', (_, renew) => {
  test('ends a pending change of the address', async () => {
    const person = await aPerson()
    const thief = await person.elsewhere()
    expect((await thief.post('/profile/email', { email: anAddress(), password })).status).toBe(200)
    await renew(person)
    expect((await confirm(await newestLink(person, 'email_change_verify'))).status).toBe(422)
    expect((await signIn(person.email, { password: another })).status).toBe(201)
  })

  test('ends the reset links that were asked for before', async () => {
    const person = await aPerson()
    await ask('/auth/password/forgot', { email: person.email })
    const earlier = await newestLink(person, 'password_reset')
    await renew(person)
    expect((await reset(earlier, 'yet another seven kettles juggled')).status).toBe(422)
    expect((await signIn(person.email, { password: another })).status).toBe(201)
  })

  test('ends a second factor that was begun and not confirmed', async () => {
    const person = await aPerson()
    await person.post('/profile/mfa', { password })
    await renew(person)
    expect((await platform.query('select 1 from second_factors where user_id = $1', [person.userId])).rowCount).toBe(0)
  })

  test('ends the links of open invitations that were shown to the person; the mailed ones stay', async () => {
    const person = await aPerson()
    const { body } = await person.post('/invitations', { email: anAddress() })
    const others = (await (await aPersonIn(person.tenantId, 'owner')).post('/invitations', { email: anAddress() })).body
    await renew(person)
    expect((await ask('/invitations/lookup', { token: body.plain_text_token })).status).toBe(422)
    expect((await ask('/invitations/lookup', { token: others.plain_text_token })).status).toBe(200)
    expect(
      (await ask('/invitations/lookup', { token: await newestLink(person, 'invitation', body.data.email) })).status,
    ).toBe(200)
  })
})

describe('the notice of a change of the address', () => {
  test('goes to the former address at the request, also when the new one has an account', async () => {
    const [person, other] = [await aPerson(), await aPerson()]
    await person.post('/profile/email', { email: other.email, password })
    const [notice, ...rest] = await mailsOf(person)
    expect(notice).toMatchObject({
      type: 'email_change_requested',
      recipient: { email: person.email },
      data: { new_email: `${other.email[0]}***@people.test`, ip_address: person.ip },
    })
    expect(notice!.data.revert_url).toMatch(/^http:\/\/localhost\/email-revert#[\w-]{43}$/)
    expect(rest).toEqual([])
  })

  test('cancels a pending change: link, sessions and password end, and a reset link is mailed', async () => {
    const person = await aPerson()
    const thief = await person.elsewhere()
    await thief.post('/profile/email', { email: anAddress(), password })
    expect((await revert(await newestLink(person, 'email_change_requested'))).status).toBe(204)
    expect((await confirm(await newestLink(person, 'email_change_verify'))).status).toBe(422)
    for (const session of [person, thief]) expect((await session.get('/user')).status).toBe(401)
    expect((await signIn(person.email)).status).toBe(401)
    expect((await reset(await newestLink(person, 'password_reset', person.email))).status).toBe(204)
    expect((await signIn(person.email, { password: another })).status).toBe(201)
    expect(await app.audited(person)).toContain('email.change_reverted')
  })

  test.each([
    ['the notice of the request', 'email_change_requested'],
    ['the notice of the change', 'email_changed_notify'],
  ])('takes a change back that took effect, by the link of %s', async (_, type) => {
    const person = await aPerson()
    const thief = await person.elsewhere()
    const stolen = anAddress()
    await thief.post('/profile/email', { email: stolen, password })
    expect((await confirm(await newestLink(person, 'email_change_verify'))).status).toBe(204)
    // what the thief sets up meanwhile goes too
    await thief.post('/profile/email', { email: anAddress(), password })
    const onwards = await newestLink(person, 'email_change_verify')
    const back = await newestLink(person, 'email_change_requested', stolen)
    await platform.query(`insert into second_factors (user_id, secret, confirmed_at) values ($1, 'x', now())`, [
      person.userId,
    ])

    const token = await newestLink(person, type, person.email)
    expect((await revert(token)).status).toBe(204)
    expect((await revert(token)).status).toBe(422)
    expect((await thief.get('/user')).status).toBe(401)
    for (const dead of [await confirm(onwards), await revert(back)]) expect(dead.body.code).toBe('link_not_open')
    expect((await signIn(stolen)).status).toBe(401)
    expect((await reset(await newestLink(person, 'password_reset', person.email))).status).toBe(204)
    expect((await signIn(person.email, { password: another })).body.user).toMatchObject({
      id: person.userId,
      email: person.email,
    })
  })

  test('serves for 72 hours after the change took effect', async () => {
    const person = await aPerson()
    await person.post('/profile/email', { email: anAddress(), password })
    await confirm(await newestLink(person, 'email_change_verify'))
    const token = await newestLink(person, 'email_changed_notify')
    const move = (interval: string) =>
      platform.query(`update email_reverts set expires_at = expires_at - interval '${interval}' where user_id = $1`, [
        person.userId,
      ])
    await move('71 hours 58 minutes')
    const { rows } = await platform.query(
      `select bool_and(expires_at > clock_timestamp()) as lives, count(*)::int as links from email_reverts
       where user_id = $1`,
      [person.userId],
    )
    expect(rows).toEqual([{ lives: true, links: 2 }])
    await move('2 minutes')
    expect((await revert(token)).body.code).toBe('link_not_open')
  })

  test('is refused once another account has proven the former address', async () => {
    const person = await aPerson()
    await person.post('/profile/email', { email: anAddress(), password })
    await confirm(await newestLink(person, 'email_change_verify'))
    await aPersonIn((await given.tenant()).tenantId, 'member', { email: person.email })
    const { status, body } = await revert(await newestLink(person, 'email_changed_notify'))
    expect([status, body.code]).toEqual([422, 'taken'])
  })

  test('refuses what is no token', async () => {
    for (const token of ['x', undefined])
      expect(Object.keys((await ask('/auth/email/revert', { token })).body.errors)).toEqual(['token'])
    expect((await revert('a'.repeat(43))).body.code).toBe('link_not_open')
  })
})
