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

test.each([
  ['light', 'en-GB', 1280],
  ['dark', 'de-DE', 390],
] as const)(
  'a person chooses a month, sets an objective and orders the report by mail: %s, %s, %i pixels wide',
  async (colorScheme, locale, width) => {
    const isGerman = locale === 'de-DE'
    const person = await given.tenant({ plan: 'pro' })
    await grownOld(person.tenantId)
    if (isGerman) await person.patch('/profile', { language: 'de' })
    const monitor = await aMonitor(person)
    const opened = await AppPage.open(browser, person, '/app/reports', { colorScheme, locale, width })
    const { page } = opened
    const text = (en: string, de: string) => (isGerman ? de : en)
    await page.getByText(text('formula version', 'Formel der Verfügbarkeit')).waitFor()
    const pdf = page.waitForResponse(/monthly-report\.pdf/)
    await page.getByRole('button', { name: text('As PDF', 'Als PDF') }).click()
    expect((await pdf).headers()['content-type']).toBe('application/pdf')
    await page.getByRole('button', { name: text('Set an objective', 'Ziel setzen') }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('button', { name: 'Monitor' }).click()
    await page.getByRole('option', { name: 'Shop' }).click()
    await dialog.getByRole('button', { name: text('Save', 'Speichern') }).click()
    await dialog.waitFor({ state: 'detached' })
    await page.getByText(text('30 days', '30 Tage')).first().waitFor()
    const wanted = page.getByRole('switch')
    const before = await wanted.isChecked()
    await wanted.press('Space')
    await page.getByText(text('Saved.', 'Gespeichert.')).waitFor()
    await opened.examine(`reports-${colorScheme}`)
    await opened.close()
    expect((await person.get('/profile')).body.data.monthly_report).toBe(!before)
    expect((await person.get(`/monitors/${monitor.id}`)).body.data.slo).toEqual({ target_pct: 99.9, window_days: 30 })
  },
  120_000,
)
