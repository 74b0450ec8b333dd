import { readFileSync } from 'node:fs'
import { Liquid } from 'liquidjs'
import { canonicalName } from '#contract/events.ts'
import type { MailData, MailType } from '#contract/mails.ts'
import { templateOf } from '#control-plane/alerting/notifications/templates/index.ts'
import { asText, onColor } from '#control-plane/tenancy/branding/contrast.ts'
import type { Language } from '#locales/languages.ts'
import type { Brand } from './brand.ts'
import { absolute, type Content, contentOf, type Link, linkOf, type Named } from './content.ts'
import { templates } from './templates/index.ts'
import type { MailTemplate, Tone } from './templates/template.ts'
import { asRecord, readerTimezone, type Scope, valueAt, voiceOf } from './voice.ts'
import { clean, cut } from './words.ts'

export interface Rendered {
  subject: string
  html: string
  text: string
  /** Additional headers. */
  headers: Record<string, string>
}

interface Options {
  language: Language
  brand: Brand
  /** The reader's; UTC if unknown. */
  timezone?: string
}

const engine = new Liquid({
  outputEscape: 'escape',
  strictFilters: true,
  ownPropertyOnly: true,
  memoryLimit: 20_000_000,
})
// no line break between a number and its unit
engine.registerFilter('units', (text: unknown) =>
  String(text).replace(/(\d) (ms|s|min|h|d|%)(?!\p{L})/gu, '$1\u00a0$2'),
)
const layout = engine.parse(readFileSync(new URL('./templates/layout.html', import.meta.url), 'utf8'))

const longestSubject = 200
const colors: Record<Exclude<Tone, 'neutral'>, string> = { bad: '#c0392b', good: '#1e8449', warning: '#b9770e' }

/** The texts of a mail. Only the layout turns them into HTML. */
interface MailContent extends Content {
  leave: Link | null
  links: Link[]
  powered_by: string
}

/** Renders a mail with a branding and in a language, as HTML and as text. */
export function renderMail<Type extends MailType>(
  type: Type,
  data: MailData<Type>,
  { language, brand, timezone = 'UTC' }: Options,
): Rendered {
  const template = templateFor(type, data)
  const viewed = viewBrand(brand)
  const scope = {
    ...asRecord(clean('payload' in data ? { ...data.payload, event: canonicalName(data.event) } : data)),
    brand: viewed,
    brand_name: viewed.name,
    [readerTimezone]: timezone,
  }
  const content = mailContentOf(template, language, scope)
  const prefix = template.isAlert && viewed.alert_prefix ? `[${viewed.alert_prefix}] ` : ''
  const subject = cut(`${prefix}${content.subject}`, longestSubject)
  const html: unknown = engine.renderSync(layout, {
    ...content,
    language,
    subject,
    preview: content.paragraphs.join(' ') || content.heading,
    brand: viewed,
    color: template.tone === 'neutral' ? viewed.color : colors[template.tone],
  })
  return { subject, html: String(html), text: textOf(content, viewed), headers: headersOf(data) }
}

function templateFor(type: MailType, data: MailData): Named<MailTemplate> {
  // the type `event` has many templates, and `warning` two: for the beginning and for the end
  if (type === 'event' && 'event' in data) return { ...templateOf(data.event), isAlert: true }
  if ('warning' in data && data.warning === 'cleared') return { ...templateOf('warning.cleared'), isAlert: true }
  const template = templates.get(type)
  if (!template) throw new Error(`There are no words for the mail ${type}.`)
  return template
}

function mailContentOf(template: Named<MailTemplate>, language: Language, scope: Scope): MailContent {
  const { say } = voiceOf({ ...template, area: 'mails' }, language, scope)
  const brand = asRecord(scope.brand)
  return {
    ...contentOf(template, language, scope),
    leave: template.leave === undefined ? null : linkOf(say('leave'), valueAt(scope, template.leave)),
    links: [
      linkOf(String(brand.name), brand.footer_url),
      linkOf(say('footer.support'), brand.support_url),
      linkOf(say('footer.privacy'), brand.privacy_url),
      linkOf(say('footer.imprint'), brand.imprint_url),
    ].filter(link => link !== null),
    powered_by: brand.hides_powered_by ? '' : say('footer.powered'),
  }
}

function textOf(
  { heading, paragraphs, details, lists, buttons, note, leave, links, powered_by }: MailContent,
  brand: { name: unknown; footer_text: unknown },
): string {
  const blocks = [
    heading,
    ...paragraphs,
    details.map(({ label, value }) => `${label}: ${value}`).join('\n'),
    ...lists.map(({ title, rows }) =>
      [title, ...rows.map(({ text, detail }) => `- ${text}${detail && `: ${detail}`}`)].filter(Boolean).join('\n'),
    ),
    ...buttons.map(({ label, url }) => `${label}:\n${url}`),
    note,
    leave ? `${leave.label}: ${leave.url}` : '',
    ['-- ', brand.name, brand.footer_text, ...links.map(({ label, url }) => `${label}: ${url}`), powered_by]
      .filter(Boolean)
      .join('\n'),
  ]
  return `${blocks.filter(Boolean).join('\n\n')}\n`
}

/** RFC 8058: mail programs offer to unsubscribe by one POST. */
const headersOf = (data: object): Record<string, string> =>
  'one_click_url' in data && typeof data.one_click_url === 'string'
    ? { 'List-Unsubscribe': `<${data.one_click_url}>`, 'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click' }
    : {}

const colorShape = /^#(?:[\da-f]{3}|[\da-f]{6})$/i
const colorOf = (brand: Brand) => (colorShape.test(brand.color) ? brand.color : '#1f6feb')
/** The colours of the layout's background and texts. */
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
