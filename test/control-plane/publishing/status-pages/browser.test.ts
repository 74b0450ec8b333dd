import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { addTo } from '#test/control-plane/publishing/status-pages/pages.ts'
import { aPublished } from '#test/control-plane/publishing/status-pages/served.ts'
import { app, given } from '#test/support/app.ts'
import { openBrowser } from '#test/support/chromium.ts'
import { expectAccessible } from './accessible.ts'

let browser: Browser
beforeAll(async () => {
  browser = await openBrowser()
}, 60_000)
afterAll(() => browser?.close())

test('every document meets WCAG 2.2 AA on a dark phone in German; the gate tries the other combinations', async () => {
  await expectAccessible(browser, { colorScheme: 'dark', language: 'de', width: 360 })
}, 120_000)

test('a page that is open takes over a change within a round, announces it, and keeps what is open', async () => {
  const owner = await given.tenant()
  const status = await aPublished(owner)
  const group = await addTo(owner, `${status.id}/groups`, { name: 'Europe' })
  const part = { name: 'API', type: 'static', static_status: 'operational', group_id: group.id }
  const component = await addTo(owner, `${status.id}/components`, part)
  const context = await browser.newContext({ extraHTTPHeaders: { 'X-Forwarded-For': given.stranger().ip } })
  const page = await context.newPage()
  await page.clock.install()
  await page.goto(`${app.baseUrl}/status/${status.slug}`)
  await page.getByRole('heading', { name: 'All systems operational' }).waitFor()
  await page.getByText('Europe').click()
  await owner.patch(`/status-pages/${status.id}/components/${component.id}`, { static_status: 'major_outage' })
  await page.clock.fastForward(31_000)
  await page.getByRole('heading', { name: 'Major outage' }).waitFor()
  expect(await page.getByRole('status').textContent()).toBe('Status updated: Major outage')
  expect(await page.locator('details').first().getAttribute('open')).not.toBeNull()
  await context.close()
})
