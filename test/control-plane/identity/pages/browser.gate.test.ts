import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { aPerson, password } from '#test/control-plane/identity/people.ts'
import { app } from '#test/support/app.ts'
import { openBrowser } from '#test/support/chromium.ts'

let browser: Browser
beforeAll(async () => {
  browser = await openBrowser()
}, 60_000)
afterAll(() => browser?.close())

test('a browser without JavaScript signs in and out, and its back button shows nothing private', async () => {
  const person = await aPerson()
  const context = await browser.newContext({
    javaScriptEnabled: false,
    locale: 'en-GB',
    extraHTTPHeaders: { 'X-Forwarded-For': person.ip },
  })
  const page = await context.newPage()
  await page.goto(`${app.baseUrl}/account`)
  await page.getByLabel('E-mail address').fill(person.email)
  await page.getByLabel('Password', { exact: true }).fill('not my password')
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page.getByRole('alert').getByText('The address or the password is wrong.').waitFor()
  await page.getByLabel('Password', { exact: true }).fill(password)
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { name: 'Your account' }).waitFor()
  expect(new URL(page.url()).pathname).toBe('/account')
  await page.getByText(person.email).waitFor()
  await page.getByRole('button', { name: 'Sign out' }).click()
  await page.getByText('You are signed out.').waitFor()
  // the page before is asked for again, and leads a visitor without a session to the sign-in page
  await page.goBack()
  await page.getByLabel('Password', { exact: true }).waitFor()
  expect(await page.content()).not.toContain(person.email)
  await context.close()
})
