import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { aPerson, password } from '#test/control-plane/identity/people.ts'
import { aMonitor } from '#test/control-plane/monitoring/monitored.ts'
import { app, given } from '#test/support/app.ts'
import { openBrowser } from '#test/support/chromium.ts'
import { AppPage } from '#test/support/web.ts'

let browser: Browser
beforeAll(async () => {
  browser = await openBrowser()
}, 60_000)
afterAll(() => browser?.close())

const typed = 'https://bakery.example/'
const address = (page: Page) => page.getByLabel('What do you want to monitor?')
const question = (page: Page) => page.getByRole('alertdialog', { name: 'Leave this page?' })

const endSession = ({ tenantId }: { tenantId: string }) =>
  app.services.platform.query(`delete from tokens where tenant_id = $1 and kind = 'ss'`, [tenantId])

async function signIn(page: Page, { email }: { email: string }): Promise<void> {
  await page.getByLabel('E-mail address').fill(email)
  await page.getByLabel('Password', { exact: true }).fill(password)
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
}

async function aNewMonitor() {
  const person = await given.tenant()
  await aMonitor(person, { name: 'Shop' })
  const opened = await AppPage.open(browser, person, '/app/incidents')
  const { page } = opened
  await opened.follow('/app/monitors/new')
  await address(page).fill(typed)
  return { person, opened, page }
}

test('a link and the Back button ask before they take away what was typed, and staying keeps it', async () => {
  const { opened, page } = await aNewMonitor()
  await page.getByRole('link', { name: 'Incidents' }).click()
  await question(page).waitFor()
  await opened.examine('leave-question')
  await question(page).getByRole('button', { name: 'Cancel' }).click()
  await question(page).waitFor({ state: 'detached' })
  expect(new URL(page.url()).pathname).toBe('/app/monitors/new')
  expect(await address(page).inputValue()).toBe(typed)

  await page.goBack()
  await question(page).waitFor()
  expect(await address(page).inputValue()).toBe(typed)
  await question(page).getByRole('button', { name: 'Leave without saving' }).click()
  await page.waitForURL(/\/app\/incidents/)
  await opened.close()
})

test('the question is asked also while the server is away', async () => {
  const { opened, page } = await aNewMonitor()
  const isLoaded = `performance.getEntriesByType('resource').some(({ name }) => name.includes('leave-dialog'))`
  await expect.poll(() => page.evaluate(isLoaded)).toBe(true)
  await page.route(`${app.baseUrl}/**`, route => route.abort('connectionrefused'))
  await page.getByRole('link', { name: 'Incidents' }).click()
  await question(page).getByRole('button', { name: 'Cancel' }).click()
  expect(await address(page).inputValue()).toBe(typed)
  await page.context().close()
  expect(opened.faults).toEqual([])
})

test('a reload asks, as the browser does, and a form that says what it said before asks nothing', async () => {
  const { opened, page } = await aNewMonitor()
  let asked = 0
  page.on('dialog', dialog => {
    if (dialog.type() === 'beforeunload') asked++
    void dialog.accept()
  })
  await page.reload()
  expect(asked).toBe(1)
  await address(page).fill(typed)
  await address(page).fill('')
  await page.getByRole('link', { name: 'Incidents' }).click()
  await page.waitForURL(/\/app\/incidents/)
  await page.reload()
  expect(asked).toBe(1)
  await opened.close()
})

test('what was saved is not asked for, and what was refused is', async () => {
  const { opened, page } = await aNewMonitor()
  await page.route('**/api/v1/monitors', route =>
    route.request().method() === 'POST'
      ? route.fulfill({ status: 422, json: { message: 'No.', code: 'invalid', errors: { name: ['Is taken.'] } } })
      : route.continue(),
  )
  await page.getByRole('button', { name: 'Watch it' }).click()
  await page.getByText('Is taken.').waitFor()
  await page.getByRole('link', { name: 'Incidents' }).click()
  await question(page).getByRole('button', { name: 'Cancel' }).click()
  await page.unroute('**/api/v1/monitors')
  await page.getByLabel('Name').fill('Our bakery')
  await page.getByRole('button', { name: 'Watch it' }).click()
  await page.getByRole('heading', { level: 1, name: 'Our bakery' }).waitFor()
  expect(await question(page).count()).toBe(0)
  await opened.close()
})

test('typed input outlives the end of a session: after the sign-in it is in its fields again', async () => {
  const person = await aPerson()
  await aMonitor(person, { name: 'Shop' })
  const opened = await AppPage.open(browser, person, '/app/monitors/new')
  const { page } = opened
  await address(page).fill(typed)
  await page.getByLabel('Name').fill('Our bakery')
  await endSession(person)
  await page.getByRole('button', { name: 'Watch it' }).click()
  await page.waitForURL(/\/login\?next=/)
  expect(await page.evaluate('document.body.innerText')).not.toContain('bakery')
  await signIn(page, person)
  await page.waitForURL(/\/app\/monitors\/new/)
  await page.getByText('What you had typed before the session ended is here again.').waitFor()
  expect(await address(page).inputValue()).toBe(typed)
  await expect.poll(() => page.getByLabel('Name').inputValue()).toBe('Our bakery')
  // it is there once, and is still unsaved
  expect(await page.evaluate(`sessionStorage.getItem('draft')`)).toBe(null)
  await page.getByRole('link', { name: 'Incidents' }).click()
  await question(page).waitFor()
  await opened.close()
})

test('what was typed is not given to another person of the tab', async () => {
  const [person, other] = [await aPerson(), await aPerson()]
  const opened = await AppPage.open(browser, person, '/app/monitors/new')
  const { page } = opened
  await address(page).fill(typed)
  await page.getByRole('button', { name: 'Watch it' }).waitFor()
  await endSession(person)
  await page.getByRole('button', { name: 'Watch it' }).click()
  await page.waitForURL(/\/login\?next=/)
  await signIn(page, other)
  await page.waitForURL(/\/app\/monitors\/new/)
  await address(page).waitFor()
  await expect.poll(() => page.evaluate(`sessionStorage.getItem('draft')`)).toBe(null)
  expect(await address(page).inputValue()).toBe('')
  await opened.close()
})

test('secrets are not kept', async () => {
  const person = await aPerson()
  const opened = await AppPage.open(browser, person, '/app/settings/security')
  const { page } = opened
  await page.getByRole('button', { name: 'Change the password' }).click()
  await page.getByLabel('Current password').fill('a secret of the person')
  await page.getByLabel('New password').fill('another secret of the person')
  await endSession(person)
  await page.getByRole('dialog').getByRole('button', { name: 'Change the password' }).click()
  await page.waitForURL(/\/login\?next=/)
  expect(await page.evaluate(`sessionStorage.getItem('draft')`)).toBe(null)
  await opened.close()
})
