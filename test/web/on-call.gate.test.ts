import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { given } from '#test/support/app.ts'
import { openBrowser } from '#test/support/chromium.ts'
import { AppPage } from '#test/support/web.ts'

let browser: Browser
beforeAll(async () => {
  browser = await openBrowser()
}, 60_000)
afterAll(() => browser?.close())

test('a person creates a schedule, which says who is on call', async () => {
  const owner = await given.tenant()
  const opened = await AppPage.open(browser, owner, '/app/on-call')
  const { page } = opened
  await page.getByRole('button', { name: 'New schedule' }).first().click()
  const editor = page.getByRole('dialog')
  await editor.getByRole('textbox', { name: 'Name' }).first().fill('Primary')
  await editor.getByRole('button', { name: 'Save' }).click()
  await editor.locator('.field-error').first().waitFor()
  await editor.getByRole('button', { name: /Add a person/ }).click()
  await page.getByRole('option').first().click()
  await opened.examine('on-call-editor')
  await editor.getByRole('button', { name: 'Save' }).click()
  await page.getByRole('article', { name: 'Primary' }).getByText('On call now').waitFor()
  const list = await owner.get('/on-call-schedules')
  const current = await owner.get(`/on-call-schedules/${list.body.data[0].id}/current`)
  expect(current.body.data).toMatchObject({ user: { user_id: owner.userId }, source: 'rotation' })

  await page.getByRole('button', { name: 'Create the address' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Create the address' }).click()
  await page.getByText(/on-call-calendars/).waitFor()
  await opened.close()
})

interface Current {
  user: { user_id: string; name: string } | null
  source: string | null
}

/** A schedule with one person on duty, and a colleague who can take over. */
async function aSchedule() {
  const owner = await given.tenant()
  const colleague = await given.colleague(owner, 'member')
  await colleague.patch('/profile', { name: 'Xenia Deputy' })
  const rotations = [
    { name: 'Days', users: [owner.userId], handoff: 'weekly', first_handoff_at: '2026-01-05T09:00' },
    {
      ...{ name: 'Nights', users: [colleague.userId], handoff: 'daily', first_handoff_at: '2026-01-05T22:00' },
      restrictions: [{ days: ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'], from: '22:00', to: '06:00' }],
    },
  ]
  const made = await owner.post('/on-call-schedules', { name: 'Primary', timezone: 'Europe/Berlin', rotations })
  const path = `/on-call-schedules/${made.body.data.id}`
  const current = async (): Promise<Current> => (await owner.get(`${path}/current`)).body.data
  return { owner, colleague, path, current, page: `/app/on-call/${made.body.data.id}?view=day` }
}

test('an override that is drawn with the pointer takes effect, and is deleted again', async () => {
  const { owner, colleague, current, page: path } = await aSchedule()
  const opened = await AppPage.open(browser, owner, path)
  const { page } = opened
  const now = await page.locator('.on-call-now').boundingBox()
  const tracks = await page.locator('.on-call-tracks').boundingBox()
  if (!now || !tracks) throw new Error('The grid is not shown.')
  const y = tracks.y + tracks.height / 2
  const direction = now.x < tracks.x + tracks.width / 2 ? 1 : -1
  await page.mouse.move(now.x, y)
  await page.mouse.down()
  await page.mouse.move(now.x + (direction * tracks.width) / 8, y, { steps: 4 })
  await page.mouse.up()
  const dialog = page.getByRole('dialog', { name: 'New override' })
  await dialog.getByRole('button', { name: /Takes over/ }).click()
  await page.getByRole('option', { name: 'Xenia Deputy' }).click()
  await dialog.getByRole('button', { name: 'Create override' }).click()
  await page.getByText('The override was created.').waitFor()
  expect(await current()).toMatchObject({ user: { user_id: colleague.userId }, source: 'override' })

  await page.getByRole('button', { name: 'Delete the override of Xenia Deputy' }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Delete override' }).click()
  await page.getByText('The override was deleted.').waitFor()
  expect(await current()).toMatchObject({ user: { user_id: owner.userId }, source: 'rotation' })
  await opened.close()
})

test('an override is made with the keyboard alone', async () => {
  const { owner, colleague, current, page: path } = await aSchedule()
  const opened = await AppPage.open(browser, owner, path)
  const { page } = opened
  const tabTo = async (selector: string) => {
    await page.locator(selector).waitFor()
    for (let presses = 0; (await page.locator(`${selector}:focus`).count()) === 0; presses++) {
      expect(presses).toBeLessThan(80)
      await page.keyboard.press('Tab')
    }
  }
  await tabTo('[role=slider]')
  // begins at the present half hour
  for (const key of ['Shift+ArrowLeft', 'Shift+ArrowRight', 'Shift+ArrowRight']) await page.keyboard.press(key)
  await page.keyboard.press('Enter')
  await tabTo('[role=dialog] .field:first-of-type .field-select')
  await page.keyboard.press('Enter')
  await page.getByRole('option', { name: 'Xenia Deputy' }).waitFor()
  await page.keyboard.type('Xenia')
  await page.keyboard.press('Enter')
  await tabTo('[role=dialog] button[type=submit]')
  await page.keyboard.press('Enter')
  await page.getByText('The override was created.').waitFor()
  expect(await current()).toMatchObject({ user: { user_id: colleague.userId }, source: 'override' })
  await opened.close()
})

test('two people swap their shifts', async () => {
  const { owner, colleague, path, page: page_ } = await aSchedule()
  const rotations = [
    {
      ...{ name: 'Weeks', users: [owner.userId, colleague.userId], handoff: 'weekly' },
      first_handoff_at: '2026-01-05T09:00',
    },
  ]
  await owner.patch(path, { rotations })
  const opened = await AppPage.open(browser, owner, page_)
  const { page } = opened
  await page.getByRole('button', { name: 'Swap shifts' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('button', { name: /One shift/ }).click()
  await page.getByRole('option').first().click()
  await dialog.getByRole('button', { name: /The other shift/ }).click()
  await page.getByRole('option').first().click()
  await dialog.getByRole('button', { name: 'Swap', exact: true }).click()
  await page.getByText('The shifts were swapped.').waitFor()
  const { data } = (await owner.get(`${path}/overrides`)).body
  expect(data.map((each: { user_id: string }) => each.user_id).sort()).toEqual([owner.userId, colleague.userId].sort())
  await opened.close()
})

test('an override of a person who has no duty then is refused at its field', async () => {
  const { owner, page: path } = await aSchedule()
  await owner.patch('/profile', { name: 'Ada Owner' })
  const opened = await AppPage.open(browser, owner, path)
  const { page } = opened
  await page.getByRole('button', { name: 'New override' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('button', { name: /Takes over/ }).click()
  await page.getByRole('option', { name: 'Ada Owner' }).click()
  await dialog.getByRole('button', { name: /In place of/ }).click()
  await page.getByRole('option', { name: 'Xenia Deputy' }).click()
  await dialog.getByRole('button', { name: 'Create override' }).click()
  await dialog.locator('.field-error', { hasText: 'Xenia Deputy is not on duty from' }).waitFor()
  await opened.close()
})

test('a changed rotation leaves who is on duty, and the app says from when it counts', async () => {
  const { owner, colleague, path, current, page: page_ } = await aSchedule()
  const users = [owner.userId, colleague.userId]
  const days = new Date(Date.now() - 86_400_000).toISOString().slice(0, 10)
  const rotation = { name: 'Weeks', users, handoff: 'weekly', first_handoff_at: `${days}T09:00` }
  await owner.patch(path, { rotations: [rotation] })
  const before = (await current()).user
  const opened = await AppPage.open(browser, owner, page_)
  const { page } = opened
  await page.getByRole('button', { name: 'Edit', exact: true }).click()
  const editor = page.getByRole('dialog')
  await editor.getByText('The running shift stays').waitFor()
  await editor.getByRole('button', { name: /^Remove Xenia Deputy/ }).click()
  await editor.getByRole('button', { name: 'Save' }).click()
  await page.getByText(/What changed counts from/).waitFor()
  expect((await current()).user).toEqual(before)
  await opened.close()
})
