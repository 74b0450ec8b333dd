import { mkdirSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { AxeBuilder } from '@axe-core/playwright'
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  type Document,
  renderGate,
  renderHistory,
  renderIncident,
  renderMissing,
  renderPage,
  type View,
} from '#control-plane/publishing/status-pages/render/documents.ts'
import { renderSubscribe, renderSubscribed } from '#control-plane/publishing/status-pages/render/subscribe.ts'
import { addTo } from '#test/control-plane/publishing/status-pages/pages.ts'
import { aModel, asOf } from '#test/control-plane/publishing/status-pages/render/sample.ts'
import { aPublished } from '#test/control-plane/publishing/status-pages/served.ts'
import { app, given } from '#test/support/app.ts'
import { openBrowser } from '#test/support/chromium.ts'

/** The folder for screenshots. */
const folder = process.env.PICTURES
let browser: Browser
let server: Server
let served: Document
let base = ''
beforeAll(async () => {
  browser = await openBrowser()
  if (folder) mkdirSync(folder, { recursive: true })
  server = createServer((_, response) => {
    response.setHeader('Content-Security-Policy', served.contentSecurityPolicy)
    response.setHeader('Content-Type', 'text/html; charset=utf-8')
    response.end(served.html)
  }).listen(0, '127.0.0.1')
  await new Promise(resolve => server.once('listening', resolve))
  base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}, 60_000)
afterAll(async () => {
  await browser?.close()
  server?.close()
})

const documents: Record<string, (view: View) => Document> = {
  page: view => renderPage(aModel(), view),
  stale: view => renderPage(aModel({ theme: 'auto' }), { ...view, staleSince: asOf }),
  calm: view =>
    renderPage(
      aModel({ status: 'operational', posts: [], maintenance: [], brand: { ...aModel().brand, color: '#ffd400' } }),
      view,
    ),
  incident: view => renderIncident(aModel(), aModel().posts[1]!, view),
  history: view => renderHistory(aModel(), '2026-11', view),
  subscribe: view =>
    renderSubscribe(aModel(), view, {
      values: { email: '', url: 'ftp://example.com', components: new Set() },
      problem: 'url',
    }),
  subscribed: view => renderSubscribed(aModel(), view),
  password: view => renderGate('password', view, 'wrong'),
  email: view => renderGate('email_domain', view),
  missing: view => renderMissing(view.language),
}

async function open(
  url: string,
  options: Parameters<Browser['newContext']>[0],
): Promise<{ page: Page; context: BrowserContext; problems: string[] }> {
  const context = await browser.newContext(options)
  const page = await context.newPage()
  const problems: string[] = []
  page.on('console', message => {
    if (message.type() === 'error' && !message.text().includes('favicon')) problems.push(message.text())
  })
  await page.goto(url)
  return { page, context, problems }
}

describe.each(['light', 'dark'] as const)('in a %s browser', colorScheme => {
  test.each(['en', 'de'] as const)(
    'every document in %s meets WCAG 2.2 AA, and needs no scrolling sideways on a phone',
    async language => {
      for (const [name, render] of Object.entries(documents))
        for (const width of [1280, 360]) {
          served = render({ language, isForced: false, base: '/status/acme', staleSince: null })
          const { page, context, problems } = await open(base, { colorScheme, viewport: { width, height: 800 } })
          const at = `${name} ${language} ${colorScheme} ${width}`
          if (folder) await page.screenshot({ path: join(folder, `${at.replaceAll(' ', '-')}.png`), fullPage: true })
          expect(await page.evaluate<number>('document.documentElement.scrollWidth'), at).toBeLessThanOrEqual(width)
          for (const isOpen of [false, true]) {
            if (isOpen) await page.evaluate('for (const each of document.querySelectorAll("details")) each.open = true')
            const { violations } = await new AxeBuilder({ page })
              .withTags(['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'])
              .analyze()
            expect(
              violations.map(({ id, nodes }) => `${id} ${nodes.map(({ html }) => html.slice(0, 120)).join(' ')}`),
              at,
            ).toEqual([])
          }
          expect(problems, at).toEqual([])
          await context.close()
        }
    },
    180_000,
  )
})

test('a page that is open takes over a change within a round, announces it, and keeps what is open', async () => {
  const owner = await given.tenant()
  const status = await aPublished(owner)
  const group = await addTo(owner, `${status.id}/groups`, { name: 'Europe' })
  const part = { name: 'API', type: 'static', static_status: 'operational', group_id: group.id }
  const component = await addTo(owner, `${status.id}/components`, part)
  const context = await browser.newContext({ extraHTTPHeaders: { 'X-Forwarded-For': given.stranger().ip } })
  const page = await context.newPage()
  await page.clock.install()
  await page.goto(`${app.baseUrl}/status/${status.slug}`)
  await page.getByRole('heading', { name: 'All systems operational' }).waitFor()
  await page.getByText('Europe').click()
  await owner.patch(`/status-pages/${status.id}/components/${component.id}`, { static_status: 'major_outage' })
  await page.clock.fastForward(31_000)
  await page.getByRole('heading', { name: 'Major outage' }).waitFor()
  expect(await page.getByRole('status').textContent()).toBe('Status updated: Major outage')
  expect(await page.locator('details').first().getAttribute('open')).not.toBeNull()
  await context.close()
})
