import { readFile } from 'node:fs/promises'
import { describe, expect, test } from 'vitest'
import { suppressibleMails } from '#contract/events.ts'
import { isMailType, type MailData, type MailType, mails, mailTypes } from '#contract/mails.ts'
import type { Brand } from '#control-plane/alerting/mail/brand.ts'
import { compileLayout } from '#control-plane/alerting/mail/compile.ts'
import { renderMail } from '#control-plane/alerting/mail/render.ts'
import { templates } from '#control-plane/alerting/mail/templates/index.ts'
import { languageOfTag, languages } from '#locales/languages.ts'
import { injected } from '#test/control-plane/alerting/injected.ts'

const brand: Brand = {
  name: 'Example Hosting',
  logoUrl: 'https://brand.example.com/logo.png',
  logoUrlDark: 'https://brand.example.com/logo-dark.png',
  color: '#336699',
  alertPrefix: 'EX',
  supportUrl: 'https://brand.example.com/help',
  upgradeUrl: 'https://brand.example.com/upgrade?a=1&b=2',
  footerText: 'Example Hosting Ltd, 1 Example Street',
  footerUrl: 'https://brand.example.com/',
  privacyUrl: 'https://brand.example.com/privacy',
  imprintUrl: null,
  hidesPoweredBy: true,
  planLabels: {},
}
const dataOf = (type: MailType) => mails[type].schema.parse(mails[type].example) as MailData
const cases = mailTypes.flatMap(type => languages.map(language => ({ type, language })))
/** Every tag with the names of its attributes, in order. */
const tagsOf = (html: string) =>
  [...html.matchAll(/<(\/?[\w!:-]+)([^>]*)>/g)].map(([, name, rest = '']) =>
    [name, ...[...rest.matchAll(/([\w:-]+)="/g)].map(([, attribute]) => attribute)].join(' '),
  )

/** The example with this text in every field that is neither an address nor a moment. */
function poison(value: unknown, text: string, name = ''): unknown {
  if (Array.isArray(value)) return value.map(each => poison(each, text))
  if (typeof value === 'object' && value !== null)
    return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, poison(each, text, key)]))
  const isText =
    typeof value === 'string' &&
    !/_(url|at|id|to|since)$|^(at|from|to|since|timestamp|period|timezone|event|mode)$/.test(name)
  return isText ? text : value
}

describe('the texts of mails', () => {
  test('every mail has a template, also each suppressible one whose feature exists', () => {
    // `event` has the template of its event
    expect([...templates.keys(), 'event'].sort()).toEqual([...mailTypes].sort())
    expect(suppressibleMails.filter(type => !isMailType(type))).toEqual(['dns_changed'])
  })

  test.each(cases)('$type in $language', async ({ type, language }) => {
    const { subject, text, html } = renderMail(type, dataOf(type), { language, brand })
    await expect(`${subject}\n\n${text}`).toMatchFileSnapshot(`golden/${type}-${language}.txt`)
    expect(html).toContain(`lang="${language}"`)
    expect(`${subject}${text}${html}`).not.toMatch(/\{\{|\{%|undefined|\[object/)
    const addresses = [...html.matchAll(/(?:href|src)="([^"]*)"/g)].map(([, address = '']) => address)
    expect(addresses.length).toBeGreaterThan(0)
    for (const address of addresses) expect(address).toMatch(/^https:\/\/(brand|status)\.example\.com\//)
  })

  test('a whole mail as HTML', async () => {
    await expect(
      renderMail('invitation', mails.invitation.example, { language: 'de', brand }).html,
    ).toMatchFileSnapshot('golden/invitation-de.html')
  })

  /** `npm run faults` tries each of them after each of `injected`. */
  const behind = process.env.INJECTIONS ? ['', ...injected] : ['']

  test.each(
    [
      ['a script', '<script>alert(1)</script><img src=x onerror=alert(1)>"\'><b>'],
      ['Liquid', '{{ 7 | times: 7 }}{% assign x = 1 %}{% raw %}{{ brand.color }}'],
      ['line breaks', 'x\r\nBcc: a@b.example\u2028\u0085\u0000y'],
      ['ten thousand characters', 'ß'.repeat(10_000)],
      ['halves of characters', `\ud83d${'🦊'.repeat(5_000)}`],
      ['writing from right to left', 'שלום \u202etxt.exe\u2066 مرحبا'],
    ].flatMap(([what, hostile]) => behind.map(before => [what, `${before}${hostile}`])),
  )('what people wrote is text and stays where it was put: %s', (_, hostile = '') => {
    const hostileBrand = {
      ...brand,
      name: hostile,
      footerText: hostile,
      alertPrefix: hostile,
      color: 'red;}body{display:none',
    }
    for (const { type, language } of cases) {
      const harmless = renderMail(type, poison(mails[type].example, 'x') as MailData, { language, brand })
      const { subject, html, text } = renderMail(type, poison(mails[type].example, hostile) as MailData, {
        language,
        brand: hostileBrand,
      })
      expect(tagsOf(html), type).toEqual(tagsOf(harmless.html))
      expect(html.split('<').length, type).toBe(harmless.html.split('<').length)
      expect(text.split('\n').length, type).toBe(harmless.text.split('\n').length)
      // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what must not be there
      const dangerous = /[\u0000\r\u0085\u2028\u202a-\u202e\u2066-\u2069]|display:none[^;]|\b49\b/
      expect(dangerous.exec(`${subject}${text}${html}`)?.[0], type).toBeUndefined()
      expect(subject.length, type).toBeLessThanOrEqual(200)
      expect(subject, type).not.toContain('\n')
      expect(html.length, type).toBeLessThan(60_000)
      expect(`${subject}${text}${html}`.isWellFormed()).toBe(true)
    }
  })

  test('Liquid in texts of users is shown unchanged', () => {
    const { subject, html } = renderMail(
      'member_removed',
      { team_name: '{{ user_name }} & {% if %}', user_name: 'Pat' },
      { language: 'en', brand },
    )
    expect(subject).toBe('You are no longer a member of {{ user_name }} & {% if %} – Example Hosting')
    expect(html).toContain('{{ user_name }} &amp; {% if %}')
  })

  test('an address that is relative, or of another scheme than http and https, is left out', () => {
    const branding = {
      ...brand,
      logoUrl: 'javascript:alert(1)',
      supportUrl: '/help',
      upgradeUrl: 'data:text/html,x',
      footerUrl: 'mailto:a@b.example',
    }
    const { html, text } = renderMail('trial_expired', mails.trial_expired.example, { language: 'en', brand: branding })
    expect([...html.matchAll(/(?:href|src)="([^"]*)"/g)].map(([, address]) => address)).toEqual([
      'https://status.example.com/app/settings/plan',
      'https://brand.example.com/privacy',
    ])
    expect(text).not.toContain('Choose a plan')
  })

  test('only alerts begin with the prefix of the brand', () => {
    expect(renderMail('incident_created', mails.incident_created.example, { language: 'en', brand }).subject).toBe(
      '[EX] Shop is down: The site answered with status 503 (2 of 3 regions)',
    )
    expect(renderMail('trial_expired', mails.trial_expired.example, { language: 'en', brand }).subject).toBe(
      'The trial of Acme has ended – Example Hosting',
    )
  })

  test('a plan has the name that the reseller gave it', () => {
    const branding = { ...brand, planLabels: { pro: 'Gold & <b>', starter: 'Silver' } }
    const { text, html } = renderMail('trial_ending', mails.trial_ending.example, { language: 'en', brand: branding })
    expect(text).toContain('the plan Gold & <b>.')
    expect(html).toContain('the plan Gold &amp; &lt;b&gt;.')
    const german = renderMail('trial_expired', mails.trial_expired.example, { language: 'de', brand: branding })
    expect(german.text).toContain('bisher war es Gold & <b>.')
    const sold = { ...mails.trial_ending.example, plan_after_trial: 'starter' }
    expect(renderMail('trial_ending', sold, { language: 'en', brand: branding }).text).toContain(
      'After the trial the plan Silver applies.',
    )
    const ended = { ...mails.trial_expired.example, plan: 'starter' }
    expect(renderMail('trial_expired', ended, { language: 'de', brand: branding }).text).toContain(
      'gilt jetzt der Tarif Silver;',
    )
  })

  test('people with an unsupported language get English mails', () => {
    expect(['de', 'de-AT', 'DE', 'en-GB', 'fr', 'pt-BR', ''].map(languageOfTag)).toEqual([
      'de',
      'de',
      'de',
      'en',
      'en',
      'en',
      'en',
    ])
  })

  test('a digest has a one-click unsubscribe header', () => {
    expect(renderMail('digest', mails.digest.example, { language: 'en', brand }).headers).toEqual({
      'List-Unsubscribe': `<${mails.digest.example.one_click_url}>`,
      'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
    })
    expect(
      renderMail('monthly_report', mails.monthly_report.example, { language: 'en', brand }).headers['List-Unsubscribe'],
    ).toContain('/monthly-report/unsubscribe?')
    expect(renderMail('invitation', mails.invitation.example, { language: 'en', brand }).headers).toEqual({})
  })

  test('German has its umlauts', () => {
    const all = mailTypes.map(type => renderMail(type, dataOf(type), { language: 'de', brand }).text).join('\n')
    expect(all).not.toMatch(
      /\b(fuer|ueber|koennen|moechten|Aenderung|geaendert|loeschen|geloescht|Bestaetigen|bestaetigen|Verfuegbarkeit|Stoerung)\b/,
    )
    expect(all).toMatch(/Verfügbarkeit/)
  })
})

test('the stored layout is the compiled MJML', async () => {
  const kept = await readFile('control-plane/alerting/mail/templates/layout.html', 'utf8')
  expect(kept, 'run `npm run mails`').toBe(await compileLayout())
})

test('every example matches its schema', () => {
  for (const type of mailTypes)
    expect(mails[type].schema.safeParse(mails[type].example).error?.issues ?? [], type).toEqual([])
})
