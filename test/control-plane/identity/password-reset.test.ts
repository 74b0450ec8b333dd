import { describe, expect, test } from 'vitest'
import { app, given } from '#test/support/app.ts'
import { mailsOf, tokenIn } from './mails.ts'
import { anAddress, another, aPerson, password, signIn } from './people.ts'

const { platform } = app.services
const forgot = (email: unknown, from = given.stranger()) => from.post('/auth/password/forgot', { email })
const reset = (token: string, to = another) => given.stranger().post('/auth/password/reset', { token, password: to })
const linksOf = async (of: { tenantId: string }) =>
  (await mailsOf(of)).filter(({ type }) => type === 'password_reset').map(({ data }) => tokenIn(data.reset_url))

describe('a password that was forgotten', () => {
  test('a link sets a new password once; sessions and keys end, and the person gets a mail', async () => {
    const person = await aPerson()
    const key = await person.elsewhere(person.tenantId, 'sk', ['monitors:read'])
    expect((await forgot(person.email.toUpperCase())).status).toBe(200)
    const [asked] = await mailsOf(person)
    expect(asked).toMatchObject({
      type: 'password_reset',
      recipient: { user_id: person.userId, email: person.email },
      data: { user_name: 'Mo Member' },
    })
    expect(asked!.data.reset_url).toMatch(/^http:\/\/localhost\/password-reset#[\w-]{43}$/)
    const token = tokenIn(asked!.data.reset_url)

    const answers = await Promise.all([reset(token), reset(token)])
    expect(answers.map(({ status }) => status).sort()).toEqual([204, 422])
    expect((await reset(token)).body.errors).toHaveProperty('token')
    for (const gone of [person, key]) expect((await gone.get('/user')).status).toBe(401)
    expect((await signIn(person.email)).status).toBe(401)
    expect((await signIn(person.email, { password: another })).status).toBe(201)
    expect((await mailsOf(person)).map(({ type }) => type)).toEqual(['password_reset', 'security_password_changed'])
    expect(await app.audited(person)).toContain('password.reset')
  })

  test('leaves the second factor on', async () => {
    const person = await aPerson()
    await platform.query(`insert into second_factors (user_id, secret, confirmed_at) values ($1, 'x', now())`, [
      person.userId,
    ])
    await forgot(person.email)
    await reset((await linksOf(person))[0]!)
    const { status, body } = await signIn(person.email, { password: another })
    expect([status, body.code]).toEqual([422, 'otp_required'])
  })

  test('does not reveal whether an address has an account: same answer, same time', async () => {
    const person = await aPerson()
    const times: Record<'known' | 'unknown', number[]> = { known: [], unknown: [] }
    for (let round = 0; round < 3; round++)
      for (const [kind, email] of [
        ['known', person.email],
        ['unknown', anAddress()],
      ] as const) {
        const begun = performance.now()
        const { status, text } = await forgot(email)
        times[kind].push(performance.now() - begun)
        expect([status, text]).toEqual([
          200,
          '{"message":"If this address has an account, a mail with a link is on its way to it."}',
        ])
      }
    const fastest = (all: number[]) => Math.min(...all)
    // neither is answered before the whole of the time is over
    for (const all of [times.known, times.unknown]) expect(fastest(all)).toBeGreaterThan(240)
    expect(Math.abs(fastest(times.known) - fastest(times.unknown))).toBeLessThan(200)
  })

  test('limits mails: three links an hour, and ten requests a minute for one address', async () => {
    const person = await aPerson()
    const statuses = await Promise.all(Array.from({ length: 11 }, async () => (await forgot(person.email)).status))
    expect(statuses.filter(status => status === 429)).toHaveLength(1)
    expect(await linksOf(person)).toHaveLength(3)
  })

  test('one address asks ten times a minute, for whomever', async () => {
    const caller = given.stranger()
    const statuses = await Promise.all(
      Array.from({ length: 11 }, async () => (await forgot(anAddress(), caller)).status),
    )
    expect(statuses.filter(status => status === 429)).toHaveLength(1)
  })

  test('an hour later the link is void, and so is every other once one was used', async () => {
    const person = await aPerson()
    await forgot(person.email)
    await platform.query(`update password_resets set expires_at = clock_timestamp() where user_id = $1`, [
      person.userId,
    ])
    expect((await reset((await linksOf(person))[0]!)).status).toBe(422)
    await forgot(person.email)
    await forgot(person.email)
    const [, first, second] = await linksOf(person)
    expect((await reset(second!)).status).toBe(204)
    expect((await reset(first!, 'yet another seven kettles juggled')).status).toBe(422)
  })

  test.each([
    ['a weak password', { password: 'aaaaaaaaaaaa' }, 'password'],
    ['a short one', { password: 'x7Kq-29_vT!' }, 'password'],
    ['no password', { password: undefined }, 'password'],
    ['no token', { token: undefined }, 'token'],
    ['what is no token', { token: 'x' }, 'token'],
  ])('refuses %s, and the link goes on', async (_, changes, field) => {
    const person = await aPerson()
    await forgot(person.email)
    const [token] = await linksOf(person)
    const { status, body } = await given
      .stranger()
      .post('/auth/password/reset', { token, password: another, ...changes })
    expect([status, Object.keys(body.errors)]).toEqual([422, [field]])
    expect((await reset(token!)).status).toBe(204)
  })

  test.each([
    ['nothing', undefined],
    ['no address', 'pat'],
    ['a list', ['a@b.example']],
    ['256 characters', `${'a'.repeat(250)}@b.example`],
  ])('refuses %s for an address', async (_, email) => {
    const { status, body } = await forgot(email)
    expect([status, Object.keys(body.errors)]).toEqual([422, ['email']])
  })

  test('a service user, and who belongs to no living team, gets no link', async () => {
    const person = await aPerson()
    await platform.query('update tenants set deleted_at = now() where id = $1', [person.tenantId])
    await forgot(person.email)
    const stand_in = await aPerson()
    await platform.query('update users set is_service = true, password_hash = null where id = $1', [stand_in.userId])
    await forgot(stand_in.email)
    expect([...(await linksOf(person)), ...(await linksOf(stand_in))]).toEqual([])
    expect((await signIn(person.email, { password })).status).toBe(401)
  })
})
