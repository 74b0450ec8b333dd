import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { aMonitor } from '#test/control-plane/monitoring/monitored.ts'
import { app, given } from '#test/support/app.ts'
import { violationsOf } from '#test/support/axe.ts'
import { inBrowser } from '#test/support/browser-session.ts'
import { openBrowser } from '#test/support/chromium.ts'
import { AppPage } from '#test/support/web.ts'

let browser: Browser
beforeAll(async () => {
  browser = await openBrowser()
}, 60_000)
afterAll(() => browser?.close())

/** Routes that need a record, and those that leave the app. */
const isPlain = (route: string) => route.startsWith('/app') && !route.includes('$')

test('a login link leads into the app, and its session sees every page that its role may see', async () => {
  const reseller = await given.reseller()
  const team = await given.team(reseller)
  await aMonitor(team, { name: 'Bakery' })
  const email = `${team.userId}@people.test`
  const { body } = await reseller.post(`${team.path}/sso-link`, { user_email: email, redirect_to: '/app/monitors' })
  const context = await browser.newContext({
    locale: 'de-DE',
    timezoneId: 'Europe/Berlin',
    extraHTTPHeaders: { 'X-Forwarded-For': team.ip },
  })
  const page = await context.newPage()
  const faults: string[] = []
  page.on('pageerror', ({ message }) => faults.push(message))
  const { pathname, search } = new URL(body.data.sso_url)
  await page.goto(app.baseUrl + pathname + search)
  await page.getByRole('link', { name: 'Bakery' }).waitFor()
  expect(new URL(page.url()).pathname).toBe('/app/monitors')

  const routes = await page.evaluate<string[]>('Object.keys(self.__TSR_ROUTER__.routesByPath)')
  const failed: string[] = []
  for (const route of routes.filter(isPlain)) {
    await page.goto(app.baseUrl + route)
    await page.getByRole('heading', { level: 1 }).waitFor()
    await page.locator('.loading').waitFor({ state: 'detached' })
    if ((await page.locator('.page[role=alert]').count()) > 0) failed.push(route)
  }
  expect(failed).toEqual([])
  expect(faults).toEqual([])
  // the first visit took over the language of the browser
  await expect.poll(() => page.locator('html').getAttribute('lang')).toBe('de')
  await context.close()
})

test('a limited session changes how the app is shown and how it is reached, and is told what needs an own sign-in', async () => {
  const team = await given.tenant()
  const opened = await AppPage.open(browser, await inBrowser(team, { isLocked: true }), '/app/settings')
  const { page } = opened
  expect(await page.getByRole('textbox', { name: /^Name/ }).isDisabled()).toBe(true)
  expect(await page.getByRole('button', { name: 'Change the address' }).count()).toBe(0)
  const nav = page.getByRole('navigation', { name: 'Pages of the settings' })
  for (const name of ['Security', 'Tokens', 'Data and deletion'])
    expect(await nav.getByRole('link', { name }).count(), name).toBe(0)

  const { rows } = await app.services.platform.query('select timezone from users where id = $1', [team.userId])
  expect(rows[0].timezone).not.toBe('Asia/Tokyo')
  await page.getByRole('button', { name: /Time zone/ }).click()
  await page.getByRole('option', { name: 'Asia/Tokyo' }).click()
  await page.getByRole('button', { name: 'Save' }).first().click()
  await expect
    .poll(async () => (await team.get('/profile')).body.data)
    .toMatchObject({ timezone: 'Asia/Tokyo', name: 'Pat Person' })

  for (const path of [
    ...['security', 'tokens', 'data', 'smtp'].map(name => `/app/settings/${name}`),
    '/app/servers/new',
  ]) {
    await opened.go(path)
    await page.getByRole('heading', { name: 'This session is limited to the team' }).waitFor()
    expect(await violationsOf(page)).toEqual([])
  }
  await opened.go('/app/team')
  await page.getByRole('heading', { name: 'Invitations', exact: true }).waitFor()
  expect(await page.getByRole('button', { name: /^Invite/ }).count()).toBe(0)
  expect(opened.faults).toEqual([])
  await opened.close()
})
