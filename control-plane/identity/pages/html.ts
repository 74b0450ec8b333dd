import { readdirSync, readFileSync } from 'node:fs'
import { Liquid } from 'liquidjs'
import type { Language } from '#locales/languages.ts'
import { texts } from '#locales/texts.ts'
import { brandStyleOf, type PageBrand, platformBrand } from './brand.ts'
import type { FieldText, Page, PageText } from './page.ts'

const escapes: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' }
export const escapeHtml = (text: string): string => text.replace(/[&<>"']/g, found => escapes[found] ?? '')

const folder = new URL('./templates/', import.meta.url)
const engine = new Liquid({
  templates: Object.fromEntries(
    readdirSync(folder).map(file => [file.replace('.liquid', ''), readFileSync(new URL(file, folder), 'utf8')]),
  ),
  outputEscape: value => escapeHtml(String(value ?? '')),
  jsTruthy: true,
  strictFilters: true,
  ownPropertyOnly: true,
  cache: true,
})

/** The HTML of a template of `templates/`. Every value is escaped. */
export const render = (template: string, values: object): string =>
  String(engine.renderFileSync(template, values)).trim()

/** What stands in a page, in the design of a brand, the platform's by default. */
export interface PageContent {
  title: string
  /** The template below the title, and what it says. */
  template?: string
  values?: object
  /** What went wrong, or what was done: below the title. Screen readers read the first at once. */
  alert?: string | undefined
  note?: string | undefined
  isWide?: boolean
  brand?: PageBrand
}

export const documentOf = (
  { title, template, values = {}, alert, note, isWide = false, brand = platformBrand }: PageContent,
  language: Language,
): string =>
  `${render('document', {
    ...{ language, title, alert, note, isWide, brand },
    style: brandStyleOf(brand),
    footer: footerOf(brand, language),
    body: template === undefined ? '' : render(template, { ...values, language }),
  })}\n`

function footerOf(brand: PageBrand, language: Language): { text: string; url?: string | null }[] {
  const { support, privacy, imprint } = texts('pages', language).common
  const link = (url: string | null, text: string) => (url === null ? [] : [{ text, url }])
  return [
    ...(brand.footerText === null ? [] : [{ text: brand.footerText, url: brand.footerUrl }]),
    ...link(brand.supportUrl, support),
    ...link(brand.privacyUrl, privacy),
    ...link(brand.imprintUrl, imprint),
    ...(brand.hidesPoweredBy ? [] : [{ text: `Powered by ${platformBrand.name}` }]),
  ]
}

/** The HTML of a page. It holds no text of users but the brand: the script adds theirs as text nodes. */
export function htmlOf(page: Page, language: Language, brand: PageBrand): string {
  const { links, fields: fieldTexts } = texts('pages', language)
  const words: PageText = links[page.path]
  const { common } = texts('pages', language)
  const { failed, open, someone } = common
  const next = page.leadsToSignIn
    ? { to: '/login', text: common.next }
    : page.opensSession && { to: '/app/welcome', text: common.account }
  const data = {
    token: page.tokenIn,
    lookup: page.lookupPath,
    'done-when': page.isDoneWhen,
    shows: words.shows,
    already: words.already,
    terms: words.terms && JSON.stringify(words.terms),
    refusals: words.refusals && JSON.stringify(words.refusals),
    done: words.done,
    failed,
    open,
    someone,
    'leads-to': page.opensSession ? '/app/welcome' : undefined,
  }
  const fields = page.fields.map(({ text, of, ...field }, index) => {
    const { label, hint }: FieldText = fieldTexts[text]
    return { ...field, id: `field-${index}`, label, hint, of: of?.join(' ') }
  })
  const said = Object.entries(data).filter(([, value]) => value !== undefined)
  const values = { page, words, common, data: said, fields, next }
  return documentOf({ brand, title: words.title, template: 'link', values }, language)
}
