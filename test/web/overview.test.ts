import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { aMonitor, anIncident, minutesAgo } from '#test/control-plane/monitoring/monitored.ts'
import { app, type CallerUnderTest, given } from '#test/support/app.ts'
import { openBrowser } from '#test/support/chromium.ts'
import { AppPage } from '#test/support/web.ts'
import { anOutage } from './outage.ts'

let browser: Browser
beforeAll(async () => {
  browser = await openBrowser()
}, 60_000)
afterAll(() => browser?.close())

async function onCall(owner: CallerUnderTest): Promise<void> {
  const { status, text } = await owner.post('/on-call-schedules', {
    name: 'Nights',
    timezone: 'Europe/Vienna',
    rotations: [{ name: 'Week', users: [owner.userId], handoff: 'weekly', first_handoff_at: '2026-01-05T09:00:00' }],
  })
  expect(status, text).toBe(201)
}

test('the overview leads from what is down to who has it, in few calls', async () => {
  const owner = await given.tenant()
  const { incident } = await anOutage(owner)
  const blog = await aMonitor(owner, { name: 'Blog', url: 'https://blog.example/', status: 'warning' })
  await anIncident(owner, { monitor: blog, severity: 'minor', startedAt: minutesAgo(50), resolvedAt: minutesAgo(40) })
  await onCall(owner)
  const opened = await AppPage.open(browser, owner, '/app')
  const { page } = opened
  const calls: string[] = []
  // what every page needs once
  const ofShell = new Set(['user', 'profile', 'branding', 'plan', 'stream'].map(name => `/api/v1/${name}`))
  page.on('request', request => {
    const { pathname } = new URL(request.url())
    // the page opened first may still be asking
    if (request.isNavigationRequest()) calls.length = 0
    if (pathname.startsWith('/api/v1/') && !ofShell.has(pathname)) calls.push(pathname)
  })
  await opened.go('/app')
  await page.getByRole('heading', { level: 1, name: '1 of 2 down, 1 warning' }).waitFor()
  await page.getByRole('cell', { name: 'No person yet' }).waitFor()
  await page.getByText('Nights').waitFor()
  await page.getByRole('rowheader', { name: 'Shop', exact: true }).waitFor()
  expect(calls.length, calls.join(' ')).toBeLessThanOrEqual(10)
  await owner.post(`/incidents/${incident}/acknowledge`)
  await opened.go('/app')
  await page.getByRole('table', { name: 'Open incidents' }).getByText('Pat Person').waitFor()
  await page.getByRole('link', { name: 'Shop is down' }).first().click()
  await page.waitForURL(new RegExp(`/app/incidents/${incident}`))
  await opened.close()
})

test('a team without monitors is shown the first steps', async () => {
  const owner = await given.tenant()
  const opened = await AppPage.open(browser, owner, '/app')
  await opened.examine('overview-empty')
  await opened.page.getByRole('link', { name: 'Watch a site' }).click()
  await opened.page.waitForURL(/\/app\/welcome/)
  await opened.close()
})

test('a wall screen needs nothing but its token, which no request has in its address', async () => {
  const owner = await given.tenant()
  await anOutage(owner)
  const { body } = await owner.post('/api-keys', { name: 'Wall', scopes: ['monitors:read', 'incidents:read'] })
  const token: string = body.plain_text_token
  expect(token).toMatch(/^svc-/)
  const context = await browser.newContext({ locale: 'en-GB', viewport: { width: 1920, height: 1080 } })
  const page = await context.newPage()
  const faults: string[] = []
  const asked: string[] = []
  page.on('pageerror', error => faults.push(error.message))
  page.on('request', request => asked.push(request.url()))
  await page.goto(`${app.baseUrl}/app/wall#${token}`)
  await page.getByRole('heading', { level: 1, name: '1 of 1 down' }).waitFor()
  await page.getByText('no person has it').waitFor()
  if (process.env.PICTURES) await page.screenshot({ path: `${process.env.PICTURES}/wall.png` })
  expect(await page.getByText('The history is not complete').count()).toBe(0)
  expect(asked.filter(url => url.includes(token))).toEqual([])
  expect(await page.locator('a, button, input').count()).toBe(0)
  // that results wait is said of the whole installation, which other tests use too
  await page.route('**/dashboard/stats', async route => {
    const response = await route.fetch()
    const { data } = await response.json()
    await route.fulfill({ response, json: { data: { ...data, history_waits_since: '2026-11-01T12:00:00Z' } } })
  })
  await page.reload()
  await page.getByText('The history is not complete: results since').waitFor()
  await page.unroute('**/dashboard/stats')
  await owner.delete(`/api-keys/${body.data.id}`)
  await page.reload()
  await page.getByText(/The token was refused/).waitFor()
  expect(faults).toEqual([])
  await page.goto(`${app.baseUrl}/app/wall#nonsense`)
  await page.getByText('monitors:read and incidents:read alone').waitFor()
  await context.close()
})
