import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { migrateClickhouse } from '#analytics/migrate.ts'
import type { KindName } from '#checks/index.ts'
import { app, given } from '#test/support/app.ts'
import { openBrowser } from '#test/support/chromium.ts'
import { AppPage } from '#test/support/web.ts'
import { aMonitorOfEveryKind } from './every-kind.ts'
import { findingsOf } from './findings.ts'

let browser: Browser
beforeAll(async () => {
  await migrateClickhouse(app.stores.clickhouseUrl)
  browser = await openBrowser()
}, 120_000)
afterAll(() => browser?.close())

const inDays = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString()

/** What is on the screen of a kind, beside what all have. */
const findings: Partial<Record<KindName, object>> = {
  ssl: {
    issuer: 'CN=R11, O=Example Trust',
    subject: 'CN=shop.example',
    names: ['shop.example', 'www.shop.example'],
    valid_from: inDays(-84),
    valid_to: inDays(6),
    days_left: 6,
    chain_error: null,
    chain_problem: null,
    missing_link: null,
    weaknesses: [],
    chain: [
      {
        subject: 'CN=shop.example',
        issuer: 'CN=R11, O=Example Trust',
        not_after: inDays(6),
        key: 'EC 256',
        signature: 'SHA-256',
      },
      {
        subject: 'CN=R11, O=Example Trust',
        issuer: 'CN=Example Root X1',
        not_after: inDays(600),
        key: 'RSA 2048',
        signature: 'SHA-256',
      },
    ],
  },
  dns: {
    records: { A: ['192.0.2.7', '192.0.2.8'], MX: ['10 mail.example'] },
    replaced: { A: ['192.0.2.7', '192.0.2.9'] },
  },
  redirect_chain: {
    hops: [
      { url: 'http://shop.example/', status: 301, protocol: 'HTTP/1.1', tls: null, ms: 41 },
      { url: 'https://shop.example/', status: 200, protocol: 'HTTP/2', tls: 'TLSv1.3', ms: 87 },
    ],
    end: 'arrived',
    failure: null,
    replaced: null,
  },
  lighthouse: { scores: { performance: 63, accessibility: 100, best_practices: 92, seo: 41 }, error: null },
  ping: { sent: 8, received: 6, min_ms: 11, avg_ms: 14, max_ms: 22, loss_percent: 25 },
  security_headers: { grade: 'B', score: 72 },
}

/** Words that only the view of the kind shows. */
const shown: Partial<Record<KindName, string>> = {
  ssl: 'Valid for 6 more days.',
  dns: '192.0.2.9',
  redirect_chain: 'Arrived',
  lighthouse: 'Best practices',
  ping: '6 of 8 packets were answered.',
  security_headers: '72 points',
  uptime: 'Newest runs',
  crawl: 'No run has measured anything yet.',
  broken_links: 'On the page',
  mixed_content: 'Loaded',
  dnsbl: 'Domain',
  domain_expiry: 'Registrar',
  robots_txt: 'Crawlers named',
  sitemap: 'Pages named',
  tcp: 'The expected text came',
  application_health: 'Form of the report',
}

test('every kind of check has a view', async () => {
  const owner = await given.tenant()
  let count = 0
  const text = () => `text ${++count}`
  const { id, checks } = await aMonitorOfEveryKind(owner, text, kind => ({
    ...(findingsOf(kind, text) as object),
    ...findings[kind],
  }))
  const opened = await AppPage.open(browser, owner, `/app/monitors/${id}/checks`)
  await opened.page.getByRole('main').getByRole('link', { name: 'Details' }).first().waitFor()
  for (const { kind, id: check } of checks) {
    await opened.follow(`/app/monitors/${id}/checks/${check}`)
    await opened.page.locator('section.card h2').waitFor()
    await opened.page
      .getByText(shown[kind] ?? 'Newest runs')
      .first()
      .waitFor()
  }
  await opened.close()
  expect(checks).toHaveLength(18)
})
