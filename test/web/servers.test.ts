import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { serverAgentPaths } from '#contract/server-agent.ts'
import { app, type CallerUnderTest, given } from '#test/support/app.ts'
import { openBrowser } from '#test/support/chromium.ts'
import { AppPage } from '#test/support/web.ts'

let browser: Browser
beforeAll(async () => {
  browser = await openBrowser()
}, 60_000)
afterAll(() => browser?.close())

const minuteMs = 60_000

/** An hour of reports. */
async function report(token: string) {
  const now = Date.now()
  const samples = Array.from({ length: 60 }, (_, n) => ({
    at: now - n * minuteMs,
    metrics: {
      ...{ cpu: 20 + (n % 7), memory: 61, disk: { '/': 40, '/data': 71 }, load: 0.4, load_5m: 0.5, load_15m: 0.6 },
      ...{ network_in: { eth0: 12_000 + n * 100 }, network_out: { eth0: 9_000 }, temperature: { cpu: 48 } },
    },
  }))
  const host = { name: 'db-2', os: 'Debian 13', kernel: '6.12', arch: 'x64', cores: 8, memory_bytes: 16e9, agent: '1' }
  const response = await fetch(app.baseUrl + serverAgentPaths.metrics, {
    method: 'POST',
    headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' },
    body: JSON.stringify({ batch: crypto.randomUUID(), host, samples }),
  })
  expect([response.status, await response.text()]).toEqual([200, expect.anything()])
}

async function aServer(person: CallerUnderTest) {
  const { body } = await person.post('/agent-monitors', { name: 'db-2' })
  await report(body.plain_text_token)
  return body.data
}

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

test.each([
  ['light', 'en-GB', 1280],
  ['dark', 'de-DE', 390],
] as const)(
  'the pages of servers: %s, %s, %i pixels wide',
  async (colorScheme, locale, width) => {
    const person = await given.tenant()
    if (locale === 'de-DE') await person.patch('/profile', { language: 'de' })
    const server = await aServer(person)
    const opened = await AppPage.open(browser, person, '/app/servers', { colorScheme, locale, width })
    await opened.page.getByRole('link', { name: 'db-2' }).waitFor()
    await opened.examine(`servers-${colorScheme}`)
    await opened.go(`/app/servers/${server.id}`)
    await opened.page.locator('.server-charts svg').first().waitFor()
    await opened.examine(`server-${colorScheme}`)
    await opened.close()
  },
  60_000,
)
