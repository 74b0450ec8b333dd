import { mkdirSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { AxeBuilder } from '@axe-core/playwright'
import type { Browser } from 'playwright-core'
import { expect } from 'vitest'
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
import type { Locale } from '#control-plane/publishing/status-pages/values.ts'
import { aModel, asOf } from '#test/control-plane/publishing/status-pages/render/sample.ts'

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

export interface Surroundings {
  colorScheme: 'light' | 'dark'
  language: Locale
  /** Of the window, in pixels. */
  width: number
}

const rules = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice']

/** Opens every document in a browser: it breaks no rule of WCAG 2.2 AA, and needs no scrolling sideways. */
export async function expectAccessible(
  browser: Browser,
  { colorScheme, language, width }: Surroundings,
): Promise<void> {
  if (folder) mkdirSync(folder, { recursive: true })
  let served: Document
  await using server = createServer((_, response) => {
    response.setHeader('Content-Security-Policy', served.contentSecurityPolicy)
    response.setHeader('Content-Type', 'text/html; charset=utf-8')
    response.end(served.html)
  }).listen(0, '127.0.0.1')
  await new Promise(resolve => server.once('listening', resolve))
  const { port } = server.address() as AddressInfo
  for (const [name, render] of Object.entries(documents)) {
    served = render({ language, isForced: false, base: '/status/acme', staleSince: null })
    const context = await browser.newContext({ colorScheme, viewport: { width, height: 800 } })
    const page = await context.newPage()
    const problems: string[] = []
    page.on('console', message => {
      if (message.type() === 'error' && !message.text().includes('favicon')) problems.push(message.text())
    })
    await page.goto(`http://127.0.0.1:${port}`)
    const at = `${name} ${language} ${colorScheme} ${width}`
    if (folder) await page.screenshot({ path: join(folder, `${at.replaceAll(' ', '-')}.png`), fullPage: true })
    expect(await page.evaluate<number>('document.documentElement.scrollWidth'), at).toBeLessThanOrEqual(width)
    for (const isOpen of [false, true]) {
      if (isOpen) await page.evaluate('for (const each of document.querySelectorAll("details")) each.open = true')
      const { violations } = await new AxeBuilder({ page }).withTags(rules).analyze()
      expect(
        violations.map(({ id, nodes }) => `${id} ${nodes.map(({ html }) => html.slice(0, 120)).join(' ')}`),
        at,
      ).toEqual([])
    }
    expect(problems, at).toEqual([])
    await context.close()
  }
}
