import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { aMonitor } from '#test/control-plane/monitoring/monitored.ts'
import { app, given } from '#test/support/app.ts'
import { openBrowser } from '#test/support/chromium.ts'
import { AppPage } from '#test/support/web.ts'

let browser: Browser
beforeAll(async () => {
  browser = await openBrowser()
}, 60_000)
afterAll(() => browser?.close())

test('the list of monitors asks once whether 503 stays a warning, for all checks or for each', async () => {
  const owner = await given.tenant()
  for (const name of ['Blog', 'Docs', 'Shop']) await aMonitor(owner, { name, url: `https://${name}.example/` })
  await app.services.platform.query(
    `update checks set settings = '{"warning_status":["429","503"]}' where tenant_id = $1`,
    [owner.tenantId],
  )
  const opened = await AppPage.open(browser, owner, '/app/monitors')
  const { page } = opened
  const notice = page.getByRole('region', { name: 'Status 503' })
  await notice.getByText('3 checks treat an answer 503 as a warning: it opens no incident.').waitFor()
  await opened.examine('monitors-503')
  await notice.getByRole('button', { name: 'Choose for each check' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('button', { name: 'Keep Docs as it is' }).click()
  await dialog.getByRole('button', { name: 'Keep Docs as it is' }).waitFor({ state: 'detached' })
  await dialog.getByRole('button', { name: 'Close' }).last().click()
  await notice.getByText('2 checks treat').waitFor()
  await notice.getByRole('button', { name: 'Treat 503 as down' }).click()
  await notice.waitFor({ state: 'detached' })
  const { rows } = await app.services.platform.query(
    `select m.name, c.settings -> 'warning_status' as statuses from checks c join monitors m on m.id = c.monitor_id
     where c.tenant_id = $1 order by m.name`,
    [owner.tenantId],
  )
  expect(rows).toEqual([
    { name: 'Blog', statuses: ['429'] },
    { name: 'Docs', statuses: ['429', '503'] },
    { name: 'Shop', statuses: ['429'] },
  ])
  await opened.go('/app')
  await opened.go('/app/monitors')
  expect(await notice.count()).toBe(0)
  await opened.close()
})
