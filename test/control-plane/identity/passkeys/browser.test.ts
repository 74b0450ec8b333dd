import { createServer } from 'node:net'
import { pino } from 'pino'
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startControlPlane } from '#cli/serve/serve.ts'
import { aPerson, join, password } from '#test/control-plane/identity/people.ts'
import { app, given } from '#test/support/app.ts'
import { openBrowser } from '#test/support/chromium.ts'
import { configOn } from '#test/support/config.ts'

/** Browsers have passkeys for names alone, not for IP addresses: this control plane is `localhost`. */
const port = await new Promise<number>(resolve => {
  const server = createServer().listen(0, '127.0.0.1', () => {
    const address = server.address()
    server.close(() => resolve(typeof address === 'object' && address ? address.port : 0))
  })
})
const baseUrl = `http://localhost:${port}`
let plane: Awaited<ReturnType<typeof startControlPlane>>
let browser: Browser
beforeAll(async () => {
  const config = configOn(app.stores, { baseUrl, port, trustedProxies: 1 })
  plane = await startControlPlane(config, ['api'], { log: pino({ level: 'silent' }) })
  browser = await openBrowser()
}, 60_000)
afterAll(async () => {
  await browser?.close()
  await plane?.close()
})

/** A page with an authenticator of its own, which verifies its user each time. */
async function withAuthenticator(context: BrowserContext): Promise<Page> {
  const page = await context.newPage()
  const devtools = await context.newCDPSession(page)
  await devtools.send('WebAuthn.enable')
  await devtools.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  })
  return page
}

async function signInByPassword(page: Page, email: string): Promise<void> {
  await page.goto(`${baseUrl}/login?next=/account/passkeys`)
  await page.getByLabel('E-mail address').fill(email)
  await page.getByLabel('Password', { exact: true }).fill(password)
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
  await page.getByRole('heading', { name: 'Passkeys' }).waitFor()
}

test('a member makes a passkey in a browser, signs in by it, and no longer once it is removed', async () => {
  const person = await aPerson('member')
  const context = await browser.newContext({
    locale: 'en-GB',
    extraHTTPHeaders: { 'X-Forwarded-For': person.ip },
  })
  const page = await withAuthenticator(context)
  await signInByPassword(page, person.email)
  await page.getByText('You have no passkey.').waitFor()
  await page.getByRole('button', { name: 'Add a passkey' }).click()
  await page.getByText('Your passkeys have changed.').waitFor()
  await page.getByRole('textbox', { name: 'Name' }).fill('My laptop')
  await page.getByRole('button', { name: /^Rename/ }).click()
  await page.getByRole('button', { name: 'Remove My laptop' }).waitFor()

  await context.clearCookies()
  await page.goto(`${baseUrl}/login`)
  // a virtual authenticator answers the autofill of its own accord
  await page.waitForURL(`${baseUrl}/app`)
  const { rows } = await app.services.platform.query(
    `select auth_method from tokens where user_id = $1 and is_browser order by created_at desc limit 1`,
    [person.userId],
  )
  expect(rows).toEqual([{ auth_method: 'passkey' }])

  // eleven minutes later the page leads to the confirmation, which the passkey gives, and back
  await app.services.platform.query(
    `update tokens set reauthenticated_at = clock_timestamp() - interval '11 minutes' where user_id = $1`,
    [person.userId],
  )
  await page.goto(`${baseUrl}/account/passkeys`)
  await page.getByText('My laptop').waitFor()
  await page.getByRole('button', { name: 'Remove My laptop' }).click()
  await page.getByRole('button', { name: 'Confirm with a passkey' }).click()
  await page.waitForURL(`${baseUrl}/account/passkeys`)

  // a member of two teams chooses one, as after a password
  const second = await given.tenant()
  await join(person.userId, second.tenantId, 'viewer')
  await context.clearCookies()
  await page.goto(`${baseUrl}/login?next=/account/passkeys`)
  await page.waitForURL(`${baseUrl}/login/team`)
  await page.getByRole('button', { name: /Viewer/ }).click()
  await page.waitForURL(`${baseUrl}/account/passkeys`)
  const entered = await app.services.platform.query(
    `select tenant_id, auth_method from tokens where user_id = $1 and is_browser order by created_at desc limit 1`,
    [person.userId],
  )
  expect(entered.rows).toEqual([{ tenant_id: second.tenantId, auth_method: 'passkey' }])

  await page.getByRole('button', { name: 'Remove My laptop' }).click()
  await page.getByText('You have no passkey.').waitFor()
  await context.clearCookies()
  await page.goto(`${baseUrl}/login`)
  await page.getByRole('alert').getByText('That did not work.').waitFor()
  expect(new URL(page.url()).pathname).toBe('/login')
  await context.close()
}, 120_000)

test('the sign-in page at an IP address reports no failure before the person has done anything', async () => {
  const context = await browser.newContext({ locale: 'en-GB' })
  const page = await context.newPage()
  const offered = page.waitForResponse(response => response.url().endsWith('/auth/passkeys/options'))
  await page.goto(`http://127.0.0.1:${port}/login`)
  await (await offered).finished()
  const button = page.getByRole('button', { name: /passkey/i })
  await button.waitFor()
  // what follows the answer in the page has run once two frames were drawn
  await page.evaluate('new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))')
  expect(await page.locator('#passkey [role=alert]').textContent()).toBe('')
  await button.click()
  await page.locator('#passkey [role=alert]').getByText(/./).waitFor()
  await context.close()
})
