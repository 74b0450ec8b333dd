import { randomUUID } from 'node:crypto'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { app, given } from '#test/support/app.ts'
import { openBrowser } from '#test/support/chromium.ts'
import { Keyboard } from '#test/support/keyboard.ts'
import { AppPage } from '#test/support/web.ts'

let browser: Browser
beforeAll(async () => {
  browser = await openBrowser()
}, 60_000)
afterAll(() => browser?.close())

test('a reseller creates a team, steps in below a bar, and leaves it with Esc, by keyboard alone', async () => {
  const reseller = await given.reseller()
  const opened = await AppPage.open(browser, reseller, '/console/teams')
  const { page } = opened
  const keys = new Keyboard(page)
  await keys.press(page.getByRole('button', { name: 'New team' }))
  const slug = `bakery-${randomUUID()}`
  await keys.write(page.getByRole('textbox', { name: 'Name', exact: true }).first(), 'Bakery Blume')
  await keys.write(page.getByLabel('Short name'), slug)
  await keys.press(page.getByRole('button', { name: 'Create' }))
  await page.getByRole('heading', { name: 'Bakery Blume' }).waitFor()
  await opened.examine('console-team')
  await keys.press(page.getByRole('button', { name: 'Act as team' }))
  await page.waitForURL(`${app.baseUrl}/app`)
  const bar = page.getByText(/You act in Bakery Blume as Pat Person/)
  await bar.waitFor()
  expect(await page.getByRole('link', { name: 'Console' }).count()).toBe(0)
  await keys.press(page.getByRole('link', { name: 'Settings' }))
  await keys.press(page.getByRole('link', { name: 'Branding' }))
  await bar.waitFor()
  await keys.write(page.getByLabel('Name of the brand'), 'Blume')
  await keys.press(page.getByRole('button', { name: 'Save' }))
  await page.getByText('Saved.').waitFor()
  await opened.examine('console-stepped-in')
  await page.keyboard.press('Escape')
  await page.keyboard.press('Escape')
  await page.waitForURL(/\/console\/teams\//)
  expect(await bar.count()).toBe(0)
  await keys.press(page.getByRole('link', { name: 'Audit log' }))
  await page.getByRole('row', { name: /branding.updated/ }).waitFor()
  await opened.close()
  const { body } = await reseller.get(`/reseller/managed-teams?search=Bakery`)
  const [team] = body.data
  expect((await reseller.get(`/reseller/managed-teams/${team.id}/branding`)).body.data.brand_name).toBe('Blume')
  expect((await reseller.get('/branding')).body.data.brand_name).toBeNull()
})

test('a reseller labels and pauses several teams at once', async () => {
  const reseller = await given.reseller()
  const [one, other] = [await given.team(reseller), await given.team(reseller)]
  const opened = await AppPage.open(browser, reseller, '/console/teams')
  const { page } = opened
  await page.getByText('All', { exact: true }).first().waitFor()
  const nameOf = async ({ path }: { path: string }) => (await reseller.get(path)).body.data.name as string
  for (const team of [one, other]) await page.getByRole('checkbox', { name: await nameOf(team) }).press('Space')
  await page.getByText('2 teams selected').waitFor()
  await page.getByRole('button', { name: 'Pause', exact: true }).click()
  await page.getByLabel('Reason').fill('unpaid')
  await page.getByRole('dialog').getByRole('button', { name: 'Pause', exact: true }).click()
  await page.getByText('2 teams are changed.').waitFor()
  await opened.close()
  for (const { path } of [one, other])
    expect((await reseller.get(path)).body.data).toMatchObject({ is_paused: true, paused_reason: 'unpaid' })
})

test('the console does not exist for a team without managed teams', async () => {
  const opened = await AppPage.open(browser, await given.tenant(), '/console')
  await opened.page.getByText('The console is for owners and administrators of a reseller.').waitFor()
  expect(await opened.page.getByRole('link', { name: 'Console' }).count()).toBe(0)
  await opened.close()
})

test('a reseller writes a template, sees what it creates, and applies it to a team', async () => {
  const reseller = await given.reseller()
  const team = await given.team(reseller)
  const { name } = (await reseller.get(team.path)).body.data
  const opened = await AppPage.open(browser, reseller, '/console/templates')
  const { page } = opened
  await page.getByRole('button', { name: 'New template' }).first().click()
  const editor = page.getByRole('dialog')
  await editor.getByRole('textbox', { name: 'Name', exact: true }).first().fill('Shop')
  const monitor = editor.getByRole('group', { name: 'Monitor 1' })
  await monitor.getByRole('textbox', { name: 'Name', exact: true }).fill('Shop {{domain}}')
  await monitor.getByRole('textbox', { name: 'Address' }).fill('https://{{domain}}/')
  await editor.getByLabel('domain: Default').fill('shop.example.com')
  await editor.getByText('https://shop.example.com/').waitFor()
  await opened.examine('console-template-editor')
  await editor.getByRole('button', { name: 'Save' }).click()
  await page.getByRole('button', { name: 'Actions for Shop' }).click()
  await page.getByRole('menuitem', { name: 'Apply to a team' }).click()
  await page
    .getByRole('button', { name: /Choose|Team/ })
    .last()
    .click()
  await page.getByRole('option', { name }).click()
  await page.getByRole('button', { name: 'Apply to a team' }).click()
  await page.getByText('1 monitor is created.').waitFor()
  await opened.close()
  const { body } = await reseller.get(`${team.path}/monitors`)
  expect(body.data).toMatchObject([{ name: 'Shop shop.example.com', url: 'https://shop.example.com/' }])
})
