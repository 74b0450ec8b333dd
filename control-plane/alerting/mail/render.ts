import { readFileSync } from 'node:fs'
import { Liquid } from 'liquidjs'
import { canonicalName } from '#contract/events.ts'
import type { MailData, MailType } from '#contract/mails.ts'
import { templateOf } from '#control-plane/alerting/notifications/templates/index.ts'
import { warningCleared } from '#control-plane/alerting/notifications/templates/warning.ts'
import type { Brand } from './brand.ts'
import { absolute, asRecord, type Content, contentOf, type Link, linkOf, type Scope } from './content.ts'
import { asText, onColor } from './contrast.ts'
import { templates } from './templates/index.ts'
import type { Template, Tone } from './templates/template.ts'
import { clean, cut, fill, type MailLanguage, readerTimezone } from './words.ts'

export interface Rendered {
  subject: string
  html: string
  text: string
  /** Heads of the mail besides the usual ones. */
  headers: Record<string, string>
}

interface Options {
  language: MailLanguage
  brand: Brand
  /** Of the reader; UTC where it is not known. */
  timezone?: string
}

const engine = new Liquid({
  outputEscape: 'escape',
  strictFilters: true,
  ownPropertyOnly: true,
  memoryLimit: 20_000_000,
})
// a number and its unit stay on one line
engine.registerFilter('units', (text: unknown) =>
  String(text).replace(/(\d) (ms|s|min|h|d|%)(?!\p{L})/gu, '$1\u00a0$2'),
)
const layout = engine.parse(readFileSync(new URL('./templates/layout.html', import.meta.url), 'utf8'))

const longestSubject = 200
const colors: Record<Exclude<Tone, 'neutral'>, string> = { bad: '#c0392b', good: '#1e8449', warning: '#b9770e' }
const links = {
  en: { support: 'Support', privacy: 'Privacy', imprint: 'Imprint', powered: 'Sent by Vedette' },
  de: { support: 'Hilfe', privacy: 'Datenschutz', imprint: 'Impressum', powered: 'Gesendet von Vedette' },
}

/** What stands in a mail, as text: HTML is made of it by the layout alone. */
interface MailContent extends Content {
  leave: Link | null
  links: Link[]
  powered_by: string
}

/** A mail in its brand’s looks and its reader’s language: the same words as HTML and as text. */
export function renderMail<Type extends MailType>(
  type: Type,
  data: MailData<Type>,
  { language, brand, timezone = 'UTC' }: Options,
): Rendered {
  const template = templateFor(type, data)
  const looks = viewBrand(brand)
  const scope = {
    ...asRecord(clean('payload' in data ? { ...data.payload, event: canonicalName(data.event) } : data)),
    brand: looks,
    brand_name: looks.name,
    [readerTimezone]: timezone,
  }
  const content = mailContentOf(template, language, scope)
  const prefix = template.isAlert && looks.alert_prefix ? `[${looks.alert_prefix}] ` : ''
  const subject = cut(`${prefix}${content.subject}`, longestSubject)
  const html: unknown = engine.renderSync(layout, {
    ...content,
    language,
    subject,
    preview: content.paragraphs.join(' ') || content.heading,
    brand: looks,
    color: template.tone === 'neutral' ? looks.color : colors[template.tone],
  })
  return { subject, html: String(html), text: textOf(content, looks), headers: headersOf(data) }
}

function templateFor(type: MailType, data: MailData): Template {
  // one mail stands for many events, and one for the beginning and the end of a warning
  if (type === 'event' && 'event' in data) return { ...templateOf(data.event), type, isAlert: true }
  const template = templates.get(type)
  if (!template) throw new Error(`There are no words for the mail ${type}.`)
  return 'warning' in data && data.warning === 'cleared' ? { ...template, ...warningCleared } : template
}

function mailContentOf(template: Template, language: MailLanguage, scope: Scope): MailContent {
  const say = (text: string) => fill(language, text, scope)
  const footer = links[language]
  return {
    ...contentOf(template, language, scope),
    leave: linkOf(say, template[language].leave, template.leaveLink),
    links: [
      linkOf(say, '{{ brand.name }}', '{{ brand.footer_url }}'),
      linkOf(say, footer.support, '{{ brand.support_url }}'),
      linkOf(say, footer.privacy, '{{ brand.privacy_url }}'),
      linkOf(say, footer.imprint, '{{ brand.imprint_url }}'),
    ].filter(link => link !== null),
    powered_by: asRecord(scope.brand).hides_powered_by ? '' : footer.powered,
  }
}

function textOf(
  { heading, paragraphs, facts, lists, buttons, note, leave, links, powered_by }: MailContent,
  looks: { name: unknown; footer_text: unknown },
): string {
  const blocks = [
    heading,
    ...paragraphs,
    facts.map(({ label, value }) => `${label}: ${value}`).join('\n'),
    ...lists.map(({ title, rows }) =>
      [title, ...rows.map(({ text, detail }) => `- ${text}${detail && `: ${detail}`}`)].filter(Boolean).join('\n'),
    ),
    ...buttons.map(({ label, url }) => `${label}:\n${url}`),
    note,
    leave ? `${leave.label}: ${leave.url}` : '',
    ['-- ', looks.name, looks.footer_text, ...links.map(({ label, url }) => `${label}: ${url}`), powered_by]
      .filter(Boolean)
      .join('\n'),
  ]
  return `${blocks.filter(Boolean).join('\n\n')}\n`
}

/** RFC 8058: mail programs offer to leave, and do so by one POST. */
const headersOf = (data: object): Record<string, string> =>
  'one_click_url' in data && typeof data.one_click_url === 'string'
    ? { 'List-Unsubscribe': `<${data.one_click_url}>`, 'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click' }
    : {}

const colorShape = /^#(?:[\da-f]{3}|[\da-f]{6})$/i
const colorOf = (brand: Brand) => (colorShape.test(brand.color) ? brand.color : '#1f6feb')
/** The colours that the layout has behind and in its texts. */
const paper = { back: '#f3f4f6', text: '#1f2937' } as const
const viewBrand = (brand: Brand) => ({
  name: String(clean(brand.name)),
  alert_prefix: brand.alertPrefix && String(clean(brand.alertPrefix)),
  color: colorOf(brand),
  on_color: onColor(colorOf(brand)),
  text_color: asText(colorOf(brand), paper.back, paper.text),
  logo_url: absolute(brand.logoUrl),
  logo_url_dark: absolute(brand.logoUrlDark),
  support_url: absolute(brand.supportUrl),
  upgrade_url: absolute(brand.upgradeUrl),
  footer_text: brand.footerText && String(clean(brand.footerText)),
  footer_url: absolute(brand.footerUrl),
  privacy_url: absolute(brand.privacyUrl),
  imprint_url: absolute(brand.imprintUrl),
  hides_powered_by: brand.hidesPoweredBy,
  plan_labels: asRecord(clean(brand.planLabels)),
})
