import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { aMonitor } from '#test/control-plane/monitoring/monitored.ts'
import { type CallerUnderTest, given } from '#test/support/app.ts'
import { openBrowser } from '#test/support/chromium.ts'
import { Keyboard } from '#test/support/keyboard.ts'
import { AppPage } from '#test/support/web.ts'
import { anOutage } from './outage.ts'

/*
 * Journeys by keyboard alone. Others stand with what they are about: the first visit in `welcome`, an outage that is
 * acknowledged in `incidents`, an override in `on-call`, the keys of the shell in `shell`.
 */

let browser: Browser
beforeAll(async () => {
  browser = await openBrowser()
}, 60_000)
afterAll(() => browser?.close())

const button = (page: Page, name: string | RegExp) => page.getByRole('button', { name, exact: true })
const link = (page: Page, name: string | RegExp) => page.getByRole('link', { name, exact: true })

async function sit(person: CallerUnderTest, path: string) {
  const opened = await AppPage.open(browser, person, path)
  return { opened, page: opened.page, keys: new Keyboard(opened.page) }
}

test('a monitor is found in the navigation, added, paused and deleted by keyboard alone', async () => {
  const person = await given.tenant()
  const { opened, page, keys } = await sit(person, '/app')
  await keys.press(link(page, 'Monitors'))
  await keys.press(link(page, 'New monitor').first())
  await keys.focused(page.getByLabel('What do you want to monitor?'))
  await page.keyboard.type('https://bakery.example')
  await keys.choose(button(page, /Interval/), 'Every 5 minutes')
  await keys.tick(page.getByRole('checkbox', { name: 'Certificate' }))
  await keys.press(page.locator('summary', { hasText: 'Regions, confirmations and tags' }))
  await keys.write(page.getByRole('textbox', { name: 'Tags' }), 'eu, shop')
  await keys.press(button(page, 'Watch it'))
  await page.getByRole('heading', { name: 'bakery.example', level: 1 }).waitFor()
  const [made] = (await person.get('/monitors')).body.data
  expect(made).toMatchObject({ url: 'https://bakery.example', check_interval: 300, tags: ['eu', 'shop'] })
  expect(made.checks.map(({ type }: { type: string }) => type)).toEqual(['uptime', 'domain_expiry'])
  await keys.press(button(page, 'Pause'))
  await keys.focused(button(page, 'Resume'))
  expect((await person.get(`/monitors/${made.id}`)).body.data.is_enabled).toBe(false)
  await keys.press(page.getByRole('main').getByRole('link', { name: 'Settings' }))
  await keys.press(button(page, 'Delete the monitor'))
  await keys.write(page.getByRole('alertdialog').getByRole('textbox'), 'bakery.example')
  await keys.press(page.getByRole('alertdialog').getByRole('button', { name: 'Delete' }))
  await page.waitForURL(/\/app\/monitors$/)
  expect((await person.get('/monitors')).body.meta.total).toBe(0)
  await opened.close()
})

test('a list is searched, ordered, ticked and tagged by keyboard alone', async () => {
  const person = await given.tenant()
  for (const name of ['Bakery', 'Blog', 'Shop']) await aMonitor(person, { name })
  const { opened, page, keys } = await sit(person, '/app/monitors')
  const names = () => page.locator('.monitors tbody th a').allTextContents()
  await page.keyboard.press('/')
  await keys.focused(page.getByRole('searchbox'))
  await page.keyboard.type('b')
  await expect.poll(names).toEqual(['Bakery', 'Blog'])
  await keys.choose(button(page, /Order$/), 'Newest first')
  await expect.poll(names).toEqual(['Blog', 'Bakery'])
  await keys.tick(page.getByRole('checkbox', { name: 'Select all on this page' }))
  await keys.press(button(page, 'Add a tag'))
  await keys.focused(page.getByRole('dialog').getByRole('textbox'))
  await page.keyboard.type('eu')
  await page.keyboard.press('Enter')
  await keys.press(page.getByRole('row', { name: /Blog/ }).getByRole('link', { name: 'eu' }))
  await page.waitForURL(/tag=eu/)
  await expect.poll(names).toHaveLength(2)
  await opened.close()
  expect((await person.get('/monitors?tag=eu')).body.meta.total).toBe(2)
})

test('filters are kept as a view under a name, opened and deleted by keyboard alone', async () => {
  const person = await given.tenant()
  await aMonitor(person, { name: 'Shop', tags: ['eu'] })
  await aMonitor(person, { name: 'Blog' })
  const { opened, page, keys } = await sit(person, '/app/monitors')
  const names = () => page.locator('.monitors tbody th a').allTextContents()
  await keys.choose(button(page, /Tag$/), 'eu')
  await expect.poll(names).toEqual(['Shop'])
  await keys.press(button(page, 'Save this view'))
  await keys.focused(page.getByRole('dialog').getByRole('textbox'))
  await page.keyboard.type('Shops in Europe')
  await page.keyboard.press('Enter')
  const view = link(page, 'Shops in Europe')
  await view.waitFor()
  expect(await view.getAttribute('aria-current')).toBe('page')
  const { preferences } = (await person.get('/profile')).body.data
  expect(preferences.monitor_views).toEqual([{ tenant_id: person.tenantId, name: 'Shops in Europe', query: '?tag=eu' }])
  await opened.follow('/app/monitors')
  await expect.poll(names).toHaveLength(2)
  expect(await view.getAttribute('aria-current')).toBe(null)
  await keys.press(view)
  await page.waitForURL(/tag=eu/)
  await expect.poll(names).toEqual(['Shop'])
  await keys.press(button(page, 'Delete the view Shops in Europe'))
  await view.waitFor({ state: 'detached' })
  await opened.close()
  expect((await person.get('/profile')).body.data.preferences.monitor_views).toEqual([])
})

test('an incident gets a note, a public text and a postmortem by keyboard alone', async () => {
  const person = await given.tenant()
  const { incident } = await anOutage(person)
  const made = await person.post('/status-pages', { name: 'Acme status', slug: `acme-${crypto.randomUUID()}` })
  const { opened, page, keys } = await sit(person, `/app/incidents/${incident}`)
  await keys.press(button(page, 'Note'))
  await keys.write(page.getByRole('textbox', { name: 'Note' }), 'The disk of db-2 is full.')
  await keys.press(button(page, 'Save the note'))
  await page.locator('blockquote', { hasText: 'The disk of db-2 is full.' }).waitFor()
  await keys.focused(button(page, 'Note'))
  await keys.press(button(page, 'Publish'))
  await keys.write(page.getByRole('dialog').getByRole('textbox', { name: 'Text' }), 'Orders are not possible.')
  await keys.press(button(page, 'Publish it'))
  await page.getByRole('heading', { level: 3, name: /Problem with Shop/ }).waitFor()
  await keys.press(button(page, 'Write the postmortem'))
  await keys.write(page.getByRole('textbox', { name: 'Postmortem' }), 'No alert for disks.')
  await keys.press(button(page, 'Save'))
  await page.getByRole('textbox', { name: 'Postmortem' }).waitFor({ state: 'detached' })
  await opened.close()
  const { body } = await person.get(`/status-pages/${made.body.data.id}/posts`)
  expect(body.data).toMatchObject([{ incident_id: incident, postmortem: 'No alert for disks.' }])
})

test('a status page is made, filled, published and written on by keyboard alone', async () => {
  const person = await given.tenant({ plan: 'pro' })
  const shop = await aMonitor(person, { name: 'Shop' })
  const { opened, page, keys } = await sit(person, '/app/status-pages')
  await keys.press(button(page, 'New status page').first())
  const slug = `bakery-${crypto.randomUUID()}`
  await keys.write(page.getByLabel('Name'), 'Bakery Blume')
  await keys.write(page.getByLabel('Address'), slug)
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { level: 1, name: 'Bakery Blume' }).waitFor()
  await keys.write(page.getByLabel('Colour'), '#7a1f5c')
  await keys.press(button(page, 'Save'))
  await page.getByText('Saved.').waitFor()
  await keys.press(link(page, 'Components'))
  await keys.press(button(page, 'New component'))
  await keys.write(page.getByRole('dialog').getByRole('textbox', { name: 'Name on the page' }), 'Web shop')
  await opened.settled()
  await keys.choose(page.getByRole('dialog').getByRole('button', { name: /Monitor$/ }), 'Shop')
  await keys.press(page.getByRole('dialog').getByRole('button', { name: 'Save' }))
  await page.getByText('Web shop').first().waitFor()
  await keys.press(button(page, 'Publish'))
  await keys.press(page.getByRole('dialog').getByRole('button', { name: 'Publish' }))
  await page.getByText('The page is published.').waitFor()
  await keys.press(link(page, 'Posts'))
  await keys.press(button(page, 'New post').first())
  await keys.write(page.getByLabel('Title'), 'The shop is slow')
  await keys.write(page.getByLabel(/^Text/), 'We look into it.')
  await keys.press(page.getByRole('dialog').getByRole('button', { name: 'Publish' }))
  await keys.press(link(page, 'The shop is slow'))
  await keys.choose(button(page, /Phase/), 'Resolved')
  await keys.write(page.getByLabel(/^Text/), 'It is fast again.')
  await keys.press(button(page, 'Post the update'))
  await page.getByRole('heading', { name: 'Postmortem' }).waitFor()
  await opened.close()
  const [saved] = (await person.get('/status-pages')).body.data
  expect(saved).toMatchObject({ slug, state: 'published', primary_color: '#7a1f5c' })
  const { body } = await person.get(`/status-pages/${saved.id}/components`)
  expect(body.data).toMatchObject([{ name: 'Web shop', monitor_id: shop.id }])
  expect((await person.get(`/status-pages/${saved.id}/posts`)).body.data).toMatchObject([{ phase: 'resolved' }])
})
