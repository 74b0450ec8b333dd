import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { aMonitor, anIncident, minutesAgo } from '#test/control-plane/monitoring/monitored.ts'
import { given } from '#test/support/app.ts'
import { openBrowser } from '#test/support/chromium.ts'
import { AppPage } from '#test/support/web.ts'
import { anOutage } from './outage.ts'

let browser: Browser
beforeAll(async () => {
  browser = await openBrowser()
}, 60_000)
afterAll(() => browser?.close())

/** Presses Tab until the button of this name has the focus. */
async function tabTo(page: Page, name: string): Promise<void> {
  const button = page.getByRole('button', { name, exact: true })
  for (let presses = 0; presses < 80; presses++) {
    if (await button.evaluateAll(found => found.some(one => one.matches(':focus')))) return
    await page.keyboard.press('Tab')
  }
  throw new Error(`Tab does not lead to ${name}.`)
}

test('an outage is acknowledged and resolved by keyboard alone', async () => {
  const owner = await given.tenant()
  const { incident, number } = await anOutage(owner)
  const other = await anIncident(owner, { startedAt: minutesAgo(4), resolvedAt: minutesAgo(2) })
  const opened = await AppPage.open(browser, owner, '/app/incidents')
  const { page } = opened
  const link = page.getByRole('link', { name: 'Shop is down' }).first()
  await link.waitFor()
  // the open one is first, though another began later
  expect(await link.getAttribute('data-incident')).toBe(incident)
  await page.keyboard.press('j')
  await page.keyboard.press('j')
  await page.keyboard.press('k')
  await page.keyboard.press('a')
  await page.getByText(`Incident ${number} is yours.`).waitFor()
  await expect
    .poll(async () => (await owner.get(`/incidents/${incident}`)).body.data.acknowledged_by)
    .toBe(owner.userId)
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { level: 1, name: `#${number} Shop is down` }).waitFor()
  await tabTo(page, 'Resolve')
  await page.keyboard.press('Enter')
  await page.getByRole('dialog', { name: `Resolve incident ${number}` }).waitFor()
  await page.keyboard.type('The disk was full.')
  await tabTo(page, 'Resolve it')
  await page.keyboard.press('Enter')
  await page.getByText(/Shop was down from .* until/).waitFor()
  await page.locator('blockquote', { hasText: 'The disk was full.' }).waitFor()
  await opened.close()
  const { data } = (await owner.get(`/incidents/${incident}`)).body
  expect(data).toMatchObject({ status: 'resolved', resolution: 'by_hand' })
  expect((await owner.get(`/incidents/${other}`)).body.data.acknowledged_at).toBeNull()
})

test('single-key shortcuts do nothing once they are turned off', async () => {
  const owner = await given.tenant()
  const id = await anIncident(owner)
  const opened = await AppPage.open(browser, owner, '/app/incidents')
  const { page } = opened
  const link = page.locator(`[data-incident="${id}"]`)
  await page.getByText('Single-key shortcuts').click()
  await page.keyboard.press('j')
  expect(await link.evaluate(one => one.matches(':focus'))).toBe(false)
  await page.getByText('Single-key shortcuts').click()
  await page.keyboard.press('j')
  expect(await link.evaluate(one => one.matches(':focus'))).toBe(true)
  await opened.close()
})

test('the list is filtered by its address, and says how an incident comes about while there is none', async () => {
  const owner = await given.tenant()
  const opened = await AppPage.open(browser, owner, '/app/incidents')
  const { page } = opened
  await page.getByText('No incident yet').waitFor()
  const bakery = await aMonitor(owner, { name: 'Bakery' })
  const minor = await anIncident(owner, { severity: 'minor', monitor: bakery })
  const resolved = await anIncident(owner, { startedAt: minutesAgo(9), resolvedAt: minutesAgo(8) })
  const shown = () => page.locator('[data-incident]').evaluateAll(all => all.map(one => one.dataset.incident))
  await opened.go('/app/incidents?status=resolved')
  await page.locator('[data-incident]').first().waitFor()
  expect(await shown()).toEqual([resolved])
  await opened.go('/app/incidents?severity=minor&acknowledged=false')
  await page.locator('[data-incident]').first().waitFor()
  expect(await shown()).toEqual([minor])
  await opened.go('/app/incidents')
  await page.getByRole('searchbox').fill('baker')
  await page.waitForURL(/search=baker/)
  await expect.poll(shown).toEqual([minor])
  await page.getByRole('searchbox').fill('no such incident')
  await page.getByText('No incident matches').waitFor()
  await opened.close()
})

test('a page says why it is down, a note stays in the team, and a published incident gets a text of its own and a postmortem', async () => {
  const owner = await given.tenant()
  const { incident } = await anOutage(owner)
  const made = await owner.post('/status-pages', { name: 'Acme status', slug: `acme-${crypto.randomUUID()}` })
  expect(made.status, made.text).toBe(201)
  const opened = await AppPage.open(browser, owner, `/app/incidents/${incident}`)
  const { page } = opened
  // with a date soon after midnight, when it began the day before
  await page.getByText(/Shop is down since [^.]+\. 2 of 3 regions agreed within 1\.1\ss; 2 were needed\./).waitFor()
  await page.locator('.waterfall svg').first().waitFor()
  await page.getByText('clock 61 s off').waitFor()
  await page.getByText('slack').first().waitFor({ state: 'attached' })
  await page.getByRole('button', { name: 'Note', exact: true }).click()
  await page.getByRole('textbox', { name: 'Note' }).fill('The disk of db-2 is full.')
  await page.getByRole('button', { name: 'Save the note' }).click()
  await page.locator('blockquote', { hasText: 'The disk of db-2 is full.' }).waitFor()
  await page.getByRole('button', { name: 'Publish', exact: true }).click()
  await page.getByLabel('Text').fill('Orders are not possible at the moment.')
  await page.getByRole('button', { name: 'Publish it' }).click()
  await page.getByRole('heading', { level: 3, name: /Problem with Shop/ }).waitFor()
  await page.getByRole('button', { name: 'Write the postmortem' }).click()
  await page.getByRole('textbox', { name: 'Postmortem' }).fill('## Why\n\nNo alert for disks.')
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await page.getByRole('textbox', { name: 'Postmortem' }).waitFor({ state: 'detached' })
  await page.getByText('No alert for disks.').waitFor()
  await opened.close()
  const { body } = await owner.get(`/status-pages/${made.body.data.id}/posts`)
  expect(body.data).toMatchObject([{ incident_id: incident, postmortem: '## Why\n\nNo alert for disks.' }])
  const { data: updates } = (await owner.get(`/status-pages/${made.body.data.id}/posts/${body.data[0].id}/updates`))
    .body
  expect(updates.map((update: { body: string }) => update.body)).toEqual(['Orders are not possible at the moment.'])
})
