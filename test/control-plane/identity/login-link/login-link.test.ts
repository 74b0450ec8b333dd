import { generate } from 'otplib'
import { describe, expect, test } from 'vitest'
import { mailsOf, tokenIn } from '#test/control-plane/identity/mails.ts'
import { Visitor } from '#test/control-plane/identity/pages/visitor.ts'
import { anAddress, aPerson, join, type PersonUnderTest, password } from '#test/control-plane/identity/people.ts'
import { app, given } from '#test/support/app.ts'

const { platform } = app.services

/** A person who has proven the address. */
async function proven(): Promise<PersonUnderTest> {
  const person = await aPerson()
  await platform.query('update users set email_verified_at = now() where id = $1', [person.userId])
  return person
}

async function ask(visitor: Visitor, email: string, next = '/account') {
  await visitor.get(`/login/link?next=${encodeURIComponent(next)}`)
  return visitor.post('/login/link', { email, next })
}

const linksOf = async (person: PersonUnderTest) => (await mailsOf(person)).filter(({ type }) => type === 'login_link')
const newest = async (person: PersonUnderTest) => {
  const data = (await linksOf(person)).at(-1)?.data
  return { token: tokenIn(data?.login_url ?? ''), code: String(data?.code), url: String(data?.login_url) }
}

async function open(visitor: Visitor, token: string) {
  await visitor.get('/login/link/open')
  return visitor.post('/login/link/open', { token })
}

const methodOf = async ({ userId }: PersonUnderTest) =>
  (
    await platform.query<{ auth_method: string }>(
      'select auth_method from tokens where user_id = $1 and is_browser order by created_at desc',
      [userId],
    )
  ).rows.map(row => row.auth_method)

describe('a mailed link to sign in', () => {
  test('signs in once, by the button of its page, and leads on to where the person wanted to go', async () => {
    const person = await proven()
    const visitor = new Visitor()
    expect((await visitor.get('/login?next=/account')).html).toContain('href="/login/link?next=%2Faccount"')
    const asked = await ask(visitor, person.email)
    expect([asked.status, asked.html.includes('Check your mails')]).toEqual([200, true])
    const { token, url } = await newest(person)
    expect(url.startsWith(`${app.services.config.baseUrl}/login/link/open#`)).toBe(true)
    // programs that read mails open links: that changes nothing
    for (let round = 0; round < 3; round++) expect((await new Visitor().get('/login/link/open')).status).toBe(200)
    const { location, headers } = await open(visitor, token)
    expect(location).toBe('/account')
    expect(headers['cache-control']).toBe('no-store')
    expect(await methodOf(person)).toEqual(['login_link'])
    await visitor.post('/logout', {})
    const again = await open(visitor, token)
    expect([again.status, again.html.includes('was used already')]).toEqual([401, true])
  })

  test('works in the browser that asked alone, and is not used up by another', async () => {
    const person = await proven()
    const [visitor, thief] = [new Visitor(), new Visitor()]
    await ask(visitor, person.email)
    const { token, code } = await newest(person)
    expect((await open(thief, token)).status).toBe(401)
    await ask(thief, anAddress())
    expect((await thief.post('/login/link/code', { code })).status).toBe(401)
    expect(thief.isSignedIn).toBe(false)
    expect((await open(visitor, token)).location).toBe('/account')
  })

  test('has a code, which works once, and not after three wrong ones', async () => {
    const person = await proven()
    const visitor = new Visitor()
    await ask(visitor, person.email)
    const first = await newest(person)
    const wrong = first.code === '000000' ? '000001' : '000000'
    for (let guess = 0; guess < 3; guess++)
      expect((await visitor.post('/login/link/code', { code: wrong })).status).toBe(401)
    expect((await visitor.post('/login/link/code', { code: first.code })).status).toBe(401)
    expect((await open(visitor, first.token)).status).toBe(303)
    const another = new Visitor()
    await ask(another, person.email)
    const { code } = await newest(person)
    const answers = await Promise.all([1, 2, 3].map(() => another.post('/login/link/code', { code: ` ${code} ` })))
    expect(answers.map(({ status }) => status).sort()).toEqual([303, 401, 401])
  })

  test('works for fifteen minutes, at most once of many at the same moment', async () => {
    const person = await proven()
    const visitor = new Visitor()
    await ask(visitor, person.email)
    const { token } = await newest(person)
    await platform.query(`update login_links set expires_at = now() where user_id = $1`, [person.userId])
    expect((await open(visitor, token)).status).toBe(401)
    await ask(visitor, person.email)
    const { rows } = await platform.query(
      `select expires_at - created_at <= interval '15 minutes 1 second' as is_short from login_links
       where user_id = $1 order by created_at desc limit 1`,
      [person.userId],
    )
    expect(rows).toEqual([{ is_short: true }])
    const newer = await newest(person)
    await visitor.get('/login/link/open')
    const at = await Promise.all(Array.from({ length: 8 }, () => visitor.post('/login/link/open', newer)))
    expect(at.filter(({ status }) => status === 303)).toHaveLength(1)
  })

  test('asks for the second factor, and for the team of a person of several', async () => {
    const person = await proven()
    const secret = (await person.post('/profile/mfa', { password })).body.data.secret
    const before = await generate({ secret, epoch: Math.floor(Date.now() / 1_000) - 30 })
    await person.post('/profile/mfa/confirm', { code: before })
    const second = await given.tenant()
    await join(person.userId, second.tenantId, 'viewer')
    const visitor = new Visitor()
    await ask(visitor, person.email)
    expect((await open(visitor, (await newest(person)).token)).location).toBe('/login/second-factor')
    expect(visitor.isSignedIn).toBe(false)
    await visitor.get('/login/second-factor')
    const code = await generate({ secret })
    expect((await visitor.post('/login/second-factor', { code })).location).toBe('/login/team')
    await visitor.get('/login/team')
    expect((await visitor.post('/login/team', { team: second.tenantId })).location).toBe('/account')
  })

  test('is answered alike for unknown, unproven and known addresses, and sent three times an hour', async () => {
    const [person, unproven] = [await proven(), await aPerson()]
    await platform.query('update users set email_verified_at = null where id = $1', [unproven.userId])
    const shown = async (email: string) => {
      const { status, html } = await ask(new Visitor(), email)
      return [status, html.replace(/form_token" value="[^"]+/, '')]
    }
    const known = await shown(person.email)
    expect(known[0]).toBe(200)
    for (const email of [unproven.email, anAddress(), 'no address']) expect(await shown(email), email).toEqual(known)
    for (let more = 0; more < 4; more++) expect(await shown(person.email)).toEqual(known)
    expect(await linksOf(person)).toHaveLength(3)
    expect(await linksOf(unproven)).toEqual([])
  })

  test('is limited by address and by network', async () => {
    const email = anAddress()
    const answers = []
    for (let more = 0; more < 11; more++) answers.push((await ask(new Visitor(), email)).status)
    expect(answers.at(-1)).toBe(429)
    const visitor = new Visitor()
    const own = []
    for (let more = 0; more < 11; more++) own.push((await ask(visitor, anAddress())).status)
    expect(own.at(-1)).toBe(429)
  })

  test('is not sent to a person whose only team is entered by the links of its reseller', async () => {
    const person = await proven()
    await platform.query(
      `insert into partner_sso (tenant_id, hide_password_login) values ($1, true)
       on conflict (tenant_id) do update set hide_password_login = true`,
      [person.tenantId],
    )
    const visitor = new Visitor()
    expect((await ask(visitor, person.email)).status).toBe(200)
    expect(await linksOf(person)).toEqual([])
    // hidden after the link was sent: it leads no further than a password would
    await platform.query('update partner_sso set hide_password_login = false where tenant_id = $1', [person.tenantId])
    await ask(visitor, person.email)
    await platform.query('update partner_sso set hide_password_login = true where tenant_id = $1', [person.tenantId])
    const refused = await open(visitor, (await newest(person)).token)
    expect([refused.status, refused.html.includes('does not sign in by password')]).toEqual([422, true])
    expect(visitor.isSignedIn).toBe(false)
  })

  test('ends with a change of the password or of the address, and is refused from another site', async () => {
    const person = await proven()
    const visitor = new Visitor()
    await ask(visitor, person.email)
    const first = await newest(person)
    await visitor.get('/login/link/open')
    const foreign = await visitor.post('/login/link/open', { token: first.token }, { 'Sec-Fetch-Site': 'cross-site' })
    expect(foreign.status).toBe(403)
    await platform.query('update users set email = $2 where id = $1', [person.userId, anAddress()])
    expect((await open(visitor, first.token)).status).toBe(401)
  })
})
