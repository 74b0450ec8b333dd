import { randomUUID } from 'node:crypto'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { storeMail } from '#control-plane/alerting/mail/store-mail.ts'
import { app, given } from '#test/support/app.ts'
import { openBrowser } from '#test/support/chromium.ts'
import { AppPage } from '#test/support/web.ts'

let browser: Browser
beforeAll(async () => {
  browser = await openBrowser()
}, 60_000)
afterAll(() => browser?.close())

test('the area of the operator does not exist for others', async () => {
  const opened = await AppPage.open(browser, await given.tenant(), '/ops')
  await opened.page.getByRole('heading', { name: 'There is no such page' }).waitFor()
  expect(await opened.page.getByRole('link', { name: 'Operation' }).count()).toBe(0)
  await opened.close()
})

test('an operator gets the line that enrols an agent', async () => {
  const opened = await AppPage.open(browser, await given.operator(), '/ops/agents')
  const { page } = opened
  await page.getByRole('button', { name: 'Enrol an agent' }).first().click()
  await page.getByRole('textbox', { name: 'Region' }).fill('eu-west')
  await page.getByRole('button', { name: 'Create the token' }).click()
  const line = await page.getByRole('region', { name: 'Line for the agent' }).textContent()
  expect(line).toContain('REGION=eu-west')
  await page.getByText('Waits for the agent').waitFor()
  await opened.close()
})

test('a mail of the sink is shown as text with links, and its HTML is not rendered', async () => {
  const { tenantId } = await given.tenant()
  const { platform, config } = app.services
  const subject = `Hello ${randomUUID()}`
  const evil = '<img src=x onerror="document.title=1"><script>document.title=2</script>'
  const mail = {
    id: randomUUID(),
    tenantId,
    type: 'digest',
    to: [{ name: null, address: 'mo@people.test' }],
    subject,
    text: `Open https://status.example/here or javascript:alert(1) ${evil}`,
    html: evil,
    headers: {},
  }
  await storeMail(platform, config, mail, { name: 'Vedette', address: '', replyTo: null })
  const opened = await AppPage.open(browser, await given.operator(), '/ops/mails')
  const { page } = opened
  await page.getByRole('link', { name: subject }).click()
  const content = page.getByRole('region', { name: 'Content of the mail' })
  await content.getByText('<script>').waitFor()
  expect(await content.getByRole('link').count()).toBe(1)
  expect(await content.getByRole('link').getAttribute('href')).toBe('https://status.example/here')
  expect(await content.locator('img, script').count()).toBe(0)
  await opened.examine('ops-mail')
  await opened.close()
})
