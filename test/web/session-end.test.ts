import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { aMonitor } from '#test/control-plane/monitoring/monitored.ts'
import { app, type CallerUnderTest, given } from '#test/support/app.ts'
import { inBrowser } from '#test/support/browser-session.ts'
import { openBrowser } from '#test/support/chromium.ts'
import { AppPage } from '#test/support/web.ts'

let browser: Browser
beforeAll(async () => {
  browser = await openBrowser()
}, 60_000)
afterAll(() => browser?.close())

/** What a person can read on the page. */
const shownOn = (page: Page) =>
  page.evaluate('document.body.checkVisibility() ? document.body.innerText : ""') as Promise<string>
const isPutAway = `dispatchEvent(new PageTransitionEvent('pagehide', { persisted: true }))`
const isTakenBack = `dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true }))`

/** The list with a monitor, in a tab of the person's browser. */
async function theList(person: CallerUnderTest): Promise<AppPage> {
  const opened = await AppPage.open(browser, person, '/app/monitors')
  await opened.page.getByRole('link', { name: 'Bakery' }).waitFor()
  return opened
}

async function signOut(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Pat Person' }).click()
  await page.getByRole('menuitem', { name: 'Sign out' }).click()
  await page.waitForURL(/\/login$/)
}

test('after the sign-out Back shows nothing of the person, and leads back after the next sign-in', async () => {
  const person = await given.tenant()
  const bakery = await aMonitor(person, { name: 'Bakery' })
  const opened = await theList(person)
  const { page } = opened
  await page.getByRole('link', { name: 'Bakery' }).click()
  await page.waitForURL(new RegExp(`${bakery.id}$`))
  await signOut(page)
  await page.goBack()
  await page.waitForURL(`${app.baseUrl}/login?next=${encodeURIComponent(`/app/monitors/${bakery.id}`)}`)
  expect(await shownOn(page)).not.toMatch(/Bakery|Pat Person/)
  await opened.close()
})

test('a tab leads to the sign-in page as soon as another tab of the browser has signed out', async () => {
  const person = await given.tenant()
  await aMonitor(person, { name: 'Bakery' })
  const opened = await theList(person)
  const { page } = opened
  const second = await page.context().newPage()
  await second.goto(`${app.baseUrl}/app/monitors?search=bak`)
  await second.getByRole('link', { name: 'Bakery' }).waitFor()
  await second.evaluate(`sessionStorage.setItem('kept', 'of this person')`)
  // its stream would find out too, later
  await second.route('**/api/v1/stream*', route => route.abort())
  await signOut(page)
  await second.waitForURL(`${app.baseUrl}/login?next=${encodeURIComponent('/app/monitors?search=bak')}`)
  expect(await shownOn(second)).not.toMatch(/Bakery|Pat Person/)
  expect(await second.evaluate('sessionStorage.length')).toBe(0)
  await opened.close()
})

test('a page that the browser takes out of its memory is shown once its session is confirmed', async () => {
  const person = await given.tenant()
  await aMonitor(person, { name: 'Bakery' })
  const opened = await theList(person)
  const { page } = opened
  await page.evaluate(isPutAway)
  expect(await shownOn(page)).toBe('')
  const isAnswered = Promise.withResolvers<void>()
  await page.route('**/api/v1/user', async route => {
    await isAnswered.promise
    await route.continue()
  })
  const asked = page.waitForRequest('**/api/v1/user')
  await page.evaluate(isTakenBack)
  await asked
  expect(await shownOn(page)).toBe('')
  isAnswered.resolve()
  await expect.poll(() => shownOn(page)).toContain('Bakery')
  await opened.close()
})

test('a page that is taken out of memory after the sign-out, or in the session of another, shows nothing', async () => {
  const person = await given.tenant()
  await aMonitor(person, { name: 'Bakery' })
  const opened = await theList(person)
  const { page } = opened
  const context = page.context()
  await page.evaluate(isPutAway)
  const other = await given.tenant()
  await aMonitor(other, { name: 'Dairy' })
  const [name = '', value = ''] = (await inBrowser(other)).cookie.split('=')
  await context.addCookies([{ name, value, url: app.baseUrl }])
  await page.evaluate(isTakenBack)
  await page.getByRole('link', { name: 'Dairy' }).waitFor()
  expect(await shownOn(page)).not.toContain('Bakery')

  await page.evaluate(isPutAway)
  await context.clearCookies()
  await page.evaluate(isTakenBack)
  await page.waitForURL(`${app.baseUrl}/login?next=${encodeURIComponent('/app/monitors')}`)
  expect(await shownOn(page)).not.toMatch(/Dairy|Pat Person/)
  await opened.close()
})
