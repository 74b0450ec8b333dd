import { readFileSync } from 'node:fs'
import { Liquid } from 'liquidjs'
import type { MailData, MailType } from '#contract/mails.ts'
import type { Brand } from './brand.ts'
import { templates } from './templates/index.ts'
import type { Template, Tone, Words } from './templates/template.ts'
import { clean, cut, fill, type MailLanguage } from './words.ts'

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
}

const engine = new Liquid({ outputEscape: 'escape', strictFilters: true, ownPropertyOnly: true, memoryLimit: 20_000_000 })
const layout = engine.parse(readFileSync(new URL('./templates/layout.html', import.meta.url), 'utf8'))

const longestSubject = 200
const colors: Record<Exclude<Tone, 'neutral'>, string> = { bad: '#c0392b', good: '#1e8449', warning: '#b9770e' }
const links = {
  en: { support: 'Support', privacy: 'Privacy', imprint: 'Imprint', powered: 'Sent by Vedette' },
  de: { support: 'Hilfe', privacy: 'Datenschutz', imprint: 'Impressum', powered: 'Gesendet von Vedette' },
}

/** What stands in a mail, as text: HTML is made of it by the layout alone. */
interface Content {
  heading: string
  paragraphs: string[]
  facts: { label: string; value: string }[]
  lists: { title: string; rows: { text: string; detail: string }[] }[]
  button: { label: string; url: string } | null
  note: string
  leave: { label: string; url: string } | null
  links: { label: string; url: string }[]
  powered_by: string
}

/** A mail in its brand’s looks and its reader’s language: the same words as HTML and as text. */
export function renderMail<Type extends MailType>(type: Type, data: MailData<Type>, { language, brand }: Options): Rendered {
  const template = templates.get(type)
  if (!template) throw new Error(`There are no words for the mail ${type}.`)
  const looks = viewBrand(brand)
  const scope = { ...asRecord(clean(data)), brand: looks, brand_name: looks.name }
  const words = template[language]
  const content = contentOf(template, words, language, scope)
  const prefix = template.isAlert && looks.alert_prefix ? `[${looks.alert_prefix}] ` : ''
  const subject = cut(`${prefix}${fill(language, words.subject, scope)}`, longestSubject)
  const tone = toneOf(template, data)
  const html: unknown = engine.renderSync(layout, {
    ...content,
    language,
    subject,
    preview: content.paragraphs.join(' ') || content.heading,
    brand: looks,
    color: tone === 'neutral' ? looks.color : colors[tone],
  })
  return { subject, html: String(html), text: textOf(content, looks), headers: headersOf(data) }
}

function contentOf(template: Template, words: Words, language: MailLanguage, scope: Record<string, unknown>): Content {
  const say = (text: string, more: object = {}) => fill(language, text, { ...scope, ...more })
  const linkOf = (label: string | undefined, text: string | undefined) => {
    const url = text === undefined ? null : absolute(say(text))
    return label !== undefined && url !== null ? { label: say(label), url } : null
  }
  const footer = links[language]
  const looks = asRecord(scope.brand)
  const heading = say(words.heading)
  return {
    heading,
    // a title often says what the heading has said
    paragraphs: words.paragraphs.map(text => say(text)).filter(text => text !== '' && text !== heading),
    facts: (words.facts ?? []).map(([label, value]) => ({ label: say(label), value: say(value) })).filter(({ value }) => value !== ''),
    lists: (words.lists ?? []).flatMap(list => {
      const rows = rowsOf(scope[list.of]).map(row => ({ text: say(list.row, row), detail: say(list.detail, row) }))
      if (rows.length === 0 && list.none) rows.push({ text: say(list.none), detail: '' })
      return rows.length > 0 ? [{ title: say(list.title), rows }] : []
    }),
    button: linkOf(words.button, template.link),
    note: words.note ? say(words.note) : '',
    leave: linkOf(words.leave, template.leaveLink),
    links: [
      linkOf('{{ brand.name }}', '{{ brand.footer_url }}'),
      linkOf(footer.support, '{{ brand.support_url }}'),
      linkOf(footer.privacy, '{{ brand.privacy_url }}'),
      linkOf(footer.imprint, '{{ brand.imprint_url }}'),
    ].filter(link => link !== null),
    powered_by: looks.hides_powered_by ? '' : footer.powered,
  }
}

function textOf(
  { heading, paragraphs, facts, lists, button, note, leave, links, powered_by }: Content,
  looks: { name: unknown; footer_text: unknown },
): string {
  const blocks = [
    heading,
    ...paragraphs,
    facts.map(({ label, value }) => `${label}: ${value}`).join('\n'),
    ...lists.map(({ title, rows }) => [title, ...rows.map(({ text, detail }) => `- ${text}${detail && `: ${detail}`}`)].filter(Boolean).join('\n')),
    button ? `${button.label}:\n${button.url}` : '',
    note,
    leave ? `${leave.label}: ${leave.url}` : '',
    ['-- ', looks.name, looks.footer_text, ...links.map(({ label, url }) => `${label}: ${url}`), powered_by].filter(Boolean).join('\n'),
  ]
  return `${blocks.filter(Boolean).join('\n\n')}\n`
}

/** RFC 8058: mail programs offer to leave, and do so by one POST. */
const headersOf = (data: object): Record<string, string> =>
  'one_click_url' in data && typeof data.one_click_url === 'string'
    ? { 'List-Unsubscribe': `<${data.one_click_url}>`, 'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click' }
    : {}

const tones: readonly string[] = ['bad', 'good', 'warning', 'neutral'] satisfies Tone[]
const isTone = (tone: unknown): tone is Tone => typeof tone === 'string' && tones.includes(tone)
/** An event says itself how bad it is. */
const toneOf = (template: Template, data: object): Tone => ('tone' in data && isTone(data.tone) ? data.tone : template.tone)

const colorShape = /^#(?:[\da-f]{3}|[\da-f]{6})$/i
const viewBrand = (brand: Brand) => ({
  name: String(clean(brand.name)),
  alert_prefix: brand.alertPrefix && String(clean(brand.alertPrefix)),
  color: colorShape.test(brand.color) ? brand.color : '#1f6feb',
  logo_url: absolute(brand.logoUrl),
  support_url: absolute(brand.supportUrl),
  upgrade_url: absolute(brand.upgradeUrl),
  footer_text: brand.footerText && String(clean(brand.footerText)),
  footer_url: absolute(brand.footerUrl),
  privacy_url: absolute(brand.privacyUrl),
  imprint_url: absolute(brand.imprintUrl),
  hides_powered_by: brand.hidesPoweredBy,
  plan_labels: asRecord(clean(brand.planLabels)),
})

/** A link that leads somewhere from a mail program; null for any other. */
function absolute(text: string | null): string | null {
  const url = text ? URL.parse(text) : null
  return url && /^https?:$/.test(url.protocol) ? url.href : null
}

const asRecord = (value: unknown): Record<string, unknown> => (typeof value === 'object' && value !== null ? Object.fromEntries(Object.entries(value)) : {})
const rowsOf = (value: unknown): Record<string, unknown>[] => (Array.isArray(value) ? value.map(asRecord) : [])
