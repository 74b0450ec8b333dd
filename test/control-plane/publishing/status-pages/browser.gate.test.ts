import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { until } from '#cli/local/loopback.ts'
import { aMonitor, verdicts } from '#test/control-plane/monitoring/monitored.ts'
import { addTo } from '#test/control-plane/publishing/status-pages/pages.ts'
import { aPublished, visit } from '#test/control-plane/publishing/status-pages/served.ts'
import { app, given } from '#test/support/app.ts'
import { openBrowser } from '#test/support/chromium.ts'

let browser: Browser
beforeAll(async () => {
  browser = await openBrowser()
}, 60_000)
afterAll(() => browser?.close())

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
  // a round asks once: the change has to be there by then
  const isChanged = async () => (await visit(`/status/${status.slug}`)).text.includes('Major outage')
  expect(await until(isChanged, { withinMs: 5_000, everyMs: 20 })).toBe(true)
  await page.clock.fastForward(31_000)
  await page.getByRole('heading', { name: 'Major outage' }).waitFor()
  expect(await page.getByRole('status').textContent()).toBe('Status updated: Major outage')
  expect(await page.locator('details').first().getAttribute('open')).not.toBeNull()
  await context.close()
})

test('each history is one stop of the keyboard, whose arrow keys say one day after the other', async () => {
  const owner = await given.tenant()
  const status = await aPublished(owner)
  const monitor = await aMonitor(owner)
  const day = (ago: number) => new Date(Math.floor(Date.now() / 86_400_000 - ago) * 86_400_000)
  await verdicts(owner, monitor, [
    [day(30), 'up'],
    [new Date(day(2).getTime() + 36_000_000), 'down'],
    [new Date(day(2).getTime() + 39_600_000), 'up'],
  ])
  await addTo(owner, `${status.id}/components`, { name: 'Shop', type: 'monitor', monitor_id: monitor.id })
  const context = await browser.newContext({ extraHTTPHeaders: { 'X-Forwarded-For': given.stranger().ip } })
  const page = await context.newPage()
  const problems: string[] = []
  page.on('console', message => message.type() === 'error' && problems.push(message.text()))
  await page.clock.install()
  await page.goto(`${app.baseUrl}/status/${status.slug}`)
  const history = page.getByRole('slider', { name: /^Shop: / })
  const said = () => history.getAttribute('aria-valuetext')
  const named = (ago: number) =>
    day(ago).toLocaleDateString('en-GB', { timeZone: 'UTC', day: 'numeric', month: 'short', year: 'numeric' })
  await history.focus()
  expect(await said()).toBe(`${named(0)}. Uptime: 100\u00a0%`)
  await page.keyboard.press('ArrowRight')
  expect(await said()).toContain(named(0))
  await page.keyboard.press('ArrowLeft')
  await page.keyboard.press('ArrowLeft')
  expect(await said()).toContain(`${named(2)}. Uptime: 95.8`)
  expect(await said()).toContain('Down: 1\u00a0h')
  expect(await history.locator('path.cur').getAttribute('d')).toBe('M349.5 0v32')
  await page.keyboard.press('ArrowLeft')
  expect(await said()).toContain(named(3))
  await page.keyboard.press('Home')
  expect(await said()).toBe(`${named(89)}. Uptime: no data`)
  await addTo(owner, `${status.id}/components`, { name: 'Mail', type: 'static', static_status: 'major_outage' })
  await page.clock.fastForward(31_000)
  await page.getByRole('heading', { name: 'Mail' }).waitFor()
  expect(await history.evaluate(bars => bars.matches(':focus'))).toBe(true)
  expect(await said()).toBe(`${named(89)}. Uptime: no data`)
  await page.keyboard.press('End')
  await page.keyboard.press('Enter')
  expect(await page.locator('details.days').getAttribute('open')).not.toBeNull()
  await page.keyboard.press('Tab')
  expect(await page.locator('path.cur').count()).toBe(0)
  expect(problems).toEqual([])
  await context.close()
})
