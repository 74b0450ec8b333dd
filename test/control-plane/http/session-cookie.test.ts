import { describe, expect, test } from 'vitest'
import { cookieOf, sessionCookie, sessionOf } from '#control-plane/http/session-cookie.ts'
import { app, CallerUnderTest, given } from '#test/support/app.ts'
import { BrowserUnderTest, inBrowser } from '#test/support/browser-session.ts'

const own = { Origin: new URL(app.services.config.baseUrl).origin }

describe('a session of a browser', () => {
  test('is accepted as a cookie, in the person’s team, and never as a bearer token', async () => {
    const browser = await inBrowser(await given.tenant())
    expect((await browser.get('/user')).body).toMatchObject({ id: browser.userId, tenant_id: browser.tenantId })
    const bearer = new CallerUnderTest(browser.tenantId, browser.userId, browser.cookie.split('=')[1]!)
    expect((await bearer.get('/user')).status).toBe(401)
  })

  test('needs a cookie that was made for a browser: other tokens are refused in it', async () => {
    const person = await given.tenant()
    for (const { token } of [person, await given.reseller(), await given.token(person, 'sk', ['monitors:read'])])
      expect((await new BrowserUnderTest(person.tenantId, person.userId, token ?? '').get('/user')).status).toBe(401)
  })

  test('beside a bearer token is refused, also beside one of the same person', async () => {
    const person = await given.tenant()
    const browser = await inBrowser(person)
    const { status, body } = await browser.get('/user', { headers: { Authorization: `Bearer ${person.token}` } })
    expect([status, body.code]).toEqual([400, 'two_credentials'])
  })

  test('writes for pages of our own origin alone', async () => {
    const browser = await inBrowser(await given.tenant())
    const rename = (headers: Record<string, string>) => browser.patch('/profile', { name: 'Pat' }, { headers })
    for (const site of ['cross-site', 'same-site', 'nonsense'])
      expect((await rename({ 'Sec-Fetch-Site': site, ...own })).body.code, site).toBe('cross_site')
    for (const site of ['same-origin', 'none'])
      expect((await rename({ 'Sec-Fetch-Site': site })).status, site).toBe(200)
    expect((await browser.get('/tags', { headers: { 'Sec-Fetch-Site': 'cross-site' } })).status).toBe(200)
  })

  test('of a browser without Fetch Metadata writes by its origin, and without either not at all', async () => {
    const person = await given.tenant()
    const { cookie } = await inBrowser(person)
    const anonymous = new CallerUnderTest(person.tenantId, person.userId, null)
    const rename = (headers: Record<string, string>) =>
      anonymous.patch('/profile', { name: 'Pat' }, { headers: { Cookie: cookie, ...headers } })
    expect((await rename(own)).status).toBe(200)
    for (const origin of ['null', 'https://evil.example', `${own.Origin}.evil.example`, 'nonsense'])
      expect((await rename({ Origin: origin })).body.code, origin).toBe('cross_site')
    expect((await rename({})).body.code).toBe('cross_site')
  })

  test('of an administrator of a reseller stands in for a reseller token, and leaves the person in the audit trail', async () => {
    const reseller = await given.reseller()
    const browser = await inBrowser(reseller)
    const { status, body } = await browser.post('/reseller/managed-teams', {
      name: 'By the console',
      slug: `console-${crypto.randomUUID()}`,
      plan: 'free',
    })
    expect(status, JSON.stringify(body)).toBe(201)
    const { rows } = await app.services.platform.query(
      `select user_id, action from audit_entries where tenant_id = $1 and action like 'managed_tenant.%'`,
      [reseller.tenantId],
    )
    expect(rows).toEqual([{ user_id: browser.userId, action: 'managed_tenant.created' }])
  })

  test('of other people, and one limited to its team, are no reseller token', async () => {
    const reseller = await given.reseller()
    const member = await inBrowser(await given.colleague(reseller, 'member'))
    const limited = await inBrowser(reseller, { isLocked: true })
    const stranger = await inBrowser(await given.tenant())
    for (const browser of [member, limited, stranger])
      expect((await browser.get('/reseller/managed-teams')).body.code).toBe('reseller_token_needed')
  })

  test('lives as long as it was made for', async () => {
    const browser = await inBrowser(await given.tenant(), { hours: 8 })
    const { body } = await browser.get('/profile/sessions')
    const current = body.data.find((session: { is_current: boolean }) => session.is_current)
    const hours = (Date.parse(current.expires_at) - Date.now()) / 3_600_000
    expect(hours).toBeGreaterThan(7.9)
    expect(hours).toBeLessThanOrEqual(8.01)
  })
})

describe('the cookie', () => {
  test('under https belongs to this very host, and is sent over https and to no script', () => {
    const cookie = sessionCookie({ baseUrl: 'https://up.example' }, 'ss-x', new Date(0))
    expect(cookie).toBe(
      '__Host-vedette=ss-x; Path=/; HttpOnly; SameSite=Lax; Secure; Expires=Thu, 01 Jan 1970 00:00:00 GMT',
    )
  })

  test('is read among others, and is none where two disagree', () => {
    const site = { baseUrl: 'https://up.example' }
    expect(sessionOf('a=b; __Host-vedette=ss-1;c', site)).toBe('ss-1')
    expect(sessionOf('vedette=ss-1', site)).toBeUndefined()
    expect(cookieOf('a=1; a=2', 'a')).toBeUndefined()
    expect(cookieOf('a=1; a=1', 'a')).toBe('1')
    expect(cookieOf('a=', 'a')).toBeUndefined()
  })
})
