import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type MailData, type MailType, mails, mailTypes } from '#contract/mails.ts'
import { planLimits } from '#contract/plans.ts'
import type { Brand } from '#control-plane/alerting/mail/brand.ts'
import { brandOf } from '#control-plane/alerting/mail/brand.ts'
import { renderMail } from '#control-plane/alerting/mail/render.ts'
import { effectiveBranding } from '#control-plane/tenancy/branding/effective.ts'
import { unset } from '#control-plane/tenancy/branding/fields.ts'
import type { Language } from '#locales/languages.ts'
import { groups, mailOf } from '#test/control-plane/alerting/channels/messages.ts'
import { violationsOf } from '#test/support/axe.ts'
import { openBrowser } from '#test/support/chromium.ts'

/**
 * A folder for pictures of the mails: `PICTURES=folder node cli/vedette.js test
 * test/control-plane/alerting/mail/pictures.gate.test.ts`.
 */
const folder = process.env.PICTURES

const ours = brandOf(effectiveBranding(unset, planLimits.free, null))
const logo = (color: string) =>
  `<svg xmlns="http://www.w3.org/2000/svg" width="320" height="80">
    <rect width="320" height="80" rx="16" fill="${color}"/></svg>`
const bright: Brand = {
  ...ours,
  name: 'Müller Hosting',
  color: '#ffd400',
  logoUrl: 'https://brand.example.com/logo.svg',
  logoUrlDark: 'https://brand.example.com/logo-dark.svg',
  alertPrefix: 'PROD',
  supportUrl: 'https://brand.example.com/help',
  footerText: 'Müller Hosting GmbH, Musterstraße 1, 12345 Musterstadt',
  privacyUrl: 'https://brand.example.com/privacy',
  hidesPoweredBy: true,
}

interface Shown {
  name: string
  type: MailType
  data: MailData
  brand: Brand
  language: Language
}
const long =
  'A monitor with a rather long name that a person gave it on a Friday: ' +
  'https://a-very-long-host-name.internal.example.com/path'
const shown: Shown[] = [
  ...mailTypes
    .filter(type => !type.startsWith('security_') || type === 'security_login_new_device')
    .map(type => ({
      name: type,
      type,
      data: mails[type].schema.parse(mails[type].example) as MailData,
      brand: ours,
      language: 'en' as const,
    })),
  ...Object.entries(groups).flatMap(([group, messages]) =>
    messages.map((message, index) => ({
      name: `${group}-${index + 1}`,
      ...mailOf(message),
      brand: bright,
      language: 'de' as const,
    })),
  ),
  {
    name: 'long',
    type: 'incident_created',
    data: {
      ...mails.incident_created.example,
      monitor_name: long,
      monitor_url: `https://shop.example.com/${'x'.repeat(300)}`,
      title: long,
      cause: long,
    },
    brand: { ...ours, color: '#00e5a0', name: long.slice(0, 100) },
    language: 'en',
  },
]

/** Mails that have all parts of the layout. Of the others only pictures are taken. */
const examined = ['incident_created', 'digest', 'invitation', 'incident-1', 'suppression-3', 'long']

/** Labels that are broken into lines. */
const brokenLabels = `[...document.querySelectorAll('td.label')].filter(cell => {
  const text = document.createRange()
  text.selectNodeContents(cell)
  return text.getClientRects().length > 1
}).length`

let browser: Browser
beforeAll(async () => {
  browser = await openBrowser()
  if (folder) mkdirSync(folder, { recursive: true })
}, 60_000)
afterAll(() => browser?.close())

describe.each(['light', 'dark'] as const)('mails in a %s mail program', colorScheme => {
  test.each([360, 640])(
    'fit into %i pixels, and every text has the contrast of WCAG AA',
    { timeout: 180_000 },
    async width => {
      const context = await browser.newContext({ colorScheme, viewport: { width, height: 800 }, deviceScaleFactor: 1 })
      await context.route(/brand\.example\.com/, (route, request) =>
        route.fulfill({
          contentType: 'image/svg+xml',
          body: logo(request.url().includes('dark') ? '#ffd400' : '#333'),
        }),
      )
      const page = await context.newPage()
      for (const { name, type, data, brand, language } of shown.filter(
        each => folder || examined.includes(each.name),
      )) {
        await page.setContent(renderMail(type, data, { language, brand, timezone: 'Europe/Berlin' }).html)
        if (folder) await page.screenshot({ path: join(folder, `${name}-${colorScheme}-${width}.png`), fullPage: true })
        if (!examined.includes(name)) continue
        const wide = await page.evaluate<number>('document.documentElement.scrollWidth')
        expect(wide, `${name} is wider than the window`).toBeLessThanOrEqual(width)
        expect(await page.evaluate<number>(brokenLabels), `${name} has labels on more than one line`).toBe(0)
        const problems = await violationsOf(page, 'color contrast', { withUncertain: true })
        expect(problems, `${name}: contrast`).toEqual([])
      }
      await context.close()
    },
  )
})
