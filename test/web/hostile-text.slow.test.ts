import { randomUUID } from 'node:crypto'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { migrateClickhouse } from '#analytics/migrate.ts'
import { aMonitor, anIncident, minutesAgo } from '#test/control-plane/monitoring/monitored.ts'
import { app, type CallerUnderTest, given } from '#test/support/app.ts'
import { openBrowser } from '#test/support/chromium.ts'
import { AppPage } from '#test/support/web.ts'
import { aMonitorOfEveryKind } from './every-kind.ts'
import { hostileTexts } from './hostile-texts.ts'

const { platform } = app.services

let browser: Browser
beforeAll(async () => {
  await migrateClickhouse(app.stores.clickhouseUrl)
  browser = await openBrowser()
}, 120_000)
afterAll(() => browser?.close())

let next = 0
/** The texts one after the other, each again after the last. PostgreSQL stores no character of code 0. */
const text = () => hostileTexts[next++ % hostileTexts.length] ?? ''

/** The next one as the API accepts it for a name: without the tab, and cut. */
const line = (length: number) => text().replaceAll('\t', ' ').replaceAll('\u202e', '').slice(0, length).trim()

/** Opens the app where each script that runs and each violation of the policy is written down. */
async function watched(person: CallerUnderTest): Promise<{ opened: AppPage; attacks: () => Promise<string[]> }> {
  const opened = await AppPage.open(browser, person, '/app')
  const { page } = opened
  const attacks: string[] = []
  await page.exposeFunction('attacked', () => attacks.push(`a script ran at ${page.url()}`))
  await page.exposeFunction('violated', (what: string) => attacks.push(`refused at ${page.url()}: ${what}`))
  await page.addInitScript(
    'document.addEventListener("securitypolicyviolation", event => violated(event.violatedDirective + event.blockedURI))',
  )
  page.on('request', request => {
    if (!/^(data|blob):/.test(request.url()) && !request.url().startsWith(app.baseUrl))
      attacks.push(`asked ${request.url()}`)
  })
  page.on('dialog', dialog => attacks.push(`opened a dialog: ${dialog.message()}`))
  return { opened, attacks: async () => attacks }
}

test('two hundred hostile texts in everything that a team shows run no script and load nothing', async () => {
  expect(new Set(hostileTexts).size).toBe(200)
  const owner = await given.tenant()
  for (const hostile of hostileTexts)
    await aMonitor(owner, { name: hostile.slice(0, 255), tags: [hostile.slice(0, 50)], status: 'down' })
  await platform.query(`update monitors set status_reason = name, group_name = left(name, 100) where tenant_id = $1`, [
    owner.tenantId,
  ])
  const { id, checks } = await aMonitorOfEveryKind(owner, text)
  await platform.query(`update checks set verdict = 'down', verdict_reason = $2 where monitor_id = $1`, [id, text()])
  for (let n = 0; n < 20; n++)
    await anIncident(owner, {
      monitor: { id, check: checks[0]?.id ?? '' },
      startedAt: minutesAgo(60 * (n + 1)),
      resolvedAt: minutesAgo(60 * n + 30),
    })
  await platform.query(
    `update incidents set title = $2::jsonb ->> (number::int % 200), cause = $2::jsonb ->> ((number::int + 20) % 200)
     where tenant_id = $1`,
    [owner.tenantId, JSON.stringify(hostileTexts)],
  )
  for (let n = 0; n < 5; n++)
    expect((await owner.post('/api-tokens', { name: line(60), scopes: ['monitors:read'] })).status).toBe(201)
  expect((await owner.patch('/branding', { brand_name: line(60) })).status).toBe(200)
  expect((await owner.patch('/profile', { name: line(60) })).status).toBe(200)
  // what was changed stands in the history of the monitor
  expect((await owner.patch(`/monitors/${id}`, { name: line(100) })).status).toBe(200)

  const { opened, attacks } = await watched(owner)
  const { page } = opened
  const paths = [
    '/app',
    ...[1, 2, 3, 4, 5].map(page => `/app/monitors?page=${page}`),
    ...['', '/regions', '/checks', '/what-if', '/settings', '/history'].map(tab => `/app/monitors/${id}${tab}`),
    ...checks.map(check => `/app/monitors/${id}/checks/${check.id}`),
    '/app/team',
    ...['', '/tokens', '/branding', '/audit-log'].map(part => `/app/settings${part}`),
  ]
  for (const path of paths) {
    await opened.go(path)
    await opened.settled()
    expect(await attacks(), path).toEqual([])
  }
  // the texts are there, as texts
  await opened.go('/app/monitors')
  await page.getByRole('link', { name: '<script>attacked()</script>' }).first().waitFor()
  await opened.close()

  // had one of them become a part of the page, that would have been noticed
  const control = await watched(owner)
  await control.opened.go('/app')
  await control.opened.page.evaluate(
    'document.body.insertAdjacentHTML("beforeend", "<img src=https://evil.example/x onerror=attacked()>")',
  )
  await expect.poll(control.attacks).not.toEqual([])
  await control.opened.page.context().close()
}, 240_000)

test('hostile texts of teams, profiles and webhooks run no script in the console', async () => {
  const reseller = await given.reseller()
  for (let n = 0; n < 40; n++) {
    const { status, body } = await reseller.post('/reseller/managed-teams', {
      name: line(100),
      slug: `hostile-${randomUUID()}`,
      label: line(60),
    })
    expect(status, JSON.stringify(body)).toBe(201)
  }
  const { body } = await reseller.get('/reseller/managed-teams')
  const { opened, attacks } = await watched(reseller)
  for (const path of ['/console', '/console/teams', `/console/teams/${body.data[0].id}`, '/console/webhooks']) {
    await opened.go(path)
    await opened.settled()
    expect(await attacks(), path).toEqual([])
  }
  await opened.close()
}, 120_000)
