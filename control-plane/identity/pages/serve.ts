import type { Context, Middleware } from 'koa'
import { Refusal } from '#control-plane/base/refusal.ts'
import { translated } from '#control-plane/http/language/language.ts'
import { isLastOf, loggedRefusalOf } from '#control-plane/http/refuse.ts'
import type { Services } from '#control-plane/http/services.ts'
import { type Language, languages } from '#locales/languages.ts'
import { counted, texts } from '#locales/texts.ts'
import { type PageBrand, platformBrand, policyOf } from './brand.ts'
import { brandOfHost } from './brand-of-host.ts'
import { documentOf, type PageContent } from './html.ts'

/** A page that a browser asks for. */
export interface Visit {
  context: Context
  language: Language
  /** By the host that was asked. */
  brand: PageBrand
}

/** A document to show. Its `brand` is in place of the host's: of a team that the address names. */
export interface PageAnswer extends PageContent {
  status?: number
  /** Sources to which forms of the page may lead, also by a redirect; by default our own origin. */
  formAction?: string
}

/** Where to go on to, by GET: a path of ours, or an address of the provider of a team. */
export interface GoOn {
  to: string
}

export function languageOf(context: Context): Language {
  context.vary('Accept-Language')
  const wanted = context.acceptsLanguages(...languages)
  return languages.find(language => language === wanted) ?? 'en'
}

/**
 * The handler of a page that belongs to one browser: never stored, in no frame, in the brand of its host. What it
 * throws becomes a page too. `route` is its label in metrics. `Referrer-Policy` is `same-origin`: with `no-referrer`
 * browsers send `Origin: null` with our own forms, and those are refused where there is no Fetch Metadata, over http.
 */
export const servePage =
  (services: Services, route: string, answer: (visit: Visit) => Promise<PageAnswer | GoOn>): Middleware =>
  async context => {
    context.state.route = route
    const visit: Visit = { context, language: languageOf(context), brand: platformBrand }
    let page: PageAnswer | GoOn
    try {
      visit.brand = await brandOfHost(services, context.host)
      page = await answer(visit)
    } catch (error) {
      page = refusedPage(visit, loggedRefusalOf(error, services, context.state.requestId), services)
    }
    passHeaders(context)
    context.set({ 'Cache-Control': 'no-store', 'Referrer-Policy': 'same-origin' })
    if ('to' in page) {
      context.status = 303
      context.set('Location', page.to)
      context.body = ''
      return
    }
    const brand = page.brand ?? visit.brand
    context.set('Content-Security-Policy', policyOf(brand, page.formAction))
    context.status = page.status ?? 200
    context.type = 'text/html; charset=utf-8'
    context.body = documentOf({ ...page, brand }, visit.language)
  }

/** Headers that stages of the API collected for the answer; several cookies stay several. */
function passHeaders(context: Context): void {
  const headers: string[] = context.state.responseHeaders
  for (let at = 0; at < headers.length; at += 2) {
    const [name = '', value = ''] = headers.slice(at, at + 2)
    if (name === 'Set-Cookie') context.append(name, value)
    else context.set(name, value)
  }
}

/** What a refusal means for the person who reads the page: by its code, by its status, else as the API says it. */
export function sentenceOf({ code, status, text, headers, errors }: Refusal, language: Language): string {
  const words = texts('pages', language).refusals
  const known = (words.byCode as Readonly<Record<string, string>>)[code]
  if (known !== undefined) return known
  if (status === 429) return waitOf(Number(headers['Retry-After']) || 60, language)
  if (status >= 500) return words.failed
  const [first] = Object.values(errors ?? {}).flat()
  return translated(first ?? text, language) ?? String(first ?? text)
}

function waitOf(seconds: number, language: Language): string {
  const words = texts('pages', language).refusals
  return seconds <= 60
    ? counted(words, 'tooManySeconds', seconds, language)
    : counted(words, 'tooManyMinutes', Math.ceil(seconds / 60), language)
}

/** A refusal that is shown above the form that was sent. Throws what is none. */
export function shownRefusal({ context }: Visit, error: unknown): { refusal: Refusal; status: number } {
  if (!(error instanceof Refusal)) throw error
  const wait = error.headers['Retry-After']
  if (wait !== undefined) context.set('Retry-After', wait)
  return { refusal: error, status: error.status }
}

/** A refusal as a page of its own. */
export function refusedPage({ context, language }: Visit, refusal: Refusal, services: Services): PageAnswer {
  const words = texts('pages', language).refusals
  const { status, headers } = refusal
  const wait = headers['Retry-After']
  if (wait !== undefined) context.set('Retry-After', wait)
  if (!context.req.complete || isLastOf(refusal, context.req, services)) context.set('Connection', 'close')
  const title = status === 429 ? words.slow : status >= 500 ? words.broken : words.refused
  const values = { words, sentence: sentenceOf(refusal, language), request: String(context.state.requestId) }
  return { title, template: 'refused', values, status }
}
