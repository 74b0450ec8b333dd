import { rmSync } from 'node:fs'
import { join } from 'node:path'
import type { Browser, Page } from 'playwright-core'
import { getDocumentProxy } from 'unpdf'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { buildWeb } from '#cli/local/web.ts'
import { madeUpFolder, textsIn, untranslated } from '#test/support/made-up-language.ts'

/** Names of the product, formats, keys, codes of the API and languages; and lists as the runtime writes them. */
const shown = ['Vedette', 'Atom', 'RSS', 'JSON', 'Enter', 'http_status', 'timeout', 'English', 'Deutsch', 'xx', 'and']

let browser: Browser
let support: Awaited<ReturnType<typeof load>>

/** Read after the language was added and its app built. */
async function load() {
  process.env.WEB_FOLDER = (await buildWeb({ ...process.env, WEB_FOLDER: join(madeUpFolder, 'web') })).folder
  return {
    ...(await import('#test/support/app.ts')),
    ...(await import('#test/support/browser-session.ts')),
    ...(await import('#test/support/web.ts')),
    ...(await import('#test/support/settled.ts')),
    ...(await import('#test/control-plane/publishing/status-pages/pages.ts')),
    ...(await import('./everything.ts')),
  }
}

beforeAll(async () => {
  support = await load()
  const { openBrowser } = await import('#test/support/chromium.ts')
  browser = await openBrowser()
}, 300_000)
afterAll(async () => {
  await browser?.close()
  rmSync(madeUpFolder, { recursive: true })
})

/** All that a page shows or says to a screen reader. */
const saidBy = (page: Page) =>
  page.evaluate<string>(`[
    document.title,
    document.body.innerText,
    ...['title', 'aria-label', 'placeholder', 'alt'].flatMap(name =>
      [...document.querySelectorAll('[' + name + ']')]
        .filter(one => one.checkVisibility())
        .map(one => one.getAttribute(name))),
  ].join('\\n')`)

test('the app shows no word without a translation', async () => {
  const { given, inBrowser, everything, whoSeesEverything, settling, app } = support
  const { migrateClickhouse } = await import('#analytics/migrate.ts')
  await migrateClickhouse(app.stores.clickhouseUrl)
  const reseller = await given.reseller()
  const addresses = await everything(await inBrowser(reseller))
  const person = await whoSeesEverything(reseller, 'xx')
  const data = new Set(shown)
  const context = await browser.newContext({
    locale: 'en-GB',
    extraHTTPHeaders: { 'X-Forwarded-For': person.ip },
    viewport: { width: 1280, height: 900 },
  })
  const [name = '', value = ''] = person.cookie.split('=')
  await context.addCookies([{ name, value, url: app.baseUrl }])
  const page = await context.newPage()
  page.on('response', async response => {
    if (!response.url().includes('/api/v1/')) return
    const body: unknown = await response.json().catch(() => null)
    for (const text of textsIn(body)) data.add(text)
  })
  const settled = settling(page)
  const found: string[] = []
  for (const route of main)
    for (const path of (addresses[route] ?? [route]).slice(0, 1)) {
      await page.goto(`${app.baseUrl}${path}`)
      await page.getByRole('heading', { level: 1 }).waitFor()
      await settled()
      for (const line of untranslated(await saidBy(page), [...data])) found.push(`${route}: ${line}`)
    }
  await context.close()
  expect(found).toEqual([])
}, 600_000)

/** The main pages of the app. */
const main = [
  '/app',
  '/app/monitors',
  '/app/monitors/new',
  '/app/monitors/$monitor',
  '/app/incidents',
  '/app/incidents/$incident',
  '/app/alerts',
  '/app/status-pages',
  '/app/maintenance',
  '/app/on-call',
  '/app/reports',
  '/app/team',
  '/app/settings',
]

test('a status page shows no word without a translation', async () => {
  const { given, aPage, addTo, aMonitor, app } = support
  const person = await given.tenant({ plan: 'pro' })
  const page = await aPage(person, { name: 'Acme', state: 'published' })
  // the document of the API names the languages that are ours
  await app.services.platform.query(`update status_pages set locale = 'xx', locales = '{xx}' where id = $1`, [page.id])
  const monitor = await aMonitor(person)
  await addTo(person, `${page.id}/components`, { type: 'monitor', monitor_id: monitor.id, name: 'Shop' })
  await addTo(person, `${page.id}/posts`, { title: 'Checkout fails', body: 'Sorry for that.' })
  const data = [...shown, ...textsIn(page), 'Shop', 'Checkout fails']
  const tab = await (await browser.newContext({ extraHTTPHeaders: { 'X-Forwarded-For': person.ip } })).newPage()
  const found: string[] = []
  for (const path of ['', '/history', '/subscribe']) {
    await expect.poll(async () => (await tab.goto(`${app.baseUrl}/status/${page.slug}${path}`))?.status()).toBe(200)
    found.push(...untranslated(await saidBy(tab), [...data, 'Sorry for that.']).map(line => `${path}: ${line}`))
  }
  await tab.context().close()
  expect(found).toEqual([])
}, 120_000)

test('mails and notifications have no word without a translation', async () => {
  const { mails, mailTypes } = await import('#contract/mails.ts')
  const { events } = await import('#contract/events.ts')
  const { renderMail } = await import('#control-plane/alerting/mail/render.ts')
  const { brandOf } = await import('#control-plane/alerting/mail/brand.ts')
  const { effectiveBranding } = await import('#control-plane/tenancy/branding/effective.ts')
  const { unset } = await import('#control-plane/tenancy/branding/fields.ts')
  const { effectiveLimits } = await import('#contract/plans.ts')
  const brand = brandOf(effectiveBranding(unset, effectiveLimits('pro', {}), null))
  const found = (name: string, data: object, rendered: { subject: string; text: string }) =>
    untranslated(`${rendered.subject}\n${rendered.text}`, [...shown, ...textsIn(data), ...wordsOfData]).map(
      line => `${name}: ${line}`,
    )
  expect([
    ...mailTypes.flatMap(type =>
      found(type, mails[type].example, renderMail(type, mails[type].example as never, { language: 'xx', brand })),
    ),
    ...[...events]
      .filter(([name]) => !name.startsWith('email.'))
      .flatMap(([event, { example }]) =>
        found(event, example, renderMail('event', { event, payload: example } as never, { language: 'xx', brand })),
      ),
  ]).toEqual([])
})

/** Names in examples that could be words of the API: regions, tags, plans, a label, a reason, a type of channel. */
const wordsOfData = ['eu', 'us', 'shop', 'pro', 'starter', 'gold', 'unpaid', 'webhook']

test('a report as PDF has no word without a translation', async () => {
  const { BoundedRunner } = await import('#bounded/runner.ts')
  const { PdfRenderer } = await import('#control-plane/publishing/reports/pdf/renderer.ts')
  const { aDocument } = await import('#test/control-plane/publishing/reports/documents.ts')
  const document = aDocument('Shop', { language: 'xx' })
  const bounded = new BoundedRunner()
  const { bytes } = await new PdfRenderer({ bounded, log: { warn: () => undefined } }).render('a', document)
  await bounded.close(0)
  const pdf = await getDocumentProxy(new Uint8Array(bytes))
  const pages: string[] = []
  for (let page = 1; page <= pdf.numPages; page++)
    for (const item of (await (await pdf.getPage(page)).getTextContent()).items) if ('str' in item) pages.push(item.str)
  expect(pages.join(' ')).toContain('«')
  expect(untranslated(pages.join(' '), [...shown, ...textsIn(document)])).toEqual([])
}, 120_000)

test('a refusal is in the language that was asked for', async () => {
  const person = await support.given.tenant()
  const headers = { 'Accept-Language': 'xx' }
  const answer = await person.call('POST', '/monitors', { name: '', url: 'nowhere' }, { headers })
  expect(answer.status).toBe(422)
  expect(answer.headers.get('content-language')).toBe('xx')
  expect(untranslated([answer.body.message, ...Object.values(answer.body.errors).flat()].join('\n'), [])).toEqual([])
})
