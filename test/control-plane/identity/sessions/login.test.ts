import { describe, expect, test } from 'vitest'
import { another, aPerson, aPersonIn, lastAudit, password } from '#test/control-plane/identity/people.ts'
import { app, CallerUnderTest, given } from '#test/support/app.ts'
import { inBrowser } from '#test/support/browser-session.ts'
import { CookieJar } from './browser.ts'

const { platform, config } = app.services
const statusOf = async (path: string, browser: CallerUnderTest) => (await browser.get(path)).status

describe('POST /auth/login', () => {
  test('opens a session as a cookie that no script reads, and shows the token to no one', async () => {
    const person = await aPerson()
    const browser = new CookieJar()
    const { status, body, headers, text } = await browser.logIn(person.email)
    expect(status, text).toBe(200)
    expect(Object.keys(body).sort()).toEqual(['expires_at', 'user'])
    expect(body.user).toMatchObject({ id: person.userId, tenant_id: person.tenantId, mfa_due_at: null })
    expect(text).not.toContain('ss-')
    const [cookie = ''] = headers.getSetCookie()
    expect(cookie).toMatch(/^vedette=ss-[\w-]+; Path=\/; HttpOnly; SameSite=Lax; Expires=/)
    const days = (Date.parse(body.expires_at) - Date.now()) / 86_400_000
    expect(days).toBeGreaterThan(89)
    expect((await browser.get('/user')).body.id).toBe(person.userId)
    expect((await lastAudit(person.tenantId, 'session.created'))?.user_id).toBe(person.userId)
    const { data } = (await browser.get('/profile/sessions')).body
    expect(data.find((session: { is_current: boolean }) => session.is_current)).toMatchObject({
      is_browser: true,
      auth_method: 'password',
      device_name: expect.stringContaining('Firefox'),
    })
    expect(data.filter((session: { is_browser: boolean }) => !session.is_browser)).toHaveLength(1)
  })

  test('ends the session that the browser had, and never keeps a secret that someone put there', async () => {
    const person = await aPerson()
    const attacker = await inBrowser(await given.tenant())
    const browser = new CookieJar()
    browser.cookies.set('vedette', attacker.cookie.split('=')[1]!)
    await browser.logIn(person.email)
    expect(browser.session).not.toBe(attacker.cookie.split('=')[1])
    expect(await statusOf('/user', attacker)).toBe(401)
    const first = browser.session!
    await browser.logIn(person.email)
    expect(browser.session).not.toBe(first)
    const stale = new CookieJar()
    stale.cookies.set('vedette', first)
    expect(await statusOf('/user', stale)).toBe(401)
    expect(await statusOf('/user', browser)).toBe(200)
    expect(await statusOf('/user', person)).toBe(200)
  })

  test('enters the named team, and refuses one that the person is no member of', async () => {
    const person = await aPerson()
    await platform.query('update users set email_verified_at = now() where id = $1', [person.userId])
    const other = await given.tenant()
    const named = { tenant_id: other.tenantId }
    expect((await new CookieJar().logIn(person.email, named)).body.code).toBe('bad_credentials')
    await platform.query(`insert into memberships (user_id, tenant_id, role) values ($1, $2, 'viewer')`, [
      person.userId,
      other.tenantId,
    ])
    expect((await new CookieJar().logIn(person.email, named)).body.user).toMatchObject({
      tenant_id: other.tenantId,
      role: 'viewer',
    })
  })

  test('answers an unknown address, a wrong password and a member of no team alike, and sets no cookie', async () => {
    const person = await aPerson()
    const unknown = await new CookieJar().logIn('no-one@people.test')
    const wrong = await new CookieJar().logIn(person.email, { password: another })
    await platform.query('update memberships set disabled_at = now() where user_id = $1', [person.userId])
    const disabled = await new CookieJar().logIn(person.email)
    for (const answer of [unknown, wrong, disabled]) {
      expect([answer.status, answer.body.code]).toEqual([401, 'bad_credentials'])
      expect(answer.headers.getSetCookie()).toEqual([])
      expect({ ...answer.body, request_id: '' }).toEqual({ ...unknown.body, request_id: '' })
    }
  })

  test('is limited like POST /auth/token, with which it shares wrong guesses of one network', async () => {
    const person = await aPerson()
    const guesser = new CookieJar()
    const statuses: number[] = []
    for (let guess = 0; guess < 5; guess++)
      statuses.push((await guesser.logIn(person.email, { password: another })).status)
    const program = new CookieJar()
    const headers = { 'X-Forwarded-For': guesser.ip }
    for (let guess = 0; guess < 5; guess++) {
      const given = { email: person.email, password: another, device_name: 'x' }
      statuses.push((await program.post('/auth/token', given, { headers })).status)
    }
    expect(statuses).toEqual(Array(10).fill(401))
    const elsewhere = guesser.ip.replace(/\d+$/, '7')
    const refused = await new CookieJar().post(
      '/auth/login',
      { email: person.email, password },
      { headers: { 'X-Forwarded-For': elsewhere } },
    )
    expect(refused.status).toBe(429)
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0)
    expect((await new CookieJar().logIn(person.email)).status).toBe(200)
  })

  test('blocks a network after wrong guesses and mails the verified owner of the account once', async () => {
    const person = await aPersonIn((await given.tenant()).tenantId)
    await platform.query('update users set email_verified_at = now() where id = $1', [person.userId])
    const from = (last: number) => ({ headers: { 'X-Forwarded-For': person.ip.replace(/\d+$/, String(last)) } })
    for (let guess = 0; guess < 13; guess++)
      await new CookieJar().post('/auth/login', { email: person.email, password: another }, from(guess))
    const blocked = () =>
      platform.query(
        `select payload from outbox where kind = 'mail' and name = 'security_account_blocked' and tenant_id = $1`,
        [person.tenantId],
      )
    await expect.poll(async () => (await blocked()).rows.length).toBe(1)
    await new CookieJar().post('/auth/login', { email: person.email, password: another }, from(99))
    const { rows } = await blocked()
    expect(rows).toHaveLength(1)
    expect(rows[0].payload.recipient.email).toBe(person.email)
    expect(rows[0].payload.data).toMatchObject({
      reason: 'guesses',
      team_name: null,
      ip_address: null,
      network: person.ip.replace(/\d+$/, '0/24'),
    })
  })

  test('of a bad body names the field', async () => {
    const browser = new CookieJar()
    for (const [body, field] of [
      [{ password }, 'email'],
      [{ email: 'a@b.example' }, 'password'],
      [{ email: 'no address', password }, 'email'],
      [{ email: 'a@b.example', password, tenant_id: 'x' }, 'tenant_id'],
      [{ email: 'a@b.example', password, remember_device: 'yes' }, 'remember_device'],
      [{ email: 'a@b.example', password, otp_code: '1'.repeat(21) }, 'otp_code'],
      [{ email: `${'a'.repeat(250)}@b.example`, password }, 'email'],
      [{ email: 'a@b.example', password: 'x'.repeat(1_001) }, 'password'],
    ] as const) {
      const answer = await browser.post('/auth/login', body)
      expect([answer.status, Object.keys(answer.body.errors)], field).toEqual([422, [field]])
    }
  })
})

describe('POST /auth/logout', () => {
  test('ends the session and takes the cookie away, whatever it was worth', async () => {
    const person = await aPerson()
    const browser = new CookieJar()
    await browser.logIn(person.email)
    const kept = new CookieJar()
    kept.cookies.set('vedette', browser.session!)
    const answer = await browser.post('/auth/logout', undefined)
    expect(answer.status).toBe(204)
    expect(answer.headers.getSetCookie()).toEqual(['vedette=; Path=/; HttpOnly; SameSite=Lax; Max-Age=0'])
    expect(browser.session).toBeUndefined()
    expect(await statusOf('/user', kept)).toBe(401)
    expect((await kept.post('/auth/logout', undefined)).headers.getSetCookie()[0]).toContain('Max-Age=0')
    expect((await new CookieJar().post('/auth/logout', undefined)).status).toBe(204)
    expect((await lastAudit(person.tenantId, 'session.deleted'))?.user_id).toBe(person.userId)
    expect(await statusOf('/user', person)).toBe(200)
  })

  test('ends no token that is not of a browser', async () => {
    const person = await aPerson()
    const browser = new CookieJar()
    browser.cookies.set('vedette', person.token!)
    expect((await browser.post('/auth/logout', undefined)).status).toBe(204)
    expect(await statusOf('/user', person)).toBe(200)
  })
})

test('a session of a browser costs no more statements than a bearer token, also where a second factor is required', async () => {
  const person = await aPerson()
  await person.patch('/security-policy', { mfa_required: true })
  const browser = await inBrowser(person)
  const { accessPool } = app.services
  const query = accessPool.query.bind(accessPool) as (...given: unknown[]) => unknown
  let statements = 0
  accessPool.query = ((...given: unknown[]) => {
    statements++
    return query(...given)
  }) as typeof accessPool.query
  const spentBy = async (caller: CallerUnderTest) => {
    // the first two calls are not kept in memory
    for (let warm = 0; warm < 2; warm++) await caller.get('/tags')
    const before = statements
    for (let call = 0; call < 20; call++) expect((await caller.get('/tags')).status).toBe(200)
    return statements - before
  }
  try {
    const [byBearer, byCookie] = [await spentBy(person), await spentBy(browser)]
    expect(byBearer).toBeGreaterThanOrEqual(20)
    expect(byCookie).toBe(byBearer)
  } finally {
    accessPool.query = query as typeof accessPool.query
  }
})

describe('signing in and out in a browser', () => {
  const origin = new URL(config.baseUrl).origin
  const forged: Record<string, string>[] = [
    { 'Sec-Fetch-Site': 'cross-site' },
    { 'Sec-Fetch-Site': 'same-site' },
    { 'Sec-Fetch-Site': 'cross-site', Origin: origin },
    { Origin: 'https://evil.example' },
    { Origin: 'null' },
    {},
  ]

  test('is refused to pages of others and to requests that do not say where they come from', async () => {
    const person = await aPerson()
    const session = await inBrowser(person)
    const stranger = new CallerUnderTest('', null, null)
    for (const headers of forged) {
      const cookie = { Cookie: session.cookie, ...headers }
      const body = { email: person.email, password }
      for (const path of ['/auth/login', '/auth/logout', '/auth/step-up', '/auth/team']) {
        const answer = await stranger.post(path, body, { headers: cookie })
        expect([answer.status, answer.body.code], `${path} ${JSON.stringify(headers)}`).toEqual([403, 'cross_site'])
        expect(answer.headers.getSetCookie()).toEqual([])
      }
    }
    expect(await statusOf('/user', session)).toBe(200)
  })

  test('takes no body that a form of another page can send, not even from our own origin', async () => {
    const person = await aPerson()
    const session = await inBrowser(person)
    const types = ['application/x-www-form-urlencoded', 'text/plain', 'multipart/form-data; boundary=x', 'text/html']
    const body = JSON.stringify({ email: person.email, password })
    for (const type of types)
      for (const [path, method] of [
        ['/auth/login', 'POST'],
        ['/auth/step-up', 'POST'],
        ['/auth/team', 'POST'],
        ['/profile', 'PATCH'],
        ['/api-keys', 'POST'],
      ] as const) {
        const own = await session.call(method, path, body, { headers: { 'Content-Type': type } })
        expect([own.status, own.headers.getSetCookie()], `${path} ${type}`).toEqual([415, []])
        const foreign = await session.call(method, path, body, {
          headers: { 'Content-Type': type, 'Sec-Fetch-Site': 'cross-site' },
        })
        expect(foreign.body.code).toBe('cross_site')
      }
  })
})
