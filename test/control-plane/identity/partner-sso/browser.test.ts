import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { app, type CallerUnderTest, given } from '#test/support/app.ts'
import { violationsOf } from '#test/support/axe.ts'
import { openBrowser } from '#test/support/chromium.ts'

let browser: Browser
let reseller: CallerUnderTest
beforeAll(async () => {
  browser = await openBrowser()
  reseller = await given.reseller()
  await reseller.patch('/branding', { brand_name: 'Nordhost' })
}, 60_000)
afterAll(() => browser?.close())

/** The panel of a hosting firm: its link leads to a sign-in link that is made at the click. */
async function aPanel(linkOf: () => Promise<string>) {
  const server = createServer(async ({ url }, response) => {
    if (url === '/open') return response.writeHead(303, { Location: await linkOf() }).end()
    response.setHeader('Content-Type', 'text/html')
    response.end('<!doctype html><title>Panel</title><a href="/open">Open monitoring</a>')
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`, close: () => server.close() }
}

const ownLinks = async (managed: { path: string }, user_email: string) => {
  const { body } = await reseller.post(`${managed.path}/sso-link`, { user_email })
  const { pathname, search } = new URL(body.data.sso_url)
  return app.baseUrl + pathname + search
}

test('a customer of a hosting firm opens the monitoring and is in, and the same link is refused a second time', async () => {
  const team = await given.team(reseller)
  const email = `${randomUUID()}@customer.example`
  let link = ''
  const panel = await aPanel(async () => {
    link = await ownLinks(team, email)
    return link
  })
  const context = await browser.newContext({
    locale: 'en-GB',
    extraHTTPHeaders: { 'X-Forwarded-For': given.stranger().ip },
  })
  try {
    const page = await context.newPage()
    const referrers: string[] = []
    page.on('request', request => referrers.push(request.headers().referer ?? ''))
    await page.goto(panel.url)
    await page.getByRole('link', { name: 'Open monitoring' }).click()
    await page.waitForURL('**/app')
    const [cookie] = (await context.cookies()).filter(({ name }) => name === 'vedette')
    expect(cookie).toMatchObject({ httpOnly: true, sameSite: 'Lax', path: '/' })
    expect(referrers.filter(referrer => referrer.includes('token'))).toEqual([])
    // nothing that the browser goes back to has the token in its address
    await page.goBack()
    expect(page.url()).not.toContain('token')

    const other = await browser.newContext({
      locale: 'de-DE',
      extraHTTPHeaders: { 'X-Forwarded-For': given.stranger().ip },
    })
    const again = await other.newPage()
    await again.goto(link)
    await again.getByRole('heading', { name: 'Dieser Link wurde schon benutzt' }).waitFor()
    expect(again.url()).toBe(`${app.baseUrl}/sso/partner`)
    expect(await again.content()).toContain('Nordhost')
    expect(await violationsOf(again, 'wcag and best practice')).toEqual([])
    await other.close()
  } finally {
    await context.close()
    panel.close()
  }
}, 60_000)

test('without JavaScript the button of the page signs in', async () => {
  const team = await given.team(reseller)
  const email = `${randomUUID()}@customer.example`
  const context = await browser.newContext({
    javaScriptEnabled: false,
    locale: 'en-GB',
    extraHTTPHeaders: { 'X-Forwarded-For': given.stranger().ip },
  })
  const page = await context.newPage()
  await page.goto(await ownLinks(team, email))
  await page.getByRole('heading', { name: 'Sign in to Nordhost' }).waitFor()
  await page.getByRole('button', { name: 'Sign in' }).click()
  // the app needs scripts, and says where one is without them
  await page.getByRole('link', { name: 'Your account' }).click()
  await page.getByText(email).waitFor()
  await context.close()
}, 60_000)
