import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { aPerson, password } from '#test/control-plane/identity/people.ts'
import { app, given } from '#test/support/app.ts'
import { openBrowser } from '#test/support/chromium.ts'
import { AppPage } from '#test/support/web.ts'

let browser: Browser
beforeAll(async () => {
  browser = await openBrowser()
}, 60_000)
afterAll(() => browser?.close())

test('a visitor without a session is led to the sign-in page, and from there to where they wanted', async () => {
  const person = await aPerson()
  const context = await browser.newContext({ extraHTTPHeaders: { 'X-Forwarded-For': person.ip }, locale: 'en-GB' })
  const page = await context.newPage()
  await page.goto(`${app.baseUrl}/app/monitors?search=shop`)
  await page.getByLabel('E-mail address').fill(person.email)
  await page.getByLabel('Password', { exact: true }).fill(password)
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { name: 'Monitors', level: 1 }).waitFor()
  expect(page.url()).toBe(`${app.baseUrl}/app/monitors?search=shop`)
  await page.goto(app.baseUrl)
  await page.getByRole('heading', { level: 1 }).waitFor()
  expect(new URL(page.url()).pathname).toBe('/app')
  await context.close()
})

test('files of the app are compressed and kept by browsers; the first load has at most 190 kB of script', async () => {
  const person = await given.tenant()
  const opened = await AppPage.open(browser, person, '/app')
  const sizes = await opened.page.evaluate<{ name: string; bytes: number }[]>(
    `performance.getEntriesByType('resource').map(({ name, encodedBodySize }) => ({ name, bytes: encodedBodySize }))`,
  )
  const bytesOf = (suffix: string) =>
    sizes.filter(({ name }) => name.endsWith(suffix)).reduce((sum, { bytes }) => sum + bytes, 0)
  console.log(`first load of the app: ${bytesOf('.js')} bytes of script, ${bytesOf('.css')} of style`)
  expect(bytesOf('.js')).toBeGreaterThan(0)
  // Chromium asks for Brotli over https and at localhost alone; gzip has a fifth more
  expect(bytesOf('.js')).toBeLessThanOrEqual(190_000 * 1.2)
  expect(bytesOf('.css')).toBeLessThanOrEqual(15_000 * 1.2)
  await opened.close()
})
