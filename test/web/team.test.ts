import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { app, given } from '#test/support/app.ts'
import { openBrowser } from '#test/support/chromium.ts'
import { AppPage } from '#test/support/web.ts'

let browser: Browser
beforeAll(async () => {
  browser = await openBrowser()
}, 60_000)
afterAll(() => browser?.close())

test('an owner invites a member, hands on the link, and revokes the invitation', async () => {
  const owner = await given.tenant()
  const opened = await AppPage.open(browser, owner, '/app/team')
  const { page } = opened
  await page.getByRole('button', { name: 'Invite' }).first().click()
  await page.getByRole('textbox', { name: 'E-mail address' }).fill('mo@people.test')
  await page.getByRole('button', { name: 'Send the invitation' }).click()
  const link = await page.getByRole('region', { name: 'Link of the invitation' }).textContent()
  expect(link).toContain(`${app.services.config.baseUrl}/invitation`)
  await opened.examine('team-invitation')
  await page.getByRole('button', { name: 'Close' }).click()
  await page.getByRole('button', { name: 'Actions for mo@people.test' }).click()
  await page.getByRole('menuitem', { name: 'Revoke' }).click()
  await page.getByRole('button', { name: 'Revoke' }).click()
  await page
    .getByRole('row', { name: /mo@people.test/ })
    .getByText('Revoked')
    .waitFor()
  await opened.close()
  const { body } = await owner.get('/invitations')
  expect(body.data).toMatchObject([{ email: 'mo@people.test', role: 'member', status: 'revoked' }])
})

test('a viewer sees members, and no way to change them', async () => {
  const owner = await given.tenant()
  const viewer = await given.colleague(owner, 'viewer')
  const opened = await AppPage.open(browser, viewer, '/app/team')
  await opened.page.getByRole('row', { name: /Owner/ }).waitFor()
  expect(await opened.page.getByRole('button', { name: /Actions for|Invite/ }).count()).toBe(0)
  await opened.close()
})
