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

test('a person adds a channel, sees what it answers to a test, and lets a rule and a policy use it', async () => {
  const owner = await given.tenant()
  const opened = await AppPage.open(browser, owner, '/app/alerts')
  const { page } = opened
  await page.getByRole('button', { name: 'New channel' }).click()
  const editor = page.getByRole('dialog')
  await editor.getByRole('textbox', { name: 'Name' }).fill('Pat by mail')
  await editor.getByRole('textbox', { name: 'Recipients' }).fill('pat')
  await editor.getByRole('button', { name: 'Save' }).click()
  await editor.locator('.field-error').first().waitFor()
  const { body: user } = await owner.get('/user')
  await editor.getByRole('textbox', { name: 'Recipients' }).fill(user.email)
  await editor.getByRole('button', { name: 'Save' }).click()
  await page.getByRole('button', { name: 'Send a test' }).click()
  await page.getByText(/It arrived, in \d+ ms/).waitFor()
  await page.getByRole('dialog').getByRole('button', { name: 'Close' }).last().click()

  await page.getByRole('link', { name: 'Rules', exact: true }).click()
  await page.getByRole('button', { name: 'New rule' }).click()
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByText('incident.created and incident.resolved of all monitors go to Pat by mail.').waitFor()

  await page.getByRole('link', { name: 'Escalation policies' }).click()
  await page.getByRole('button', { name: 'New policy' }).click()
  const policy = page.getByRole('dialog')
  await policy.getByRole('textbox', { name: 'Name' }).fill('Nights')
  await policy.getByRole('button', { name: 'Add a step' }).click()
  await policy
    .getByRole('group', { name: 'Step 2' })
    .getByRole('button', { name: /Whole team/ })
    .click()
  await page.getByRole('option', { name: 'Channel' }).click()
  await opened.examine('alerts-policy-editor')
  await policy.getByRole('button', { name: 'Save' }).click()
  await page.getByRole('article', { name: 'Nights' }).getByText('After 10 minutes: Pat by mail').waitFor()
  await opened.close()
  const { body } = await owner.get('/escalation-policies')
  expect(body.data[0].steps).toMatchObject([{ targets: [{ type: 'team' }] }, { targets: [{ type: 'channel' }] }])
})
