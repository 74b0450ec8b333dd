import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { app, type CallerUnderTest, given } from '#test/support/app.ts'
import { openBrowser } from '#test/support/chromium.ts'
import { AppPage } from '#test/support/web.ts'

let browser: Browser
beforeAll(async () => {
  browser = await openBrowser()
}, 60_000)
afterAll(() => browser?.close())

/** The API under test is not at the address that its URLs name. */
const ping = async (url: string, fields: Record<string, string>) =>
  expect(
    (await fetch(app.baseUrl + new URL(url).pathname, { method: 'POST', body: new URLSearchParams(fields) })).status,
  ).toBe(200)

async function aJob(person: CallerUnderTest) {
  const { body } = await person.post('/cron-monitors', {
    ...{ name: 'Backup', schedule: '30 2 * * *', timezone: 'America/New_York', grace_minutes: 30, max_run_minutes: 60 },
  })
  const { ping_url } = body.data
  await ping(ping_url, { state: 'start' })
  await ping(ping_url, { state: 'complete', exit_code: '0', output: 'copied <b>3</b> files' })
  return body.data
}

test('a person adds a job, sees its pings, changes its schedule, rotates its URL, pauses and deletes it', async () => {
  const person = await given.tenant()
  const opened = await AppPage.open(browser, person, '/app/heartbeats')
  const { page } = opened
  await page.getByText('No job reports yet').waitFor()
  await page.getByRole('link', { name: 'New heartbeat' }).click()
  await page.getByLabel('Name').fill('Nightly import')
  await page.getByLabel('Grace time').fill('15')
  await page.getByRole('button', { name: 'Create the heartbeat' }).click()
  await page.getByRole('heading', { name: 'Nightly import', level: 1 }).waitFor()
  const [created] = (await person.get('/cron-monitors')).body.data
  expect(created).toMatchObject({ schedule_kind: 'simple', period_minutes: 60, grace_minutes: 15 })
  await page.getByText(created.ping_url, { exact: true }).waitFor()
  await page.getByRole('region', { name: 'curl' }).getByText(created.ping_url).waitFor()

  await ping(created.ping_url, { state: 'ok', output: 'all <i>good</i>' })
  await page.reload()
  await page.locator('.pings summary').click()
  await page.getByText('all <i>good</i>').waitFor()

  await page.getByLabel('Interval', { exact: true }).fill('90')
  await page.getByLabel('Name').fill('Import')
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByText('The heartbeat is saved.').waitFor()
  expect((await person.get(`/cron-monitors/${created.id}`)).body.data).toMatchObject({
    ...{ name: 'Import', period_minutes: 90 },
  })

  await page.getByRole('button', { name: 'Rotate the URL' }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Rotate the URL' }).click()
  await page.getByText('A former URL works until').waitFor()
  const rotated = (await person.get(`/cron-monitors/${created.id}`)).body.data.ping_url
  expect(rotated).not.toBe(created.ping_url)
  await page.getByRole('region', { name: 'curl' }).getByText(rotated).waitFor()

  await page.getByRole('button', { name: 'Pause' }).click()
  await page.getByRole('button', { name: 'Resume' }).waitFor()
  await page.getByRole('button', { name: 'Delete the heartbeat' }).click()
  await page.getByRole('alertdialog').getByRole('textbox').fill('Import')
  await page.getByRole('alertdialog').getByRole('button', { name: 'Delete the heartbeat' }).click()
  await page.getByText('No job reports yet').waitFor()
  expect((await person.get(`/cron-monitors/${created.id}`)).status).toBe(404)
  await opened.close()
}, 120_000)

test('a refused cron expression is said at its field', async () => {
  const person = await given.tenant()
  const job = await aJob(person)
  const opened = await AppPage.open(browser, person, `/app/heartbeats/${job.id}`)
  const { page } = opened
  const field = page.getByRole('textbox', { name: 'Cron expression' })
  await field.fill('61 * * * *')
  await page.getByRole('button', { name: 'Save' }).click()
  await expect.poll(() => field.getAttribute('aria-invalid'), { timeout: 20_000 }).toBe('true')
  await opened.close()
})

test.each([
  ['light', 'en-GB', 1280],
  ['dark', 'de-DE', 390],
] as const)(
  'the pages of heartbeats: %s, %s, %i pixels wide',
  async (colorScheme, locale, width) => {
    const person = await given.tenant()
    if (locale === 'de-DE') await person.patch('/profile', { language: 'de' })
    const job = await aJob(person)
    const opened = await AppPage.open(browser, person, '/app/heartbeats', { colorScheme, locale, width })
    await opened.page.getByRole('link', { name: 'Backup' }).waitFor()
    await opened.examine(`heartbeats-${colorScheme}`)
    await opened.go('/app/heartbeats/new')
    await opened.examine(`heartbeats-new-${colorScheme}`)
    await opened.go(`/app/heartbeats/${job.id}`)
    await opened.page.locator('.pings li').first().waitFor()
    // in the zone of the job
    await opened.page.locator('.expected').getByText('02:30').first().waitFor()
    await opened.page.locator('.snippets pre').waitFor()
    await opened.examine(`heartbeat-${colorScheme}`)
    await opened.close()
  },
  60_000,
)
