import { randomInt } from 'node:crypto'
import { generate } from 'otplib'
import { describe, expect, test } from 'vitest'
import { networkOf, takeGuess } from '#control-plane/identity/sessions/guesses.ts'
import { anAddress, aPerson, type PersonUnderTest, password } from '#test/control-plane/identity/people.ts'
import { app, given } from '#test/support/app.ts'

const { platform } = app.services
const firefox = 'Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:131.0) Gecko/20100101 Firefox/131.0'
const wrong = 'seven brisk walnuts paint lakes'

/** A network of its own: addresses of one /24. */
function aNetwork() {
  const start = Array.from({ length: 3 }, () => randomInt(1, 224)).join('.')
  let next = 0
  return () => `${start}.${(next++ % 250) + 1}`
}

interface Guess {
  password?: string
  otp_code?: string
  userAgent?: string
}

/** Each from another address, so that no limit of a single address is met. */
const signIn = async (email: string, ip: string, { userAgent = 'curl/8.0', ...fields }: Guess = {}) =>
  (
    await given
      .stranger()
      .post(
        '/auth/token',
        { email, password, device_name: 'a test', ...fields },
        { headers: { 'X-Forwarded-For': ip, 'User-Agent': userAgent } },
      )
  ).status

async function statuses(count: number, ask: () => Promise<number>): Promise<number[]> {
  const all: number[] = []
  for (let i = 0; i < count; i++) all.push(await ask())
  return all
}
const ten = (status: number) => Array.from({ length: 10 }, () => status)

describe('wrong passwords', () => {
  test('block the network they come from for a minute, and no other', async () => {
    const { email } = await aPerson()
    const attacker = aNetwork()
    expect(await statuses(10, () => signIn(email, attacker(), { password: wrong }))).toEqual(ten(401))
    expect(await signIn(email, attacker(), { password: wrong })).toBe(429)
    // a right guess there is refused as well, or guessing would go on
    expect(await signIn(email, attacker())).toBe(429)
    expect(await signIn(email, aNetwork()())).toBe(201)
    expect(await signIn((await aPerson()).email, attacker())).toBe(201)
  })

  test('of an IPv6 /64 are of one network', async () => {
    const { email } = await aPerson()
    const prefix = `2001:db8:${randomInt(1, 65_535).toString(16)}:${randomInt(1, 65_535).toString(16)}`
    for (let i = 0; i < 10; i++) {
      const sent = await signIn(email, `${prefix}::${i + 1}`, { password: wrong })
      if (sent === 401) continue
      // all of a /64 share the limit of a single address
      expect(sent).toBe(429)
    }
    expect(await signIn(email, `${prefix}::ff`)).toBe(429)
    expect(await signIn(email, `${prefix.replace(/\w+$/, 'face')}::1`)).toBe(201)
  })

  test('are all that is counted: right ones pass, however many', async () => {
    const { email } = await aPerson()
    const office = aNetwork()
    expect(await statuses(12, () => signIn(email, office()))).toEqual(Array.from({ length: 12 }, () => 201))
    expect(await statuses(10, () => signIn(email, office(), { password: wrong }))).toEqual(ten(401))
    expect(await signIn(email, office())).toBe(429)
  })

  test('do not refuse a known device in the same network', async () => {
    const { email } = await aPerson()
    const shared = aNetwork()
    expect(await signIn(email, shared(), { userAgent: firefox })).toBe(201)
    await statuses(11, () => signIn(email, shared(), { password: wrong }))
    expect(await signIn(email, shared())).toBe(429)
    expect(await signIn(email, shared(), { userAgent: firefox })).toBe(201)
    // what a device is called is no secret: guesses in its name are counted too
    await statuses(10, () => signIn(email, shared(), { userAgent: firefox, password: wrong }))
    expect(await signIn(email, shared(), { userAgent: firefox })).toBe(429)
  })

  test('sent at once are counted one after the other', async () => {
    const { email } = await aPerson()
    const attacker = aNetwork()
    const answers = await Promise.all(Array.from({ length: 30 }, () => signIn(email, attacker(), { password: wrong })))
    expect(answers.filter(status => status === 401)).toHaveLength(10)
    expect(answers.filter(status => status === 429)).toHaveLength(20)
  })

  test('from everywhere leave one try a minute to each unknown network, and known networks theirs', {
    timeout: 60_000,
  }, async () => {
    const { email } = await aPerson()
    const home = aNetwork()
    expect(await signIn(email, home())).toBe(201)
    expect(await statuses(30, () => signIn(email, aNetwork()(), { password: wrong }))).toEqual(
      Array.from({ length: 30 }, () => 401),
    )
    const travelling = aNetwork()
    expect(await signIn(email, travelling(), { password: wrong })).toBe(401)
    expect(await signIn(email, travelling())).toBe(429)
    expect(await signIn(email, aNetwork()())).toBe(201)
    expect(await statuses(9, () => signIn(email, home(), { password: wrong }))).toEqual(ten(401).slice(1))
    expect(await signIn(email, home())).toBe(201)
  })

  test('for an address without an account are refused alike', async () => {
    const email = anAddress()
    const attacker = aNetwork()
    expect(await statuses(10, () => signIn(email, attacker()))).toEqual(ten(401))
    expect(await signIn(email, attacker())).toBe(429)
  })
})

describe('wrong passwords of a session', () => {
  const confirm = async (session: { post: PersonUnderTest['post'] }, given: string) =>
    (await session.post('/profile/mfa', { password: given })).status
  const lift = (person: PersonUnderTest) =>
    platform.query('delete from second_factors where user_id = $1', [person.userId])

  test('refuse that session alone, and are not counted at the sign-in', async () => {
    const person = await aPerson()
    const thief = await person.elsewhere()
    // the limit of an address is met first: another one each time
    const from = aNetwork()
    const guess = async () =>
      (await thief.post('/profile/mfa', { password: wrong }, { headers: { 'X-Forwarded-For': from() } })).status
    const answers = await statuses(11, guess)
    expect(answers).toEqual([...ten(422), 429])
    expect(await confirm(person, password)).toBe(201)
    await lift(person)
    expect(await signIn(person.email, aNetwork()())).toBe(201)
  })

  test('are not those of strangers at the sign-in', async () => {
    const person = await aPerson()
    const attacker = aNetwork()
    await statuses(12, () => signIn(person.email, attacker(), { password: wrong }))
    expect(await confirm(person, password)).toBe(201)
  })
})

describe('wrong codes of a second factor', () => {
  async function guarded() {
    const person = await aPerson()
    const { body } = await person.post('/profile/mfa', { password })
    const codeAt = (step: number) =>
      generate({ secret: body.data.secret, epoch: Math.floor(app.services.clock.nowMs() / 1_000) + 30 * step })
    const on = await person.post('/profile/mfa/confirm', { code: await codeAt(-1) })
    return { person, email: person.email, codeAt, recovery: on.body.data.recovery_codes as string[] }
  }
  const code = '000000'

  test('refuse the network of who has the password, and not the owner elsewhere', async () => {
    const { email, codeAt, recovery } = await guarded()
    const thief = aNetwork()
    expect(await statuses(10, () => signIn(email, thief(), { otp_code: code }))).toEqual(ten(401))
    const right = await codeAt(0)
    expect(await signIn(email, thief(), { otp_code: right })).toBe(401)
    expect(await signIn(email, aNetwork()(), { otp_code: right })).toBe(201)
    // a recovery code cannot be guessed
    expect(await signIn(email, thief(), { otp_code: recovery[0]! })).toBe(201)
    await platform.query(`update guesses set times = array(select t - interval '15 minutes' from unnest(times) t)`)
    expect(await signIn(email, thief(), { otp_code: await codeAt(1) })).toBe(201)
  })

  test('from everywhere refuse unknown networks; a known one and a recovery code pass', {
    timeout: 60_000,
  }, async () => {
    const { email, codeAt, recovery } = await guarded()
    const home = aNetwork()
    expect(await signIn(email, home(), { otp_code: recovery[0]! })).toBe(201)
    await statuses(30, () => signIn(email, aNetwork()(), { otp_code: code }))
    const right = await codeAt(0)
    expect(await signIn(email, aNetwork()(), { otp_code: right })).toBe(401)
    expect(await signIn(email, aNetwork()(), { otp_code: recovery[1]! })).toBe(201)
    expect(await signIn(email, home(), { otp_code: right })).toBe(201)
  })

  test('from everywhere block unknown networks for longer, from the third block in a week on', {
    timeout: 240_000,
  }, async () => {
    const { person, email, codeAt, recovery } = await guarded()
    const home = aNetwork()
    expect(await signIn(email, home(), { otp_code: recovery[0]! })).toBe(201)
    const later = (minutes: number) =>
      platform.query(`update guesses set times = array(select t - $1 * interval '1 minute' from unnest(times) t)`, [
        minutes,
      ])
    // all but the last of thirty are counted without their passwords, which are slow to hash
    const guessed = async () => {
      for (let n = 1; n < 30; n++) {
        const origin = { place: networkOf(aNetwork()()), isKnown: false }
        // refused, as a request would be, once there were too many
        await takeGuess(platform, 'code', person.userId ?? '', origin).catch(() => undefined)
      }
      await signIn(email, aNetwork()(), { otp_code: code })
      return signIn(email, aNetwork()(), { otp_code: await codeAt(0) })
    }
    for (const minutes of [16, 16, 61]) {
      expect(await guessed()).toBe(401)
      await later(minutes)
    }
    // the third block lasts four times as long as the one before
    expect(await guessed()).toBe(401)
    await later(61)
    expect(await signIn(email, aNetwork()(), { otp_code: await codeAt(0) })).toBe(401)
    expect(await signIn(email, home(), { otp_code: await codeAt(0) })).toBe(201)
    await later(24 * 60)
    expect(await signIn(email, aNetwork()(), { otp_code: await codeAt(1) })).toBe(201)
  })

  test('are answered with 429 at a known network once too many were tried', async () => {
    const { email, codeAt, recovery } = await guarded()
    const home = aNetwork()
    expect(await signIn(email, home(), { otp_code: recovery[0]! })).toBe(201)
    expect(await statuses(10, () => signIn(email, home(), { otp_code: code }))).toEqual(ten(401))
    expect(await signIn(email, home(), { otp_code: await codeAt(0) })).toBe(429)
  })

  test('of a session refuse that session alone', async () => {
    const { person, codeAt } = await guarded()
    const thief = await person.elsewhere()
    const ask = async (session: typeof thief, otp_code: string) =>
      (
        await session.post(
          '/profile/email',
          { email: anAddress(), password, otp_code },
          { headers: { 'X-Forwarded-For': aNetwork()() } },
        )
      ).status
    // the rate limit refuses the eleventh request in a minute: a second stolen session proves the count by session
    expect(await statuses(10, () => ask(thief, code))).toEqual(ten(422))
    expect(await ask(thief, await codeAt(0))).toBe(429)
    const { rows } = await platform.query<{ n: number }>(
      'select max(cardinality(times))::int as n from guesses where ends_at > now() + $1::interval',
      ['14 minutes'],
    )
    expect(rows[0]!.n).toBeGreaterThanOrEqual(10)
    expect(await ask(person, await codeAt(0))).toBe(200)
  })
})
