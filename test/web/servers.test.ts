import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { given } from '#test/support/app.ts'
import { openBrowser } from '#test/support/chromium.ts'
import { AppPage } from '#test/support/web.ts'
import { report } from './reporting.ts'

let browser: Browser
beforeAll(async () => {
  browser = await openBrowser()
}, 60_000)
afterAll(() => browser?.close())

test('a person adds a server, changes its thresholds, rotates its token and deletes it', async () => {
  const person = await given.tenant()
  const opened = await AppPage.open(browser, person, '/app/servers')
  const { page } = opened
  await page.getByText('No server reports yet').waitFor()
  await page.getByRole('link', { name: 'New server' }).click()
  await page.getByLabel('Name').fill('db-1')
  await page.getByRole('button', { name: 'Create the server' }).click()
  const line = (await page.getByRole('region', { name: 'Command' }).textContent()) ?? ''
  expect(line).toContain('vedette-agent.mjs')
  await page.getByText('Waits for the first report').waitFor()
  await report(/am-\S+/.exec(line)?.[0].replace(/['"]/g, '') ?? '')
  await page.getByText('The first report has arrived.').waitFor()
  await page.getByRole('link', { name: 'Open the page of the server' }).click()
  await page.getByRole('img', { name: 'CPU' }).waitFor()

  const [server] = (await person.get('/agent-monitors')).body.data
  await page.getByLabel('Above').first().fill('85')
  await page.getByRole('button', { name: 'Remove the threshold for Disk' }).click()
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByText('The server is saved.').waitFor()
  expect((await person.get(`/agent-monitors/${server.id}`)).body.data.thresholds).toMatchObject([
    { metric: 'cpu', above: 85 },
    { metric: 'memory', above: 95 },
  ])

  await page.getByRole('button', { name: 'Rotate the token' }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Rotate the token' }).click()
  await page.getByRole('region', { name: 'Command' }).waitFor()
  await page.getByRole('button', { name: 'Delete the server' }).click()
  await page.getByRole('alertdialog').getByRole('textbox').fill('db-1')
  await page.getByRole('alertdialog').getByRole('button', { name: 'Delete the server' }).click()
  await page.getByText('No server reports yet').waitFor()
  await opened.close()
}, 120_000)
