import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { migrateClickhouse } from '#analytics/migrate.ts'
import { sources } from '#control-plane/importing/sources.ts'
import { OldProvider } from '#test/control-plane/importing/old-provider.ts'
import { app, given } from '#test/support/app.ts'
import { openBrowser } from '#test/support/chromium.ts'
import { AppPage } from '#test/support/web.ts'
import { sources as ofApp } from '../../web/migrations/sources.ts'
import { migrationsOf } from './a-migration.ts'

let browser: Browser
let provider: OldProvider
beforeAll(async () => {
  await migrateClickhouse(app.stores.clickhouseUrl)
  ;[browser, provider] = await Promise.all([openBrowser(), OldProvider.open()])
}, 60_000)
afterAll(async () => {
  await browser?.close()
  await provider?.close()
})

test('the app knows of each source what it is read from, where its API is, and whether it pauses monitors', () => {
  const known = Object.entries(sources).map(([name, { reads, baseUrl, pause, hasPingKey }]) => [
    name,
    { reads, address: baseUrl ?? undefined, pauses: pause !== undefined, hasPingKey },
  ])
  const shown = Object.entries(ofApp).map(([name, { reads, address, pauses, hasPingKey }]) => [
    name,
    { reads, address, pauses, hasPingKey },
  ])
  expect(shown.toSorted()).toEqual(known.toSorted())
})

test('a CSV is previewed, one of its records imported, compared, cut over and rolled back', async () => {
  const person = await given.tenant()
  const opened = await AppPage.open(browser, person, '/app/settings')
  const { page } = opened
  await page.getByRole('link', { name: 'Import', exact: true }).click()
  await page.getByRole('heading', { name: 'Import from another provider' }).waitFor()
  await opened.examine('migrations-empty')
  await page.getByRole('link', { name: 'Start an import' }).click()

  await page.getByRole('button', { name: /Source/ }).click()
  await page.getByRole('option', { name: 'CSV' }).click()
  const lines = ['name,url,type', 'Shop,https://shop.example.com/,', '=1+1,https://sum.example.com/,', 'Fax,fax,fax']
  await page.getByLabel('File').setInputFiles({
    ...{ name: 'monitors.csv', mimeType: 'text/csv', buffer: Buffer.from(lines.join('\n')) },
  })
  await opened.examine('migrations-new')
  await page.getByRole('button', { name: 'Read the source' }).click()
  await page.getByText('Reading', { exact: true }).waitFor()
  const [migration] = (await person.get('/migrations')).body.data
  await page.waitForURL(`**/import/${migration.id}`)
  await provider.advance(migration.id)

  await page.getByText('Previewed', { exact: true }).waitFor()
  const row = (name: string) => page.getByRole('row', { name: new RegExp(name) })
  await row('Fax').getByText('The type is not one of').waitFor()
  // what cannot be imported has no tick
  expect(await page.getByRole('checkbox').count()).toBe(3)
  await opened.examine('migrations-preview')
  await row('Shop').locator('label').first().click()
  await page.getByRole('button', { name: 'Import the chosen record' }).click()
  await page.getByText('Importing', { exact: true }).waitFor()
  await provider.advance(migration.id)
  await row('Shop').getByText('Imported').waitFor()
  await row('Shop').getByRole('link', { name: 'Shop' }).waitFor()

  await page.getByRole('button', { name: 'Begin the shadow' }).click()
  await page.getByText('In shadow', { exact: true }).waitFor()
  await page.getByText('Hours in which our checks ran beside the old provider').waitFor()
  await opened.examine('migrations-shadow')
  await page.getByRole('button', { name: 'Cutover' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('button', { name: 'Cutover' }).click()
  // the conditions that are not met are said at the field
  await dialog.getByText(/shadow_hours is not met/).waitFor()
  await dialog.getByText('Cut over although').click()
  await dialog.getByRole('button', { name: 'Cutover' }).click()
  await page.getByText('Cut over', { exact: true }).waitFor()
  await page.getByRole('button', { name: 'Roll back' }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Roll back' }).click()
  await page.getByText('Rolled back', { exact: true }).waitFor()

  await opened.go('/app/settings/import')
  await row('CSV').getByText('Rolled back').waitFor()
  await opened.go('/app/monitors')
  await page.getByRole('link', { name: 'Shop' }).waitFor()
  await opened.close()
}, 120_000)

test('what is wrong with a source is said at its field, and its key is in no call that the page shows', async () => {
  const person = await given.tenant()
  const opened = await AppPage.open(browser, person, '/app/settings/import/new')
  const { page } = opened
  await page.getByRole('button', { name: /Source/ }).click()
  await page.getByRole('option', { name: 'UptimeRobot' }).click()
  await page.getByLabel('Address of the API').fill('http://127.0.0.1/v3')
  await page.getByRole('button', { name: 'Read the source' }).click()
  await page.getByText('The key of its API is missing.').waitFor()
  await page.getByText('This address is not public.').waitFor()
  await opened.examine('migrations-refused')
  await page.getByLabel('API key').fill('key-of-pat')
  await page.getByLabel('Address of the API').fill(`${provider.url}/v3`)
  await page.getByRole('button', { name: 'Read the source' }).click()
  await page.waitForURL(/import\/[\da-f-]{36}$/)
  const [migration] = (await person.get('/migrations')).body.data
  provider.handle = (_, response) => {
    response.statusCode = 401
    return {}
  }
  await provider.advance(migration.id)
  await page.getByText('Failed', { exact: true }).waitFor()
  await page.getByRole('alert').waitFor()
  await opened.examine('migrations-failed')
  await opened.go('/app/settings/import/new')
  await page.getByRole('button', { name: 'API calls of this page' }).click()
  await page.getByRole('dialog').waitFor()
  expect(await page.content()).not.toContain('key-of-pat')
  await opened.close()
}, 120_000)

test('in shadow the page shows what both sides said and what explains it', async () => {
  const person = await given.tenant()
  const [, shadow] = await migrationsOf(person)
  const opened = await AppPage.open(browser, person, `/app/settings/import/${shadow}`)
  const { page } = opened
  const row = page.getByRole('row', { name: /Old shop.*Only the old provider says down/ })
  await row.getByText('Down', { exact: true }).waitFor()
  await row.getByText('Up', { exact: true }).waitFor()
  await row.getByText('Unexplained').waitFor()
  await opened.examine('migrations-divergences')
  await page.setViewportSize({ width: 360, height: 900 })
  await opened.examine('migrations-divergences-narrow')
  await opened.close()
}, 120_000)
