import type { Browser, BrowserContext, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { milliseconds } from '#contract/figures.ts'
import { aMonitor } from '#test/control-plane/monitoring/monitored.ts'
import { app, type CallerUnderTest, given } from '#test/support/app.ts'
import { violationsOf } from '#test/support/axe.ts'
import { inBrowser } from '#test/support/browser-session.ts'
import { openBrowser } from '#test/support/chromium.ts'
import { withResults } from './seed.ts'

let browser: Browser
let context: BrowserContext
let page: Page
let owner: CallerUnderTest
let calls: string[]
let complaints: string[]

beforeAll(async () => {
  browser = await openBrowser()
}, 60_000)
afterAll(() => browser?.close())

beforeEach(async () => {
  owner = await given.tenant()
  const session = await inBrowser(owner)
  const [name = '', value = ''] = session.cookie.split('=')
  context = await browser.newContext({ extraHTTPHeaders: { 'X-Forwarded-For': owner.ip }, locale: 'en-GB' })
  await context.addCookies([{ name, value, url: app.baseUrl }])
  page = await context.newPage()
  calls = []
  complaints = []
  page.on('request', request => {
    const { pathname } = new URL(request.url())
    if (pathname.startsWith('/api/')) calls.push(`${request.method()} ${pathname.replace('/api/v1', '')}`)
    if (!request.url().startsWith(app.baseUrl)) complaints.push(`asked ${request.url()}`)
  })
  page.on('pageerror', error => complaints.push(String(error)))
  page.on('console', message => {
    // a refusal of the API is shown at its field: that the browser logs it, too, is no fault
    if (message.type() === 'error' && !message.text().includes('Failed to load resource'))
      complaints.push(message.text())
  })
})
afterEach(async () => {
  await context.close()
  expect(complaints).toEqual([])
})

const open = (path: string) => page.goto(app.baseUrl + path)
/** Opens the list, and waits until changes come to it as they happen. */
async function watchList(): Promise<void> {
  const streamed = page.waitForResponse(response => response.url().includes('/stream'))
  await open('/app/monitors')
  await streamed
}
const shownNames = () => page.locator('.monitors tbody th a').allTextContents()

test('a person filters the list, adds a monitor, pauses it, corrects a refused change and deletes it', async () => {
  const shop = await aMonitor(owner, { name: 'Shop', tags: ['eu'] })
  await withResults(owner, shop, 'down')
  await aMonitor(owner, { name: 'Blog', url: 'https://blog.example/' })
  await open('/app/monitors')
  await page.getByRole('link', { name: 'Blog' }).waitFor()
  await page.keyboard.press('/')
  await page.keyboard.type('sho')
  await page.waitForURL(/search=sho/)
  await page.getByText('1 monitor', { exact: true }).waitFor()
  expect(await page.getByRole('link', { name: 'Blog' }).count()).toBe(0)
  await page.reload()
  await page.getByRole('link', { name: 'Shop' }).waitFor()
  expect(await page.getByRole('searchbox').inputValue()).toBe('sho')

  await page.getByRole('link', { name: 'New monitor' }).click()
  await page.getByLabel('What do you want to monitor?').fill('www.bakery.example')
  expect(await page.getByLabel('Name').inputValue()).toBe('bakery.example')
  expect(await page.getByRole('checkbox', { name: 'Certificate' }).isChecked()).toBe(true)
  await page.getByRole('button', { name: 'Watch it' }).click()
  await page.getByRole('heading', { name: 'bakery.example', level: 1 }).waitFor()
  const { body } = await owner.get('/monitors?search=bakery')
  const [created] = body.data
  expect(created).toMatchObject({ url: 'https://www.bakery.example', type: 'website', check_interval: 60 })
  expect(created.checks.map(({ type }: { type: string }) => type)).toEqual(['uptime', 'ssl', 'domain_expiry'])
  await page.getByText('The first results are on their way').waitFor()
  await withResults(owner, { id: created.id, check: created.checks[0].id })
  await page.getByRole('img', { name: /Response time/ }).waitFor()

  await page.getByRole('button', { name: 'Pause' }).click()
  await page.getByRole('button', { name: 'Resume' }).waitFor()
  expect((await owner.get(`/monitors/${created.id}`)).body.data.is_enabled).toBe(false)

  await page.getByRole('main').getByRole('link', { name: 'Settings' }).click()
  const address = page.getByLabel('Address')
  await address.fill('ftp://bakery.example')
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByText('The URL must start with http:// or https://.').waitFor()
  expect(await address.getAttribute('aria-invalid')).toBe('true')
  await address.fill('https://bakery.example')
  await page.getByRole('button', { name: 'Save' }).click()
  await expect
    .poll(async () => (await owner.get(`/monitors/${created.id}`)).body.data.url)
    .toBe('https://bakery.example')

  await page.getByRole('link', { name: 'Activity' }).click()
  await page.getByRole('rowheader', { name: 'url' }).waitFor()

  await page.getByRole('main').getByRole('link', { name: 'Settings' }).click()
  await page.getByRole('button', { name: 'Delete the monitor' }).click()
  const remove = page.getByRole('alertdialog').getByRole('button', { name: 'Delete' })
  await page.getByRole('alertdialog').getByRole('textbox').fill('bakery.example')
  await remove.click()
  await page.waitForURL(url => url.pathname === '/app/monitors')
  expect((await owner.get(`/monitors/${created.id}`)).status).toBe(404)
})

test('settings and checks name the same interval after a downgrade, and which one is stored', async () => {
  const shop = await aMonitor(owner, { name: 'Shop' })
  await app.services.platform.query(`update tenants set plan = 'free' where id = $1`, [owner.tenantId])
  await open(`/app/monitors/${shop.id}/checks`)
  await page.getByText('Every 5 minutes').first().waitFor()
  await page.getByRole('main').getByRole('link', { name: 'Settings' }).click()
  await page.getByRole('button', { name: /^Every 5 minutes/ }).waitFor()
  await page.getByText('“Every minute” is set.').waitFor()

  await page.getByLabel('Name').fill('Store')
  await page.getByRole('button', { name: 'Save' }).click()
  const stored = async () => (await owner.get(`/monitors/${shop.id}`)).body.data
  await expect.poll(stored).toMatchObject({ name: 'Store', check_interval: 60, effective_interval: 300 })
})

test('a list of fifty needs one call for its rows, one for figures, one for bars and one for lines', async () => {
  for (let n = 0; n < 55; n++) await aMonitor(owner, { name: `Site ${String(n).padStart(2, '0')}` })
  await open('/app/monitors')
  await page.getByRole('link', { name: 'Site 49' }).waitFor()
  // a stream that opens late has the list read again
  const own = () => [...new Set(calls.filter(call => /\/(monitors|checks)/.test(call)))].toSorted()
  await expect.poll(() => own().length).toBe(4)
  expect(own()).toEqual([
    'GET /monitors',
    'POST /checks/timeseries-batch',
    'POST /monitors/stats-batch',
    'POST /monitors/uptime-batch',
  ])
  await page.locator('.pager button').last().click()
  await page.getByRole('link', { name: 'Site 54' }).waitFor()
  expect(new URL(page.url()).searchParams.get('page')).toBe('2')
})

test('the worst come first, a row that changes stays in its place, and another order is in the address', async () => {
  const { platform } = app.services
  const alpha = await aMonitor(owner, { name: 'Alpha' })
  const bravo = await aMonitor(owner, { name: 'Bravo' })
  const charlie = await aMonitor(owner, { name: 'Charlie' })
  await withResults(owner, alpha)
  await withResults(owner, charlie, 'down')
  await owner.patch(`/monitors/${bravo.id}`, { is_enabled: false })
  const choose = async (field: string, choice: string) => {
    await page.getByRole('button', { name: field }).click()
    await page.getByRole('option', { name: choice }).click()
  }
  await watchList()
  await page.getByRole('link', { name: 'Alpha' }).waitFor()
  expect(await shownNames()).toEqual(['Charlie', 'Alpha', 'Bravo'])
  // an outage in the middle of the list marks its row, which stays where it is
  await platform.query(`update monitors set status = 'down', status_changed_at = now() where id = $1`, [alpha.id])
  await page.getByRole('row', { name: /Alpha/ }).getByText('Down').waitFor()
  expect(await shownNames()).toEqual(['Charlie', 'Alpha', 'Bravo'])

  await choose('Order', 'Name')
  await page.waitForURL(/\?sort=name$/)
  await expect.poll(shownNames).toEqual(['Alpha', 'Bravo', 'Charlie'])
  await page.reload()
  await expect.poll(shownNames).toEqual(['Alpha', 'Bravo', 'Charlie'])
  await choose('Status', 'Paused')
  await page.waitForURL(url => url.searchParams.get('sort') === 'name' && url.searchParams.get('status') === 'paused')
  await expect.poll(shownNames).toEqual(['Bravo'])
  await page.getByRole('button', { name: 'Clear the filters' }).click()
  await page.waitForURL(/\?sort=name$/)
  await choose('Order', 'Worst first')
  await page.waitForURL(url => url.search === '')
  await expect.poll(shownNames).toEqual(['Alpha', 'Charlie', 'Bravo'])
})

test('a new order is shown when the person asks for it', async () => {
  const { platform } = app.services
  const down = (id: string) =>
    platform.query(`update monitors set status = 'down', status_changed_at = now() where id = $1`, [id])
  await down((await aMonitor(owner, { name: 'Alpha' })).id)
  const bravo = await aMonitor(owner, { name: 'Bravo' })
  await platform.query(`update monitors set status = 'up' where id = $1`, [bravo.id])
  await watchList()
  await expect.poll(shownNames).toEqual(['Alpha', 'Bravo'])
  await platform.query(`update monitors set status = 'up' where tenant_id = $1`, [owner.tenantId])
  await down(bravo.id)
  await page.getByRole('row', { name: /Bravo/ }).getByText('Down').waitFor()
  // what a person does has the list read again
  await page.getByRole('row', { name: /Alpha/ }).getByRole('checkbox').press(' ')
  await page.getByRole('button', { name: 'Pause' }).click()
  const show = page.getByRole('button', { name: 'Show the new order' })
  await show.waitFor()
  expect(await shownNames()).toEqual(['Alpha', 'Bravo'])
  await show.click()
  expect(await shownNames()).toEqual(['Bravo', 'Alpha'])
  await show.waitFor({ state: 'detached' })
})

test('each row has the response times of a day as a line with what one run in twenty exceeds', async () => {
  const shop = await aMonitor(owner, { name: 'Shop' })
  await withResults(owner, shop)
  await aMonitor(owner, { name: 'Silent' })
  await open('/app/monitors')
  const row = page.getByRole('row', { name: /Shop/ })
  await row.getByRole('img', { name: 'Mean response times of Shop over the last 24 hours, by hour' }).waitFor()
  const { body } = await owner.get(`/monitors/${shop.id}/performance`)
  expect(await row.locator('.recent').textContent()).toBe(milliseconds(body.data.p95_ms, 'en'))
  expect(await row.locator('.sparkline path').getAttribute('d')).toMatch(/^M[\d.]+,[\d.]+(L[\d.]+,[\d.]+){20,}/)
  expect(
    await page
      .getByRole('row', { name: /Silent/ })
      .locator('.recent')
      .textContent(),
  ).toBe('–')
})

test('a person makes the rows narrower, and finds them so in the next list', async () => {
  await aMonitor(owner, { name: 'Shop' })
  await open('/app/monitors')
  const height = async () => (await page.getByRole('row', { name: /Shop/ }).boundingBox())?.height ?? 0
  await page.getByRole('link', { name: 'Shop' }).waitFor()
  const comfortable = await height()
  await page.getByRole('button', { name: 'Density' }).click()
  await page.getByRole('option', { name: 'Compact' }).click()
  await expect.poll(height).toBeLessThan(comfortable)
  expect((await owner.get('/profile')).body.data.preferences.density).toBe('compact')
})

test('selected monitors are tagged, paused and deleted together', async () => {
  const first = await aMonitor(owner, { name: 'First', tags: ['old'] })
  await aMonitor(owner, { name: 'Second' })
  const third = await aMonitor(owner, { name: 'Third' })
  await open('/app/monitors')
  await page.getByRole('row', { name: /First/ }).getByRole('checkbox').press(' ')
  await page
    .getByRole('row', { name: /Second/ })
    .getByRole('checkbox')
    .press(' ')
  await page.getByText('2 selected').waitFor()
  await page.getByRole('button', { name: 'Add a tag' }).click()
  await page.getByRole('dialog').getByRole('textbox').fill('new')
  await page.keyboard.press('Enter')
  await expect.poll(async () => (await owner.get(`/monitors/${first.id}`)).body.data.tags).toEqual(['old', 'new'])
  const isAnswered = Promise.withResolvers<void>()
  await page.route('**/api/v1/monitors/bulk', async route => {
    await isAnswered.promise
    await route.continue()
  })
  await page.getByRole('button', { name: 'Pause' }).click()
  // ticked while the others are being paused: it stays selected
  await page.getByRole('row', { name: /Third/ }).getByRole('checkbox').press(' ')
  await page.getByText('3 selected').waitFor()
  isAnswered.resolve()
  await page.getByText('1 selected').waitFor()
  expect((await owner.get('/monitors?is_enabled=false')).body.meta.total).toBe(2)
  await page.getByRole('toolbar').getByRole('button', { name: 'Delete' }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Delete 1 monitor' }).click()
  await expect.poll(async () => (await owner.get(`/monitors/${third.id}`)).status).toBe(404)
  expect((await owner.get('/monitors')).body.meta.total).toBe(2)
})

test('selected monitors get regions, and a channel for their incidents, by the keyboard alone', async () => {
  const first = await aMonitor(owner, { name: 'First' })
  const second = await aMonitor(owner, { name: 'Second' })
  await owner.post('/cron-monitors', { name: 'Third', schedule: '0 2 * * *' })
  const config = { url: 'https://chat.example.com/hook' }
  const ids: string[] = []
  for (const name of ['Shop team', 'Night team'])
    ids.push(
      (await owner.post('/notification-channels', { name, type: 'webhook', config, notify_all: false })).body.data.id,
    )
  await open('/app/monitors')
  const tick = (name: string) =>
    page
      .getByRole('row', { name: new RegExp(name) })
      .getByRole('checkbox')
      .press(' ')
  const press = (name: string) => page.getByRole('button', { name, exact: true }).press('Enter')
  const dialog = page.getByRole('dialog')
  await tick('First')
  await tick('Second')
  await tick('Third')
  await press('Regions')
  await dialog.getByText('They replace the regions of 2 monitors.').waitFor()
  expect(await violationsOf(page)).toEqual([])
  await dialog.getByRole('checkbox', { name: 'us-east' }).press(' ')
  await dialog.getByRole('checkbox', { name: 'ap-south' }).press(' ')
  await page.keyboard.press('Enter')
  await dialog.waitFor({ state: 'detached' })
  for (const { id } of [first, second])
    expect((await owner.get(`/monitors/${id}`)).body.data.regions.toSorted()).toEqual(['ap-south', 'us-east'])

  // what the plan does not allow is said at the field
  await app.services.platform.query(
    `update tenants set feature_overrides = '{"regions_per_monitor": 2}' where id = $1`,
    [owner.tenantId],
  )
  await press('Regions')
  await dialog.getByRole('checkbox', { name: 'eu-west' }).press(' ')
  await page.keyboard.press('Enter')
  await dialog.getByText('The plan allows 2 regions a monitor.').first().waitFor()
  await page.keyboard.press('Escape')

  await press('Notify a channel')
  await dialog.getByText(/of these 3 monitors begins/).waitFor()
  expect(await violationsOf(page)).toEqual([])
  await dialog.getByRole('button', { name: 'Notify a channel' }).press('Enter')
  await page.getByText('Shop team gets the incidents of the selected monitors').waitFor()
  const all = (await owner.get('/monitors')).body.data.map(({ id }: { id: string }) => id).toSorted()
  const rules = async () => (await owner.get('/notification-rules')).body.data
  const [rule] = await rules()
  expect(rule).toMatchObject({ channel_id: ids[0], event_types: ['incident.created', 'incident.resolved'] })
  expect(rule.monitor_filter.monitor_ids.toSorted()).toEqual(all)

  // others join the rule that the channel has; another channel gets a rule of its own
  await owner.patch(`/notification-rules/${rule.id}`, {
    monitor_filter: { monitor_ids: [second.id], tags: [], types: [] },
  })
  await tick('Second')
  await tick('Third')
  await press('Notify a channel')
  await dialog.getByText(/of 1 monitor begins/).waitFor()
  await dialog.getByRole('button', { name: 'Notify a channel' }).press('Enter')
  await expect
    .poll(async () => (await rules()).map((each: { monitor_filter: unknown }) => each.monitor_filter))
    .toEqual([{ monitor_ids: [second.id, first.id], tags: [], types: [] }])
  await dialog.waitFor({ state: 'detached' })
  await press('Notify a channel')
  await dialog.getByRole('button', { name: /Channel/ }).press('Enter')
  await page.getByRole('option', { name: 'Night team' }).press('Enter')
  await dialog.getByRole('button', { name: 'Notify a channel' }).press('Enter')
  await expect.poll(async () => (await rules()).length).toBe(2)
  expect((await rules())[1]).toMatchObject({ channel_id: ids[1], monitor_filter: { monitor_ids: [first.id] } })

  // they leave the rules that name them; a rule that names no other is deleted
  for (const [name, left] of [
    ['Shop team', [{ channel_id: ids[0], monitor_filter: { monitor_ids: [second.id] } }, { channel_id: ids[1] }]],
    ['Night team', [{ channel_id: ids[0] }]],
  ] as const) {
    await dialog.waitFor({ state: 'detached' })
    await press('Notify a channel')
    await dialog.getByRole('radio', { name: 'No longer notify' }).press(' ')
    await dialog.getByText(/gets no message of 1 monitor/).waitFor()
    await dialog.getByRole('button', { name: /Channel/ }).press('Enter')
    await page.getByRole('option', { name }).press('Enter')
    expect(await violationsOf(page)).toEqual([])
    await dialog.getByRole('button', { name: 'No longer notify' }).press('Enter')
    await page.getByText(`notifies ${name} any more`).waitFor()
    expect(await rules()).toMatchObject(left)
  }
})

test('other settings are compared with what was, and used', async () => {
  const shop = await aMonitor(owner, { name: 'Shop' })
  await withResults(owner, shop)
  await open(`/app/monitors/${shop.id}/what-if`)
  const slider = page.getByRole('slider', { name: /Failures in a row/ })
  await slider.focus()
  await page.keyboard.press('ArrowRight')
  await page.getByRole('button', { name: 'Compare' }).click()
  await page.getByRole('columnheader', { name: 'Would have been' }).waitFor()
  // 288 runs in each of three regions
  await page.getByText('864 results judged').waitFor()
  await page.getByRole('button', { name: 'Use these settings' }).click()
  await page.getByText('The monitor has these settings now').waitFor()
  expect((await owner.get(`/monitors/${shop.id}`)).body.data.confirmations).toBe(3)
})
