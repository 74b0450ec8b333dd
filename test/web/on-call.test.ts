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
  await opened.examine('on-call-editor')
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
