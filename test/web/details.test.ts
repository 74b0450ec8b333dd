import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { unlimited } from '#contract/plans.ts'
import { aMonitor, minutesAgo, storeResults, verdicts } from '#test/control-plane/monitoring/monitored.ts'
import { app, given } from '#test/support/app.ts'
import { openBrowser } from '#test/support/chromium.ts'
import { AppPage } from '#test/support/web.ts'
import { anOutage } from './outage.ts'

let browser: Browser
beforeAll(async () => {
  browser = await openBrowser()
}, 60_000)
afterAll(() => browser?.close())

const { platform } = app.services

test('the figures of the overview add up, and each leads to the monitors that it counts', async () => {
  const owner = await given.tenant()
  for (const [name, status, isEnabled] of [
    ['Well', 'up', true],
    ['Slow', 'warning', true],
    ['Late', 'warning', true],
    ['New', null, true],
    ['Resting', 'up', false],
  ] as const)
    await aMonitor(owner, { name, status, isEnabled })
  const opened = await AppPage.open(browser, owner, '/app')
  const { page } = opened
  await page.getByRole('heading', { level: 1, name: '2 warnings' }).waitFor()
  const counts = await page.getByRole('list', { name: 'Monitors by status' }).getByRole('listitem').allInnerTexts()
  expect(counts).toEqual(['2 with a warning', '1 up', '1 paused', '1 without a current result'])
  expect(counts.reduce((sum, text) => sum + Number.parseInt(text, 10), 0)).toBe(5)
  // nothing on the page says that all is well
  expect(await page.locator('.well').count()).toBe(0)
  await page.getByText('2 monitors are down or have a warning without an incident.').waitFor()
  await opened.examine('overview-warnings')

  await page.getByRole('heading', { level: 1 }).getByRole('link', { name: '2 warnings' }).click()
  await page.getByRole('link', { name: 'Slow' }).waitFor()
  expect(await page.getByRole('rowheader').count()).toBe(2)
  await page.goBack()
  await page.getByRole('link', { name: '1 without a current result' }).click()
  await page.getByRole('link', { name: 'New', exact: true }).waitFor()
  expect(await page.getByRole('rowheader').count()).toBe(1)
  await opened.close()
})

test('the lowest uptimes are those of all monitors, and none of them is at 100 %', async () => {
  const owner = await given.tenant()
  const shop = await aMonitor(owner, { name: 'Oldest' })
  await verdicts(owner, shop, [
    [minutesAgo(600), 'up'],
    [minutesAgo(60), 'down'],
    [minutesAgo(30), 'up'],
  ])
  for (let n = 0; n < 6; n++) {
    const other = await aMonitor(owner, { name: `Well ${n}` })
    await verdicts(owner, other, [[minutesAgo(600), 'up']])
  }
  const opened = await AppPage.open(browser, owner, '/app')
  const { page } = opened
  const worst = page.getByRole('table', { name: 'Lowest uptime of 30 days' })
  await worst.getByRole('link', { name: 'Oldest' }).waitFor()
  expect(await worst.getByRole('rowheader').count()).toBe(1)
  expect(await worst.textContent()).not.toContain('100')
  await opened.close()
})

test('the window is named after the page, its area and the brand', async () => {
  const reseller = await given.reseller()
  await reseller.patch('/branding', { brand_name: 'Nordwind' })
  const opened = await AppPage.open(browser, reseller, '/console/webhooks')
  const { page } = opened
  await expect.poll(() => page.title()).toBe('Webhooks · Console · Nordwind')
  await page.getByRole('link', { name: 'Templates' }).click()
  await expect.poll(() => page.title()).toMatch(/^\w+ · Console · Nordwind$/)
  await opened.follow('/app/settings/plan')
  await expect.poll(() => page.title()).toBe('Plan and limits · Settings · Nordwind')
  await opened.follow('/app/monitors')
  await expect.poll(() => page.title()).toBe('Monitors · Nordwind')
  await opened.close()
})

test('who has acknowledged an incident stands in its status, no longer in the colour of an alarm', async () => {
  const owner = await given.tenant()
  const { incident } = await anOutage(owner)
  const opened = await AppPage.open(browser, owner, `/app/incidents/${incident}`)
  const { page } = opened
  await page.getByRole('button', { name: 'Acknowledge' }).click()
  const pill = page.locator('.page-head .pill')
  await pill.getByText('Acknowledged by Pat Person').waitFor()
  expect(await pill.getAttribute('class')).toBe('pill warning')
  await page
    .getByText(/is yours/)
    .first()
    .waitFor()
  await opened.follow('/app/incidents')
  await page.getByRole('cell', { name: 'Acknowledged', exact: true }).waitFor()
  await opened.close()
})

test('the timeline begins with the first failure, whatever the clocks of the regions say', async () => {
  const owner = await given.tenant()
  const { incident } = await anOutage(owner)
  await platform.query(
    `update incidents set quorum = jsonb_set(quorum, array['regions', (quorum -> 'failed' ->> 0), 'at'],
       to_jsonb(to_char(started_at - interval '2 seconds', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'))) where id = $1`,
    [incident],
  )
  const opened = await AppPage.open(browser, owner, `/app/incidents/${incident}`)
  const rows = opened.page.locator('.timeline li')
  await rows.first().waitFor()
  expect(await rows.first().textContent()).toMatch(/first failure/i)
  const offsets = await rows.locator('small').allInnerTexts()
  expect(offsets.slice(1).filter(text => !/^\+\d/.test(text))).toEqual([])
  await opened.close()
})

test('the chart of a young monitor begins with it, and shows the last hour by itself', async () => {
  const owner = await given.tenant()
  const shop = await aMonitor(owner, { name: 'Shop' })
  await storeResults(
    owner,
    shop,
    Array.from({ length: 10 }, (_, n) => ({ at: minutesAgo(10 - n), ms: 100 + n })),
  )
  await platform.query(`update monitors set created_at = now() - interval '12 minutes' where id = $1`, [shop.id])
  const opened = await AppPage.open(browser, owner, `/app/monitors/${shop.id}`)
  const { page } = opened
  expect(await page.getByRole('radio', { name: '1 hour' }).isChecked()).toBe(true)
  await opened.close()
})

test('the choices of the palette are one line each, and paper has no navigation', async () => {
  const owner = await given.tenant()
  await aMonitor(owner, { name: 'Shop' })
  const opened = await AppPage.open(browser, owner, '/app/monitors')
  const { page } = opened
  await page.getByRole('button', { name: 'Go to …' }).click()
  const first = page.getByRole('menuitem').first()
  await first.waitFor()
  expect((await first.boundingBox())?.height).toBeLessThanOrEqual(40)
  await page.keyboard.press('Escape')
  await page.emulateMedia({ media: 'print' })
  expect(await page.getByRole('navigation', { name: 'Areas' }).count()).toBe(0)
  expect(await page.getByRole('link', { name: 'New monitor' }).isVisible()).toBe(false)
  expect(await page.getByRole('link', { name: 'Shop' }).isVisible()).toBe(true)
  await opened.close()
})

test('monitors are filtered by their group, from its name in the list', async () => {
  const owner = await given.tenant()
  await aMonitor(owner, { name: 'Alone' })
  const { id } = await aMonitor(owner, { name: 'Shop' })
  await owner.patch(`/monitors/${id}`, { group: 'Public' })
  const opened = await AppPage.open(browser, owner, '/app/monitors')
  const { page } = opened
  await page.getByRole('link', { name: 'Public', exact: true }).click()
  await page.waitForURL(/group=Public/)
  await expect.poll(() => page.getByRole('rowheader').count()).toBe(1)
  await page.getByRole('button', { name: /Every group|Public/ }).waitFor()
  await opened.close()
})

test('the German list has all its filters in one line on a usual screen', async () => {
  const owner = await given.tenant()
  const { id } = await aMonitor(owner, { name: 'Laden', tags: ['eu'] })
  await owner.patch(`/monitors/${id}`, { group: 'Öffentlich' })
  await owner.patch('/profile', { language: 'de' })
  const opened = await AppPage.open(browser, owner, '/app/monitors', { locale: 'de-DE' })
  const { page } = opened
  await page.getByRole('link', { name: 'Laden' }).waitFor()
  const ends = await page.evaluate<number[]>(
    `[...document.querySelectorAll('.filters > .field')].map(each => Math.round(each.getBoundingClientRect().bottom))`,
  )
  expect(ends.length).toBe(6)
  expect(new Set(ends).size, String(ends)).toBe(1)
  await page.getByRole('link', { name: 'Lebenszeichen' }).waitFor()
  await opened.close()
})

test('a team that no plan binds reads so, and has nothing to pay', async () => {
  const owner = await given.tenant({ plan: 'free', overrides: unlimited })
  const opened = await AppPage.open(browser, owner, '/app/settings/plan')
  const { page } = opened
  await page.getByRole('heading', { name: 'Unlimited' }).waitFor()
  await page
    .getByRole('row', { name: /^Servers/ })
    .getByText('unlimited')
    .waitFor()
  expect(await page.getByRole('link', { name: 'Billing' }).count()).toBe(0)
  await opened.examine('plan-unlimited')
  await opened.close()
})

test('the operator gives a tenant no plan, or another', async () => {
  const operator = await given.operator()
  const tenant = await given.tenant({ plan: 'free' })
  const { rows } = await platform.query('select name from tenants where id = $1', [tenant.tenantId])
  const opened = await AppPage.open(browser, operator, '/ops/tenants')
  const { page } = opened
  await page.getByLabel('Name or short name').fill(rows[0].name)
  const row = page.getByRole('row', { name: new RegExp(rows[0].name) })
  await row.getByText('free').waitFor()
  await row.getByRole('button').click()
  await page.getByRole('menuitem', { name: 'Edit' }).click()
  await page.getByRole('dialog').getByRole('button', { name: /Plan/ }).click()
  await page.getByRole('option', { name: 'Unlimited' }).click()
  await page.getByRole('button', { name: 'Save' }).click()
  await row.getByText('Unlimited').waitFor()
  await opened.close()
})
