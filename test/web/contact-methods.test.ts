import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { aPerson } from '#test/control-plane/identity/people.ts'
import { openBrowser } from '#test/support/chromium.ts'
import { AppPage } from '#test/support/web.ts'

let browser: Browser
beforeAll(async () => {
  browser = await openBrowser()
}, 60_000)
afterAll(() => browser?.close())

test('a person adds a contact method, prefers it to the address of the account, and deletes it', async () => {
  const person = await aPerson()
  const opened = await AppPage.open(browser, person, '/app/settings')
  const { page } = opened
  await page.getByRole('button', { name: 'New contact method' }).click()
  const editor = page.getByRole('dialog', { name: 'New contact method' })
  await editor.getByRole('button', { name: /Kind/ }).click()
  await page.getByRole('option', { name: 'Webhook' }).click()
  await editor.getByRole('textbox', { name: 'Name' }).fill('Pager')
  await editor.getByRole('textbox', { name: 'Address' }).fill('ftp://pager.example.com')
  await editor.getByRole('button', { name: 'Save' }).click()
  await editor.locator('.field-error').first().waitFor()
  await opened.examine('settings-contact-method-new')
  await editor.getByRole('textbox', { name: 'Address' }).fill('https://pager.example.com/hook')
  await editor.getByRole('button', { name: 'Save' }).click()
  await editor.waitFor({ state: 'detached' })
  const row = page.getByRole('row', { name: /Pager/ })
  await row.getByText('Not verified: send a test.').waitFor()
  await row.getByRole('button', { name: 'Actions for Pager' }).click()
  await page.getByRole('menuitem', { name: 'Move up' }).click()
  await page
    .getByRole('table', { name: 'How you are reached' })
    .locator('tbody tr')
    .first()
    .getByText('Pager')
    .waitFor()
  const before = await person.get('/profile/contact-methods')
  expect(before.body.data).toMatchObject([
    { name: 'Pager', position: 1 },
    { is_account: true, position: 2 },
  ])
  await row.getByRole('button', { name: 'Actions for Pager' }).click()
  await page.getByRole('menuitem', { name: 'Delete' }).click()
  await page.getByRole('alertdialog').or(page.getByRole('dialog')).getByRole('button', { name: 'Delete' }).click()
  await row.waitFor({ state: 'detached' })
  await opened.close()
  const after = await person.get('/profile/contact-methods')
  expect(after.body.data).toMatchObject([{ is_account: true, position: 1 }])
})
