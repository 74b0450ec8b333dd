import { mkdirSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import {
  type Document,
  renderGate,
  renderHistory,
  renderIncident,
  renderMissing,
  renderPage,
  renderSignIn,
  type View,
} from '#control-plane/publishing/status-pages/render/documents.ts'
import { renderIndex } from '#control-plane/publishing/status-pages/render/index-page.ts'
import { renderSubscribe, renderSubscribed } from '#control-plane/publishing/status-pages/render/subscribe.ts'
import type { Language } from '#locales/languages.ts'
import { aModel, asOf } from '#test/control-plane/publishing/status-pages/render/sample.ts'
import { violationsOf } from '#test/support/axe.ts'
import { openBrowser } from '#test/support/chromium.ts'
import { displaysIn, show } from '#test/support/displays.ts'

/** The folder for screenshots. */
const folder = process.env.PICTURES

const anIndex = {
  number: 2,
  hasMore: true,
  asOf,
  pages: (['operational', 'partial_outage', 'maintenance', 'no_data'] as const).map(status => ({
    slug: `a-page-with-a-long-address-${status.replace('_', '-')}`,
    name: `A page with a rather long name that is ${status}`,
    texts: {},
    locales: ['en'] as const,
    status,
    unknown: { count: 0, total: 1 },
  })),
}

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
  signIn: view => renderSignIn(view, 'domain'),
  signInOff: view => renderSignIn(view, 'off'),
  index: view => renderIndex(anIndex, { ...view, isStale: true, baseUrl: 'https://status.example.com' }),
  missing: view => renderMissing(view.language),
}

let browser: Browser
beforeAll(async () => {
  browser = await openBrowser()
}, 60_000)
afterAll(() => browser?.close())

/** Opens every document in a browser: it breaks no rule of WCAG 2.2 AA, and needs no scrolling sideways. */
async function expectAccessible(language: Language): Promise<void> {
  if (folder) mkdirSync(folder, { recursive: true })
  let served: Document
  await using server = createServer((_, response) => {
    response.setHeader('Content-Security-Policy', served.contentSecurityPolicy)
    response.setHeader('Content-Type', 'text/html; charset=utf-8')
    response.end(served.html)
  }).listen(0, '127.0.0.1')
  await new Promise(resolve => server.once('listening', resolve))
  const { port } = server.address() as AddressInfo
  const context = await browser.newContext()
  const page = await context.newPage()
  const problems: string[] = []
  page.on('console', message => {
    if (message.type() === 'error' && !message.text().includes('favicon')) problems.push(message.text())
  })
  for (const [name, render] of Object.entries(documents)) {
    served = render({ language, isForced: false, base: '/status/acme', staleSince: null })
    await page.goto(`http://127.0.0.1:${port}`)
    const hasDetails = (await page.locator('details').count()) > 0
    for (const [index, display] of displaysIn(language as 'en' | 'de').entries()) {
      const at = `${name} ${language} ${display.colorScheme} ${display.width}`
      await show(page, display)
      if (folder) await page.screenshot({ path: join(folder, `${at.replaceAll(' ', '-')}.png`), fullPage: true })
      expect(await page.evaluate<number>('document.documentElement.scrollWidth'), at).toBeLessThanOrEqual(display.width)
      // opened, a document shows all that it shows closed: closed it is examined once
      if (index === 0) expect(await violationsOf(page, 'wcag and best practice'), at).toEqual([])
      await page.evaluate('for (const each of document.querySelectorAll("details")) each.open = true')
      if (hasDetails || index > 0) expect(await violationsOf(page, 'wcag and best practice'), at).toEqual([])
    }
    expect(problems, name).toEqual([])
  }
  await context.close()
}

test.each(['en', 'de'] as const)(
  'every document of a status page in %s meets WCAG 2.2 AA in both themes, wide and narrow',
  language => expectAccessible(language),
  180_000,
)
