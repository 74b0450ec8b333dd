import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { makeSetupLink } from '#control-plane/platform/setup/link.ts'
import { type Serving, serving } from '#test/control-plane/serving.ts'
import { openBrowser } from '#test/support/chromium.ts'
import { Keyboard } from '#test/support/keyboard.ts'
import { Site } from '#test/support/target.ts'

let browser: Browser
let served: Serving
let site: Site
beforeAll(async () => {
  browser = await openBrowser()
  served = await serving('welcome')
  site = await Site.open()
  await Promise.all(['ap-south', 'eu-west', 'us-east'].map(region => served.agent(region)))
}, 120_000)
afterAll(async () => {
  await browser?.close()
  await served?.close()
  await site?.close()
})

test('the link of the first start leads by keyboard alone to a green check, a test message, a badge and a draft page', async () => {
  const { baseUrl } = served.plane
  const link = (await makeSetupLink(served.platform, baseUrl)) ?? ''
  const context = await browser.newContext({ locale: 'en-GB', timezoneId: 'Europe/Lisbon' })
  const page = await context.newPage()
  const faults: string[] = []
  page.on('pageerror', error => faults.push(error.message))
  const picture = async (name: string) => {
    if (process.env.PICTURES) await page.screenshot({ path: `${process.env.PICTURES}/welcome-${name}.png` })
  }
  const keys = new Keyboard(page)
  const button = (name: string) => page.getByRole('button', { name })
  await page.goto(link)
  await keys.write(page.getByLabel('Your name'), 'Ines Weber')
  await keys.write(page.getByLabel('E-mail address'), 'ines@example.com')
  await keys.write(page.getByLabel('Password'), 'correct horse battery staple')
  await keys.write(page.getByLabel('Name of the first team'), 'Acme')
  await page.keyboard.press('Enter')

  await page.getByRole('heading', { name: 'Which site do you want to monitor?' }).waitFor()
  const { rows } = await served.platform.query(`select timezone, language from users where email = 'ines@example.com'`)
  expect(rows).toEqual([{ timezone: 'Europe/Lisbon', language: 'en' }])
  await keys.write(page.getByLabel('Address of the site'), 'ftp://nowhere')
  await page.keyboard.press('Enter')
  await page.getByText('The URL must start with http:// or https://.').waitFor()
  await picture('watch')
  await keys.write(page.getByLabel('Address of the site'), site.url)
  const began = performance.now()
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { name: /is up$/ }).waitFor()
  console.log(`green check ${Math.round(performance.now() - began)} ms after Enter`)
  expect(await page.locator('.region-card.is-up').count()).toBe(3)
  expect(await page.locator('.region-card').getByText('First byte').count()).toBe(3)
  await picture('up')
  await keys.press(button('Continue'))

  await page.getByRole('heading', { name: 'Who should be notified of an incident?' }).waitFor()
  expect(await page.getByLabel('E-mail address').inputValue()).toBe('ines@example.com')
  await keys.press(button('Send a test'))
  await page.getByText(/^No mail server is set: the message is kept/).waitFor()
  await page.getByRole('region', { name: 'The message' }).waitFor()
  const rules = await served.platform.query('select event_types, monitor_filter from notification_rules')
  expect(rules.rows).toEqual([{ event_types: ['incident.created', 'incident.resolved'], monitor_filter: null }])
  await picture('notify')
  await keys.press(button('Continue'))

  await page.getByRole('heading', { name: 'Your site is monitored' }).waitFor()
  await page.getByText('/api/badges/').waitFor()
  await keys.press(button('Create a draft'))
  await page.getByText('is ready.').waitFor()
  await picture('done')
  const pages = await served.platform.query(`select name, state from status_pages`)
  expect(pages.rows).toMatchObject([{ name: expect.stringContaining('Status of'), state: 'draft' }])
  await keys.press(page.getByRole('link', { name: 'Go to the overview' }))
  await page.waitForURL(url => url.pathname === '/app')
  await context.close()
  expect(faults).toEqual([])
}, 120_000)

test('each step can be skipped, and a check is tried before it is saved', async () => {
  const context = await browser.newContext({ locale: 'en-GB' })
  const page = await context.newPage()
  await page.goto(`${served.plane.baseUrl}/login?next=/app/welcome`)
  await page.getByLabel('E-mail address').fill('ines@example.com')
  await page.getByLabel('Password', { exact: true }).fill('correct horse battery staple')
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { name: 'Which site do you want to monitor?' }).waitFor()
  await page.getByRole('button', { name: 'Skip', exact: true }).click()
  await page.getByRole('heading', { name: 'Who should be notified of an incident?' }).waitFor()
  await page.getByRole('button', { name: 'Skip', exact: true }).click()
  await page.getByRole('link', { name: 'Add a second monitor' }).click()

  await page.getByLabel('What do you want to monitor?').fill(new URL('/tried', site.url).href)
  const seen = site.log.length
  await page.getByRole('button', { name: 'Try it now' }).click()
  await expect.poll(() => page.locator('.region-card.is-up').count(), { timeout: 30_000 }).toBe(3)
  if (process.env.PICTURES) await page.screenshot({ path: `${process.env.PICTURES}/try.png`, fullPage: true })
  expect(site.log.length).toBeGreaterThanOrEqual(seen + 3)
  const { rows } = await served.platform.query('select url from monitors')
  expect(rows.filter(({ url }) => url.includes('tried'))).toEqual([])
  await context.close()
}, 120_000)
