import type { Browser, Route } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { aMonitor } from '#test/control-plane/monitoring/monitored.ts'
import { app, given } from '#test/support/app.ts'
import { openBrowser } from '#test/support/chromium.ts'
import { AppPage } from '#test/support/web.ts'

let browser: Browser
beforeAll(async () => {
  browser = await openBrowser()
}, 60_000)
afterAll(() => browser?.close())

const failed = 'This page could not be loaded'
/** Every request to the server fails, as while it is away. */
const away = (route: Route) => route.abort('connectionrefused')

/** Ends it; the browser may have reported what was missing, and nothing else. */
async function closed({ page, faults }: AppPage): Promise<void> {
  await page.context().close()
  expect(faults.filter(fault => !/dynamically imported module|A part of the app/.test(fault))).toEqual([])
}

async function theOverview() {
  const person = await given.tenant()
  await aMonitor(person, { name: 'Bakery' })
  const opened = await AppPage.open(browser, person, '/app')
  await opened.settled()
  let loads = 0
  opened.page.on('load', () => loads++)
  return { opened, page: opened.page, loads: () => loads }
}

test('a page whose code could not be fetched is there once the server is back, without a press', async () => {
  const { opened, page, loads } = await theOverview()
  await page.route(`${app.baseUrl}/**`, away)
  await page.getByRole('link', { name: 'Maintenance' }).click()
  await page.getByRole('heading', { name: failed }).waitFor()
  // as long as the server is away the app stays, and is not loaded into the nothing
  expect(loads()).toBe(0)
  await page.unroute(`${app.baseUrl}/**`)
  await page.getByRole('heading', { level: 1, name: 'Maintenance' }).waitFor({ timeout: 20_000 })
  expect(new URL(page.url()).pathname).toBe('/app/maintenance')
  expect(loads()).toBe(1)
  await closed(opened)
})

test('after a deployment, which has taken the former files away, the app is loaded again once', async () => {
  const { opened, page, loads } = await theOverview()
  let isGone = true
  await page.route('**/web/files/*.js', route => (isGone ? route.fulfill({ status: 404, json: {} }) : route.continue()))
  page.on('framenavigated', () => {
    isGone = false
  })
  await page.getByRole('link', { name: 'Status pages' }).click({ noWaitAfter: true })
  isGone = true
  await expect.poll(loads, { timeout: 20_000 }).toBe(1)
  await page.getByRole('heading', { level: 1, name: 'Status pages' }).waitFor({ timeout: 20_000 })
  await closed(opened)
})

test('a part that stays missing leaves the page with its button, and does not load the app over and over', async () => {
  const { opened, page, loads } = await theOverview()
  await page.route('**/web/files/list-*.js', route => route.fulfill({ status: 404, json: {} }))
  await page.route('**/web/files/maintenance*.js', route => route.fulfill({ status: 404, json: {} }))
  await page.getByRole('link', { name: 'Maintenance' }).click()
  await expect.poll(loads, { timeout: 20_000 }).toBe(1)
  await page.getByRole('heading', { name: failed }).waitFor()
  await page.waitForResponse(response => response.request().method() === 'HEAD', { timeout: 20_000 })
  await page.getByRole('button', { name: 'Try again' }).waitFor()
  expect(loads()).toBe(1)
  await closed(opened)
})

test('what the API failed to answer is asked again by itself, and a refusal is not', async () => {
  const { opened, page } = await theOverview()
  let status = 503
  let asked = 0
  await page.route('**/api/v1/monitors?*', route => {
    asked++
    return status === 200
      ? route.continue()
      : route.fulfill({ status, json: { message: 'A store is not reachable.', code: 'unavailable' } })
  })
  await page.getByRole('link', { name: 'Monitors', exact: true }).click()
  await page.getByRole('heading', { name: failed }).waitFor({ timeout: 30_000 })
  status = 200
  await page.getByRole('link', { name: 'Bakery' }).waitFor({ timeout: 20_000 })

  await page.getByRole('link', { name: 'Overview' }).click()
  await page.getByRole('heading', { level: 1, name: /monitor/ }).waitFor()
  status = 403
  await page.evaluate('sessionStorage.clear()')
  await opened.go('/app/monitors').catch(() => undefined)
  await page.getByRole('heading', { name: failed }).waitFor({ timeout: 30_000 })
  const before = asked
  await page.waitForTimeout(7_000)
  expect(asked).toBe(before)
  await page.context().close()
})
