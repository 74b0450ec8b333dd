import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { until } from '#cli/local/loopback.ts'
import { brandCss } from '#control-plane/identity/pages/brand.ts'
import { contrastOf } from '#control-plane/tenancy/branding/contrast.ts'
import { customHostsOf } from '#control-plane/tenancy/portal-hosts/custom-hosts.ts'
import { portalHostsOf } from '#control-plane/tenancy/portal-hosts/hosts.ts'
import { aDomain } from '#test/control-plane/publishing/custom-domains/domains.ts'
import { app, type CallerUnderTest, given } from '#test/support/app.ts'
import { openBrowser } from '#test/support/chromium.ts'
import { Visitor } from './visitor.ts'

const { platform } = app.services
const paths = ['/login', '/forgot', '/logout', '/invitation', '/password-reset', '/login/second-factor']

let browser: Browser
let page: Page
beforeAll(async () => {
  browser = await openBrowser()
  page = await browser.newPage()
  await customHostsOf(app.services).loaded
}, 60_000)
afterAll(() => browser?.close())

async function aPortal(tenant: CallerUnderTest): Promise<string> {
  const { id, hostname } = await aDomain(tenant, { purpose: 'portal' })
  await platform.query(`update custom_domains set state = 'active' where id = $1`, [id])
  await until(async () => portalHostsOf(app.services).find(hostname) !== undefined, { withinMs: 10_000, everyMs: 20 })
  return hostname
}

async function setBrand({ tenantId }: CallerUnderTest, fields: Record<string, string | boolean | null>): Promise<void> {
  const names = Object.keys(fields)
  await platform.query(
    `insert into brandings (tenant_id, ${names.join(', ')})
     values ($1, ${names.map((_, at) => `$${at + 2}`).join(', ')})
     on conflict (tenant_id) do update set ${names.map(name => `${name} = excluded.${name}`).join(', ')}`,
    [tenantId, ...Object.values(fields)],
  )
}

/** Elements with the names of their attributes, and the text, as a browser reads them. */
const structureOf = (html: string) =>
  page.evaluate<{ elements: string; text: string }, string>(text => {
    const parsed = new (globalThis as unknown as { DOMParser: new () => DomParser }).DOMParser()
    const document = parsed.parseFromString(text, 'text/html')
    const elements = [...document.querySelectorAll('*')].map(
      each => `${each.tagName} ${[...each.attributes].map(({ name }) => name).join(' ')}`,
    )
    return { elements: elements.join('\n'), text: document.body.textContent ?? '' }
  }, html)

interface DomParser {
  parseFromString(
    text: string,
    type: string,
  ): {
    body: { textContent: string | null }
    querySelectorAll(of: string): Iterable<{ tagName: string; attributes: Iterable<{ name: string }> }>
  }
}

/** Two hundred ways to leave a text of a page. */
const payloads: string[] = [
  '<script>alert(1)</script>',
  '<img src=x onerror=alert(1)>',
  '<svg/onload=alert(1)>',
  '<iframe srcdoc=x>',
  '<a href=javascript:alert(1)>x</a>',
  '<style>*{color:red}</style>',
  '<base href=//evil.example>',
  '<meta http-equiv=refresh content=0>',
  '<form action=//evil.example>',
  '<input name=form_token value=x>',
  '<!--',
  '<![CDATA[<b>x</b>]]>',
  '&lt;script&gt;x&lt;/script&gt;',
  '{{7*7}}{% raw %}',
  '$(alert(1))',
  "' onfocus=alert(1) autofocus x='",
  '" onfocus=alert(1) autofocus x="',
  '` onfocus=alert(1) `',
  'javascript:alert(1)//',
  '\u202E<b>\u2028</b>',
].flatMap(text => [
  text,
  text.toUpperCase(),
  `"${text}`,
  `'${text}`,
  `">${text}`,
  `'>${text}`,
  `</title>${text}`,
  `</p>${text}<p>`,
  `-->${text}`,
  `</a></li>${text}`,
])

describe('the brand of a portal', () => {
  test('is on each page of its host, with logo, colour, links and footer, and on no other host', async () => {
    const tenant = await given.tenant()
    const hostname = await aPortal(tenant)
    await setBrand(tenant, {
      brand_name: 'Nordhost & Söhne',
      primary_color: '#7a0c5d',
      logo_url: 'https://cdn.nordhost.example/logo.svg',
      logo_url_dark: 'https://dark.nordhost.example/logo.svg',
      support_url: 'https://nordhost.example/help?a=1&b=2',
      footer_text: 'A service of Nordhost',
    })
    for (const path of paths) {
      const { html, headers } = await new Visitor().get(path, { Host: hostname.toUpperCase() })
      for (const part of [
        'alt="Nordhost &amp; Söhne"',
        'href="/pages/brand.css?color=7a0c5d"',
        'src="https://cdn.nordhost.example/logo.svg"',
        'href="https://nordhost.example/help?a=1&amp;b=2"',
        'A service of Nordhost',
        'Powered by Vedette',
      ])
        expect(html, path).toContain(part)
      expect(headers['content-security-policy'], path).toContain(
        "img-src 'self' https://cdn.nordhost.example https://dark.nordhost.example; ",
      )
      expect((await new Visitor().get(path, { Host: 'localhost' })).html, path).not.toContain('Nordhost')
    }
  })

  test('is shown by no host that is not served, and neither is a sign-in: 421 in no brand', async () => {
    const tenant = await given.tenant()
    const hostname = await aPortal(tenant)
    await setBrand(tenant, { brand_name: 'Nordhost' })
    const visitor = new Visitor()
    for (const host of [`x.${hostname}`, `${hostname}.evil.example`, 'unknown.example', 'localhost.evil.example'])
      for (const path of ['/', '/app', '/app/monitors', '/console', '/nothing', ...paths]) {
        const { status, html } = await visitor.get(path, { Host: host, Accept: 'text/html' })
        expect(status, `${path} ${host}`).toBe(421)
        expect(html, `${path} ${host}`).not.toMatch(/Nordhost|Vedette|login|password/i)
      }
    for (const host of ['localhost', '127.0.0.1:8080', '[::1]', hostname, `${hostname}:8443`, `${hostname}.`])
      expect((await visitor.get('/login', { Host: host })).status, host).toBe(200)
  })

  test('goes with the plan, the suspension and the end of its team, at once', async () => {
    for (const change of [
      `feature_overrides = '{"custom_domains": false}'`,
      'suspended_at = now(), paused_at = now()',
      'deleted_at = now()',
    ]) {
      const tenant = await given.tenant()
      const hostname = await aPortal(tenant)
      expect((await new Visitor().get('/login', { Host: hostname })).status).toBe(200)
      await platform.query(`update tenants set ${change} where id = $1`, [tenant.tenantId])
      await expect
        .poll(async () => (await new Visitor().get('/login', { Host: hostname })).status, { timeout: 5_000 })
        .toBe(421)
    }
  })

  test('is the team’s own, else its reseller’s, and a plan without it cannot hide who made this', async () => {
    const reseller = await given.reseller()
    await platform.query(`update tenants set plan = 'free' where id = $1`, [reseller.tenantId])
    const team = await given.team(reseller, { overrides: { white_label_branding: false } })
    await setBrand(reseller, { brand_name: 'Reseller GmbH', hide_powered_by: true })
    await setBrand(team, { footer_text: 'Own footer', hide_powered_by: true })
    const hostname = await aPortal(team)
    const { html } = await new Visitor().get('/login', { Host: hostname })
    for (const part of ['Sign in to Reseller GmbH', 'Own footer', 'Powered by Vedette']) expect(html).toContain(part)
  })

  test('stays text: two hundred payloads in each of its texts make no element and no attribute', async () => {
    expect(payloads).toHaveLength(200)
    const tenant = await given.tenant()
    const hostname = await aPortal(tenant)
    const shown = async (text: string) => {
      await setBrand(tenant, { brand_name: text.slice(0, 100), footer_text: text })
      const pages = await Promise.all(
        ['/login', '/invitation'].map(path => new Visitor().get(path, { Host: hostname })),
      )
      return Promise.all(pages.map(({ html }) => structureOf(html)))
    }
    const usual = await shown('Nordhost')
    for (const payload of payloads) {
      const found = await shown(payload)
      expect(
        found.map(({ elements }) => elements),
        payload,
      ).toEqual(usual.map(({ elements }) => elements))
      expect(found[0]?.text, payload).toContain(payload)
    }
  }, 120_000)

  test('has no link and no picture of an address that is not of the web, and no colour that is none', async () => {
    const tenant = await given.tenant()
    const hostname = await aPortal(tenant)
    for (const url of [
      'javascript:alert(1)',
      'data:text/html,x',
      'vbscript:x',
      '//evil.example',
      '/local',
      'not a url',
    ]) {
      await setBrand(tenant, {
        ...{ logo_url: url, logo_url_dark: url, symbol_url: url, footer_url: url, support_url: url },
        ...{ privacy_url: url, imprint_url: url, footer_text: 'Footer' },
      })
      const { html, headers } = await new Visitor().get('/login', { Host: hostname })
      expect(html, url).not.toContain(url)
      expect(headers['content-security-policy'], url).toContain("img-src 'self'; ")
    }
    const breaking = 'https://evil.example/x;script-src *"onload=x'
    await setBrand(tenant, { logo_url: breaking })
    const { html, headers } = await new Visitor().get('/login', { Host: hostname })
    expect(headers['content-security-policy']).toContain("img-src 'self' https://evil.example; connect-src")
    expect(html).toContain('src="https://evil.example/x;script-src%20*%22onload=x"')
    for (const color of ['', '12345', 'red', '#fff', '1a5fd0}', '../x'])
      expect((await new Visitor().get(`/pages/brand.css?color=${encodeURIComponent(color)}`)).status, color).toBe(404)
  })
})

test('every colour of a brand gives readable buttons and links, on light and on dark', () => {
  for (const digits of ['000', 'fff', 'ffd400', '1f6feb', '808080', '7a0c5d', '00ff00', '0000ff']) {
    const css = brandCss(digits) ?? ''
    const values = [...css.matchAll(/--accent:(#\w+);--on-accent:(#\w+);--link:(#\w+)/g)]
    expect(values, digits).toHaveLength(2)
    for (const [at, [, accent = '', onAccent = '', link = '']] of values.entries()) {
      expect(contrastOf(accent, onAccent), digits).toBeGreaterThanOrEqual(4.5)
      expect(contrastOf(link, at === 0 ? '#ffffff' : '#161b26'), digits).toBeGreaterThanOrEqual(4.5)
    }
  }
})
