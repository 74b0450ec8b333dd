import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { NewMonitor } from '#control-plane/monitoring/monitors/input.ts'
import { aPerson } from '#test/control-plane/identity/people.ts'
import { aMonitor } from '#test/control-plane/monitoring/monitored.ts'
import { app, given } from '#test/support/app.ts'
import { openBrowser } from '#test/support/chromium.ts'
import { Keyboard } from '#test/support/keyboard.ts'
import { AppPage } from '#test/support/web.ts'

const { platform } = app.services

let browser: Browser
beforeAll(async () => {
  browser = await openBrowser()
}, 60_000)
afterAll(() => browser?.close())

test('a person goes about by the keyboard alone, and signs out', async () => {
  const person = await given.tenant()
  const shop = await aMonitor(person, { name: 'Shop' })
  const opened = await AppPage.open(browser, person, '/app')
  const { page } = opened
  const { keyboard } = page
  const keys = new Keyboard(page)
  // what opens has the focus a moment after it is there: keys that are pressed before go elsewhere
  const search = page.getByRole('searchbox', { name: 'Page or monitor' })
  const found = (name: string | RegExp) =>
    page.getByRole('menuitem', { name }).and(page.locator('[data-focused]')).waitFor()
  await keyboard.press('?')
  await page.getByRole('dialog', { name: 'Keyboard shortcuts' }).and(page.locator(':focus-within')).waitFor()
  await opened.examine('shell-shortcuts')
  await keyboard.press('Escape')
  await page.getByRole('dialog').waitFor({ state: 'detached' })

  await keyboard.press('Control+k')
  await keys.focused(search)
  await keyboard.type('sho')
  await page.getByRole('menuitem', { name: /Shop/ }).waitFor()
  await opened.examine('shell-palette')
  await keyboard.press('ArrowDown')
  await found(/Shop/)
  await keyboard.press('Enter')
  await page.waitForURL(`${app.baseUrl}/app/monitors/${shop.id}`)
  // the page has no search of its own
  await page.getByRole('heading', { name: 'Shop', level: 1 }).waitFor()
  await page.getByRole('dialog').waitFor({ state: 'detached' })
  await keyboard.press('/')
  await keys.focused(search)
  await keyboard.type('monitors')
  // until the answer is here the list still has what the letters before found, and an arrow leads to that
  await expect.poll(() => page.getByRole('menuitem').allTextContents()).toEqual(['Monitors '])
  await keyboard.press('ArrowDown')
  await found('Monitors')
  await keyboard.press('Enter')
  await page.waitForURL(`${app.baseUrl}/app/monitors`)
  await page.getByRole('dialog').waitFor({ state: 'detached' })
  // until the page is here, `/` searches everywhere
  const searchOfList = page.getByRole('main').getByRole('searchbox')
  await searchOfList.waitFor()
  await keyboard.press('/')
  await keys.focused(searchOfList)

  const account = page.getByRole('button', { name: 'Pat Person' })
  await account.focus()
  await keyboard.press('Enter')
  await page.getByRole('menuitem', { name: 'Sign out' }).waitFor()
  await opened.examine('shell-account')
  await keyboard.press('End')
  await keyboard.press('Enter')
  await page.waitForURL(/\/login$/)
  await page.goto(`${app.baseUrl}/app`)
  expect(new URL(page.url()).pathname).toBe('/login')
  await opened.close()
})

test('the calls of a page are copied as curl, with what a form would send and without a secret', async () => {
  const person = await given.tenant()
  const shop = await aMonitor(person, { name: "Shop's" })
  const opened = await AppPage.open(browser, person, `/app/monitors/${shop.id}/settings`)
  const { page } = opened
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
  const copied = () => page.evaluate('navigator.clipboard.readText()') as Promise<string>
  await page.getByLabel('Name').fill("Baker's")
  await page.getByRole('button', { name: 'Copy as curl' }).click()
  await expect.poll(copied).toContain(`curl -X PATCH '${app.baseUrl}/api/v1/monitors/${shop.id}'`)
  expect(await copied()).toContain(`-H "Authorization: Bearer $TOKEN"`)
  expect(await copied()).toContain(String.raw`-d '{"name":"Baker'\''s"}'`)
  await page.getByRole('button', { name: 'API calls of this page' }).click()
  await page.getByRole('button', { name: `Copy: GET /api/v1/monitors/${shop.id}`, exact: true }).click()
  await expect.poll(copied).toContain(`curl '${app.baseUrl}/api/v1/monitors/${shop.id}'`)
  await opened.examine('shell-calls')
  await opened.close()
})

test('a monitor is copied as YAML with all that creates it', async () => {
  const person = await given.tenant()
  const shop = await aMonitor(person, { name: "Shop: 'on' # 1", tags: ['eu', 'no'] })
  await person.patch(`/monitors/${shop.id}`, { notes: 'two\nlines "quoted"' })
  const opened = await AppPage.open(browser, person, `/app/monitors/${shop.id}`)
  const { page } = opened
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
  await page.getByRole('button', { name: 'Copy as YAML' }).click()
  await page.getByRole('button', { name: 'Copied' }).waitFor()
  const text = (await page.evaluate('navigator.clipboard.readText()')) as string
  const lines = text.split('\n')
  for (const line of [
    `name: "Shop: 'on' # 1"`,
    'type: website',
    'tags:',
    '  - eu',
    // without quotes some readers take it for false
    '  - "no"',
    String.raw`notes: "two\nlines \"quoted\""`,
    'group: null',
    'depends_on: []',
    'region_policy:',
    '  mode: majority',
    'checks:',
    '  - type: uptime',
    '    settings: {}',
  ])
    expect(lines).toContain(line)
  const fields = lines.map(line => line.split(':')[0])
  expect(fields).toEqual(expect.arrayContaining(Object.keys(NewMonitor.shape)))
  await opened.close()
})

test('a monitor, a job and a server are duplicated by a button, which leads to the copy', async () => {
  const person = await given.tenant()
  const shop = await aMonitor(person, { name: 'Shop', tags: ['eu'] })
  const job = (await person.post('/cron-monitors', { name: 'Nightly', period_minutes: 60 })).body.data
  const server = (await person.post('/agent-monitors', { name: 'web-1' })).body.data
  for (const [path, name] of [
    [`/app/monitors/${shop.id}`, 'Shop'],
    [`/app/heartbeats/${job.id}`, 'Nightly'],
    [`/app/servers/${server.id}`, 'web-1'],
  ] as const) {
    const opened = await AppPage.open(browser, person, path)
    const { page } = opened
    await page.getByRole('button', { name: 'Duplicate' }).click()
    await page.getByRole('heading', { name: `${name} (copy)`, level: 1 }).waitFor()
    expect(page.url()).not.toContain(path)
    await opened.close()
  }
  const names = (await person.get('/monitors?per_page=50')).body.data.map(({ name }: { name: string }) => name)
  expect(names).toEqual(expect.arrayContaining(['Shop (copy)', 'Nightly (copy)', 'web-1 (copy)']))
})

test('what the plan lacks is absent, or offered where the reseller wishes it', async () => {
  const reseller = await given.reseller()
  const team = await given.team(reseller)
  const owner = team
  await platform.query(`update tenants set plan = 'free', feature_overrides = '{"custom_smtp": false}' where id = $1`, [
    team.tenantId,
  ])
  const opened = await AppPage.open(browser, owner, '/app/settings/smtp')
  const { page } = opened
  await page.locator('.card').waitFor()
  expect(await page.getByLabel('Server').count()).toBe(0)
  expect(await page.locator('.offer').count()).toBe(0)
  await reseller.patch('/branding', { upsell_mode: 'subtle' })
  await opened.go('/app/settings/smtp')
  await page
    .locator('.offer')
    .getByText(/part of the plan/)
    .waitFor()
  await opened.examine('shell-offer')
  await opened.close()
})

test('theme and density are shown at once and kept for the person, whichever browser they use', async () => {
  const person = await aPerson()
  const opened = await AppPage.open(browser, person, '/app/settings')
  const { page } = opened
  const shown = () => page.evaluate('({ ...document.documentElement.dataset })')
  await expect.poll(shown).toEqual({ density: 'comfortable' })
  await page.getByRole('button', { name: /Theme/ }).click()
  await page.getByRole('option', { name: 'Dark' }).click()
  await expect.poll(shown).toEqual({ density: 'comfortable', theme: 'dark' })
  await page.getByRole('button', { name: /Density/ }).click()
  await page.getByRole('option', { name: 'Compact' }).click()
  await expect.poll(shown).toEqual({ density: 'compact', theme: 'dark' })
  await opened.examine('shell-dark')
  await opened.close()
  const other = await AppPage.open(browser, person, '/app/monitors')
  await expect
    .poll(() => other.page.evaluate('({ ...document.documentElement.dataset })'))
    .toEqual({ density: 'compact', theme: 'dark' })
  await other.close()
})

test('a first visit takes language and zone of the browser, and a choice of the person stays', async () => {
  const person = await given.tenant()
  const opened = await AppPage.open(browser, person, '/app', { locale: 'de-DE' })
  await opened.page.getByRole('link', { name: 'Übersicht', exact: true }).waitFor()
  await expect.poll(async () => (await person.get('/profile')).body.data.language).toBe('de')
  await person.patch('/profile', { language: 'en' })
  await opened.go('/app/monitors')
  await opened.page.getByRole('link', { name: 'Overview', exact: true }).waitFor()
  expect((await person.get('/profile')).body.data.language).toBe('en')
  await opened.close()
})

test('on a narrow phone the navigation is a menu, in the language of the person and the brand of the team', async () => {
  const person = await given.tenant()
  await person.patch('/profile', { language: 'de' })
  // a colour that is read on neither ground
  await person.patch('/branding', { brand_name: 'Bakery Blume', primary_color: '#f5d90a' })
  await aMonitor(person, { name: 'Shop' })
  const opened = await AppPage.open(browser, person, '/app/monitors', {
    ...{ colorScheme: 'dark', locale: 'de-DE', width: 320 },
  })
  const { page } = opened
  await page.getByRole('link', { name: /Bakery Blume/ }).waitFor()
  await page.getByRole('link', { name: 'Shop' }).waitFor()
  expect(await page.content()).not.toMatch(/>Vedette</)
  await opened.examine('shell-narrow')
  const menu = page.getByRole('button', { name: 'Menü' })
  expect(await page.getByRole('link', { name: 'Team' }).isVisible()).toBe(false)
  await menu.click()
  await page.getByRole('link', { name: 'Team' }).waitFor()
  await opened.examine('shell-menu')
  await page.getByRole('link', { name: 'Team' }).click()
  await page.waitForURL(/\/app\/team/)
  expect(await page.getByRole('link', { name: 'Übersicht', exact: true }).isVisible()).toBe(false)
  await menu.click()
  await page.keyboard.press('Escape')
  expect(await page.getByRole('link', { name: 'Übersicht', exact: true }).isVisible()).toBe(false)
  await opened.close()
})

test('a person of two teams switches between them, in all tabs', async () => {
  const person = await given.tenant()
  const other = await given.tenant()
  const { rows } = await platform.query('select name from tenants where id = $1', [other.tenantId])
  await platform.query(`insert into memberships (user_id, tenant_id, role) values ($1, $2, 'viewer')`, [
    person.userId,
    other.tenantId,
  ])
  await aMonitor(person, { name: 'Shop' })
  const opened = await AppPage.open(browser, person, '/app/monitors')
  const { page } = opened
  await page.getByRole('link', { name: 'Shop' }).waitFor()
  const second = await page.context().newPage()
  await second.goto(`${app.baseUrl}/app/monitors`)
  await second.getByRole('link', { name: 'Shop' }).waitFor()
  await page.getByRole('button', { name: /^Team:/ }).focus()
  await page.keyboard.press('Enter')
  await page.getByRole('menuitem', { name: rows[0].name }).waitFor()
  await opened.examine('shell-teams')
  await page.getByRole('menuitem', { name: rows[0].name }).click()
  await page.waitForURL(`${app.baseUrl}/app`)
  await page.getByRole('button', { name: `Team: ${rows[0].name}` }).waitFor()
  await second.waitForURL(`${app.baseUrl}/app`)
  await opened.go('/app/monitors')
  expect(await page.getByRole('link', { name: 'Shop' }).count()).toBe(0)
  await opened.close()
})

test('every page says that the team is paused, since when and why, and what the plan holds', async () => {
  const reseller = await given.reseller()
  const team = await given.team(reseller, { plan: 'pro' })
  for (const name of ['Shop', 'Blog']) await aMonitor(team, { name })
  const opened = await AppPage.open(browser, team, '/app')
  const { page } = opened
  await page.getByRole('heading', { level: 1 }).waitFor()
  expect(await page.getByText('Your team is paused').count()).toBe(0)
  await reseller.post(`${team.path}/pause`, { reason: 'Invoice 4711 unpaid' })
  for (const path of ['/app', '/app/monitors/new', '/app/settings/plan']) {
    await opened.go(path)
    await page.getByRole('status').filter({ hasText: 'Your team is paused since' }).waitFor()
    await page.getByText('Reason: Invoice 4711 unpaid').waitFor()
  }
  await opened.examine('shell-paused')
  await reseller.post(`${team.path}/unpause`)
  await reseller.call('PUT', `${team.path}/feature-overrides`, { overrides: { monitors: 1 } })
  await opened.go('/app')
  await page.getByText('1 monitor is beyond the plan: it is on hold and not checked.').waitFor()
  await page.getByRole('link', { name: 'See the plan' }).click()
  await page.waitForURL(/\/app\/settings\/plan/)
  await opened.close()
})
