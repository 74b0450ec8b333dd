import { generate } from 'otplib'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { aPerson, password } from '#test/control-plane/identity/people.ts'
import { app, given } from '#test/support/app.ts'
import { openBrowser } from '#test/support/chromium.ts'
import { AppPage } from '#test/support/web.ts'

let browser: Browser
beforeAll(async () => {
  browser = await openBrowser()
}, 60_000)
afterAll(() => browser?.close())

/** As if the person had signed in long ago: what is dangerous then asks who they are. */
const grownStale = (userId: string | null) =>
  app.services.platform.query(
    `update tokens set reauthenticated_at = now() - interval '1 hour' where user_id = $1 and is_browser`,
    [userId],
  )

test('a person creates a token, which is shown once, and revokes it', async () => {
  const person = await given.tenant()
  const opened = await AppPage.open(browser, person, '/app/settings/tokens')
  const { page } = opened
  await page.getByRole('button', { name: 'New token' }).first().click()
  await page.getByLabel('Name').fill('Deploy')
  await page.getByRole('row', { name: 'Monitors' }).getByText('Write').click()
  await opened.examine('settings-token-new')
  await page.getByRole('button', { name: 'Create' }).click()
  const secret = (await page.getByRole('region', { name: 'Token' }).textContent()) ?? ''
  expect(secret).toMatch(/^sk-/)
  await page.getByRole('button', { name: 'Close' }).click()
  await page
    .getByRole('row', { name: /Deploy/ })
    .getByText('monitors:write')
    .waitFor()
  expect(await page.content()).not.toContain(secret)
  await opened.go('/app/settings/tokens')
  await page.getByRole('row', { name: /Deploy/ }).waitFor()
  expect(await page.content()).not.toContain(secret)
  await page.getByRole('button', { name: 'Actions for Deploy' }).click()
  await page.getByRole('menuitem', { name: 'Revoke' }).click()
  await page.getByRole('button', { name: 'Revoke' }).click()
  await page.getByText('The token is revoked.').waitFor()
  await opened.close()
  expect((await person.get('/api-tokens')).body.data).toEqual([])
})

test('a person sets up an authenticator app once they confirm that it is them', async () => {
  const person = await aPerson()
  const opened = await AppPage.open(browser, person, '/app/settings/security')
  const { page } = opened
  await grownStale(person.userId)
  await page.getByRole('button', { name: 'Set up' }).click()
  await page.getByLabel('Password').fill(password)
  await page.keyboard.press('Enter')
  const question = page.getByRole('dialog', { name: 'Confirm that it is you' })
  await question.getByLabel('Password').fill('not my password')
  await page.keyboard.press('Enter')
  await question
    .getByText(/wrong|not/i)
    .first()
    .waitFor()
  await opened.examine('settings-step-up')
  await question.getByLabel('Password').fill(password)
  await page.keyboard.press('Enter')
  // the refused request was sent again, and its answer is shown
  await page.getByRole('img', { name: 'QR code of the secret' }).waitFor()
  await opened.examine('settings-totp')
  const secret = ((await page.getByRole('dialog').locator('code').textContent()) ?? '').replaceAll(' ', '')
  await page.getByLabel('Six digits').fill(await generate({ secret }))
  await page.keyboard.press('Enter')
  const codes = (await page.getByRole('region', { name: 'Recovery codes' }).textContent()) ?? ''
  expect(codes.split('\n').length).toBeGreaterThan(5)
  await page.getByRole('button', { name: 'Close' }).click()
  await page.getByText('On since').waitFor()
  await opened.close()
})

test('a cancelled question changes nothing, and the refusal is shown', async () => {
  const person = await aPerson()
  const opened = await AppPage.open(browser, person, '/app/settings/tokens')
  const { page } = opened
  await grownStale(person.userId)
  await page.getByRole('button', { name: 'New token' }).first().click()
  await page.getByLabel('Name').fill('Deploy')
  await page.getByRole('row', { name: 'Monitors' }).getByText('Read').click()
  await page.getByRole('button', { name: 'Create' }).click()
  const question = page.getByRole('dialog', { name: 'Confirm that it is you' })
  await question.getByRole('button', { name: 'Cancel' }).click()
  await page.getByRole('dialog', { name: 'New token' }).getByRole('alert').waitFor()
  await opened.close()
  expect((await person.get('/api-tokens')).body.data).toEqual([])
})

const _pages = ['', '/security', '/tokens', '/branding', '/smtp', '/plan', '/billing', '/audit-log', '/data'] as const
