import { createServer } from 'node:net'
import { pino } from 'pino'
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type ControlPlane, startControlPlane } from '#cli/serve/serve.ts'
import { aPersonIn, password } from '#test/control-plane/identity/people.ts'
import { type Answer, app, given } from '#test/support/app.ts'
import { violationsOf } from '#test/support/axe.ts'
import { openBrowser } from '#test/support/chromium.ts'
import { configOn } from '#test/support/config.ts'
import { RealProvider } from './real-provider.ts'
import { aVerifiedDomain } from './scene.ts'

/** The provider sends people back to the address that the control plane calls its own: it has to be the real one. */
const port = await new Promise<number>(resolve => {
  const server = createServer().listen(0, '127.0.0.1', () => {
    const address = server.address()
    server.close(() => resolve(typeof address === 'object' && address ? address.port : 0))
  })
})
const baseUrl = `http://127.0.0.1:${port}`
let plane: ControlPlane
let browser: Browser
let provider: RealProvider
beforeAll(async () => {
  const config = configOn(app.stores, { baseUrl, port, trustedProxies: 1, egressAllow: '127.0.0.0/8' })
  plane = await startControlPlane(config, ['api'], { log: pino({ level: 'silent' }) })
  provider = await RealProvider.open()
  browser = await openBrowser()
}, 60_000)
afterAll(async () => {
  await browser?.close()
  await plane?.close()
  await provider?.close()
})

/** A browser of its own, which reaches this machine alone. */
async function aBrowser(): Promise<Page> {
  const context: BrowserContext = await browser.newContext({
    locale: 'en-GB',
    extraHTTPHeaders: { 'X-Forwarded-For': given.stranger().ip },
  })
  await context.route(
    ({ hostname }) => hostname !== '127.0.0.1',
    route => route.abort(),
  )
  return context.newPage()
}

async function enterPassword(page: Page, email: string): Promise<void> {
  await page.goto(`${baseUrl}/login`)
  await page.getByLabel('E-mail address').fill(email)
  await page.getByLabel('Password', { exact: true }).fill(password)
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
}

async function enterByCompany(page: Page, email: string, account: string): Promise<void> {
  await page.goto(`${baseUrl}/login`)
  await page.getByRole('link', { name: 'Sign in with your company' }).click()
  await page.getByLabel('E-mail address at your company').fill(email)
  await page.getByRole('button', { name: 'Continue' }).click()
  await page.getByRole('heading', { name: 'Company' }).waitFor()
  await page.getByLabel('Account').fill(account)
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page.waitForURL('**/app')
}

/** A call of the API by the page that is open, with its cookie. */
const call = (page: Page, method: string, path: string, body?: object): Promise<Pick<Answer, 'status' | 'body'>> =>
  page.evaluate(
    async ([sent, address, content]) => {
      const response = await fetch(`/api/v1${address}`, {
        method: sent!,
        ...(content !== null && { headers: { 'Content-Type': 'application/json' }, body: content! }),
      })
      return { status: response.status, body: await response.json() }
    },
    [method, path, body === undefined ? null : JSON.stringify(body)] as const,
  )

async function isAccessible(page: Page): Promise<void> {
  expect(await violationsOf(page, 'wcag and best practice')).toEqual([])
}

test('an owner sets a provider up and locks the team to it; members come in there, and one owner by password', async () => {
  const team = await given.tenant()
  const domain = await aVerifiedDomain(team)
  const [owner, other] = [await aPersonIn(team.tenantId, 'owner'), await aPersonIn(team.tenantId, 'owner')]
  const { issuer, clientId, clientSecret } = provider.addClient(`${baseUrl}/sso/callback`, {
    post_logout_redirect_uris: [`${baseUrl}/sso/signed-out`],
  })
  const account = provider.addAccount({ email: `pat@${domain}`, name: 'Pat Worker' })

  const page = await aBrowser()
  await enterPassword(page, owner.email)
  await page.waitForURL('**/app')
  const wrong = await call(page, 'PATCH', '/sso/config', { issuer: `${issuer}/nowhere`, client_id: clientId })
  expect(wrong.status).toBe(200)
  expect((await call(page, 'POST', '/sso/config/test')).body.data).toMatchObject({
    is_working: false,
    problems: [{ field: 'issuer' }],
  })
  const configured = await call(page, 'PATCH', '/sso/config', {
    issuer,
    client_id: clientId,
    client_secret: clientSecret,
    is_enabled: true,
  })
  expect(configured.body.data.redirect_uri).toBe(`${baseUrl}/sso/callback`)
  expect((await call(page, 'POST', '/sso/config/test')).body.data).toEqual({ is_working: true, problems: [] })
  const locked = await call(page, 'PATCH', '/sso/config', { is_enforced: true, break_glass_user_id: other.userId })
  expect(locked.status).toBe(200)

  // the session of a password has ended, and no password opens another one; the first page leaves by itself
  const again = await page.context().newPage()
  await again.goto(`${baseUrl}/account`)
  await again.getByRole('heading', { name: /^Sign in to/ }).waitFor()
  await enterPassword(again, owner.email)
  await again.getByRole('alert').getByText('Your team does not sign in by password.').waitFor()

  const member = await aBrowser()
  await member.goto(`${baseUrl}/sso`)
  await isAccessible(member)
  await enterByCompany(member, account.email, account.sub)
  await member.goto(`${baseUrl}/account`)
  await member.getByText(account.email).waitFor()

  await member.getByRole('button', { name: 'Sign out' }).click()
  await member.getByRole('heading', { name: 'You are signed out' }).waitFor()
  await isAccessible(member)
  await member.getByRole('link', { name: 'Sign out there too' }).click()
  await member.getByRole('button', { name: 'Yes, sign me out' }).click()
  await member.waitForURL(`${baseUrl}/sso/signed-out`)
  await member.getByRole('link', { name: 'Sign in again' }).click()
  await member.getByRole('heading', { name: /^Sign in to/ }).waitFor()
  // the provider asks again who it is
  await enterByCompany(member, account.email, account.sub)

  const stranger = await aBrowser()
  await stranger.goto(`${baseUrl}/sso/callback?code=x&state=y`)
  await stranger.getByRole('alert').getByText('This sign-in is over').waitFor()
  await isAccessible(stranger)

  const last = await aBrowser()
  await enterPassword(last, other.email)
  await last.goto(`${baseUrl}/account`)
  await last.getByText(other.email).waitFor()
  for (const each of [page, member, stranger, last]) await each.context().close()
}, 120_000)

test('an invited person comes in at the provider from the page of the invitation', async () => {
  const team = await given.tenant()
  const domain = await aVerifiedDomain(team)
  const owner = await aPersonIn(team.tenantId, 'owner')
  const client = provider.addClient(`${baseUrl}/sso/callback`)
  const account = provider.addAccount({ email: `pat@${domain}` })
  const page = await aBrowser()
  await enterPassword(page, owner.email)
  await page.waitForURL('**/app')
  const set = await call(page, 'PATCH', '/sso/config', {
    issuer: client.issuer,
    client_id: client.clientId,
    client_secret: client.clientSecret,
    is_enabled: true,
    is_jit: false,
    is_enforced: true,
    break_glass_user_id: owner.userId,
  })
  expect(set.status).toBe(200)
  const invited = await call(page, 'POST', '/invitations', { email: account.email, role: 'viewer' })
  expect(invited.status).toBe(201)

  const guest = await aBrowser()
  await guest.goto(invited.body.accept_url)
  await guest.getByText('This team signs in with its company alone.').waitFor()
  await isAccessible(guest)
  expect(await guest.getByRole('button', { name: 'Accept the invitation' }).isVisible()).toBe(false)
  await guest.getByRole('link', { name: 'Sign in with your company' }).click()
  await guest.getByLabel('Account').fill(account.sub)
  await guest.getByRole('button', { name: 'Sign in' }).click()
  await guest.goto(`${baseUrl}/account`)
  await guest.getByText(account.email).waitFor()
  await guest.getByText('Viewer').waitFor()
  for (const each of [page, guest]) await each.context().close()
}, 120_000)
