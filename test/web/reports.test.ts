import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { aMonitor } from '#test/control-plane/publishing/status-pages/pages.ts'
import { app, given } from '#test/support/app.ts'
import { openBrowser } from '#test/support/chromium.ts'
import { AppPage } from '#test/support/web.ts'

let browser: Browser
beforeAll(async () => {
  browser = await openBrowser()
}, 60_000)
afterAll(() => browser?.close())

/** As if the team had begun long ago, so that there are months with a report. */
const grownOld = (tenant: string) =>
  app.services.platform.query(`update tenants set created_at = now() - interval '100 days' where id = $1`, [tenant])

test('a person on a phone, in German, opens a report, sets an objective and orders the report by mail', async () => {
  const person = await given.tenant({ plan: 'pro' })
  await grownOld(person.tenantId)
  await person.patch('/profile', { language: 'de' })
  const monitor = await aMonitor(person)
  const phone = { colorScheme: 'dark', locale: 'de-DE', width: 390 } as const
  const opened = await AppPage.open(browser, person, '/app/reports', phone)
  const { page } = opened
  await page.getByText('Verfügbarkeit ist gemessene Zeit').waitFor()
  const pdf = page.waitForResponse(/monthly-report\.pdf/)
  await page.getByRole('button', { name: 'Als PDF' }).click()
  expect((await pdf).headers()['content-type']).toBe('application/pdf')
  await page.getByRole('button', { name: 'Ziel setzen' }).first().click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('button', { name: 'Monitor' }).click()
  await page.getByRole('option', { name: 'Shop' }).click()
  await dialog.getByRole('button', { name: 'Speichern' }).click()
  await dialog.waitFor({ state: 'detached' })
  await page.getByText('30 Tage').first().waitFor()
  const wanted = page.getByRole('switch')
  const before = await wanted.isChecked()
  await wanted.press('Space')
  await page.getByText('Gespeichert.').waitFor()
  await opened.examine('reports')
  await opened.close()
  expect((await person.get('/profile')).body.data.monthly_report).toBe(!before)
  expect((await person.get(`/monitors/${monitor.id}`)).body.data.slo).toEqual({ target_pct: 99.9, window_days: 30 })
}, 120_000)
