import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { given } from '#test/support/app.ts'
import { openBrowser } from '#test/support/chromium.ts'
import { AppPage } from '#test/support/web.ts'
import { aJob, ping } from './reporting.ts'

let browser: Browser
beforeAll(async () => {
  browser = await openBrowser()
}, 60_000)
afterAll(() => browser?.close())

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

test('the next pings are in the zone of the job, and a refused cron expression is said at its field', async () => {
  const person = await given.tenant()
  const job = await aJob(person)
  const opened = await AppPage.open(browser, person, `/app/heartbeats/${job.id}`)
  const { page } = opened
  // in the zone of the job
  await page.locator('.expected').getByText('02:30').first().waitFor()
  const field = page.getByRole('textbox', { name: 'Cron expression' })
  await field.fill('61 * * * *')
  await page.getByRole('button', { name: 'Save' }).click()
  await expect.poll(() => field.getAttribute('aria-invalid'), { timeout: 20_000 }).toBe('true')
  await opened.close()
})
