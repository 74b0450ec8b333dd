import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { given } from '#test/support/app.ts'
import { openBrowser } from '#test/support/chromium.ts'
import { AppPage } from '#test/support/web.ts'

let browser: Browser
beforeAll(async () => {
  browser = await openBrowser()
}, 60_000)
afterAll(() => browser?.close())

test('a person creates a schedule, which says who is on call', async () => {
  const owner = await given.tenant()
  const opened = await AppPage.open(browser, owner, '/app/on-call')
  const { page } = opened
  await page.getByRole('button', { name: 'New schedule' }).click()
  const editor = page.getByRole('dialog')
  await editor.getByRole('textbox', { name: 'Name' }).first().fill('Primary')
  await editor.getByRole('button', { name: 'Save' }).click()
  await editor.locator('.field-error').first().waitFor()
  await editor.getByRole('button', { name: /Add a person/ }).click()
  await page.getByRole('option').first().click()
  await editor.getByRole('button', { name: 'Save' }).click()
  await page.getByRole('article', { name: 'Primary' }).getByText('On call now').waitFor()
  const list = await owner.get('/on-call-schedules')
  const current = await owner.get(`/on-call-schedules/${list.body.data[0].id}/current`)
  expect(current.body.data).toMatchObject({ user: { user_id: owner.userId }, source: 'rotation' })

  await page.getByRole('button', { name: 'Create the address' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Create the address' }).click()
  await page.getByText(/on-call-calendars/).waitFor()
  await opened.close()
})

test.each([
  ['light', 'en-GB', 1280],
  ['dark', 'de-DE', 390],
] as const)('the page of schedules: %s, %s, %i pixels wide', async (colorScheme, locale, width) => {
  const owner = await given.tenant()
  const nights = {
    ...{ name: 'Nights', users: [owner.userId], handoff: 'daily', first_handoff_at: '2026-01-05T09:00' },
    restrictions: [{ days: ['mon', 'wed'], from: '22:00', to: '06:00' }],
  }
  await owner.post('/on-call-schedules', { name: 'Primary', timezone: 'Europe/Berlin', rotations: [nights] })
  if (locale === 'de-DE') await owner.patch('/profile', { language: 'de' })
  const opened = await AppPage.open(browser, owner, '/app/on-call', { colorScheme, locale, width })
  await opened.page.locator('.on-call-faults').waitFor()
  await opened.examine(`on-call-${colorScheme}`)
  await opened.page.locator('article button').first().click()
  await opened.page.getByRole('menuitem').first().click()
  await opened.page.locator('.on-call-people li').waitFor()
  await opened.examine(`on-call-editor-${colorScheme}`)
  await opened.close()
})
