import { isForPerson, isOfPrograms } from '#control-plane/http/for-person.ts'
import type { ShowRefusal } from '#control-plane/http/refuse.ts'
import type { Services } from '#control-plane/http/services.ts'
import type { Language } from '#locales/languages.ts'
import { texts } from '#locales/texts.ts'
import { platformBrand, policyOf } from './brand.ts'
import { brandOfHost } from './brand-of-host.ts'
import { documentOf, type PageContent } from './html.ts'
import { languageOf, refusedPage } from './serve.ts'

/** What is refused at an address that is no page, as a page in the brand of its host. */
export const showRefusal =
  (services: Services): ShowRefusal =>
  async (context, refusal) => {
    if (isOfPrograms(context.path)) return false
    context.vary('Accept')
    if (!isForPerson(context.req.headers.accept)) return false
    const language = languageOf(context)
    const brand = await brandOfHost(services, context.host).catch(() => platformBrand)
    const refused = refusedPage({ context, language, brand }, refusal, services)
    const page = refusal.status === 404 ? lostPage(language) : refused
    context.set({ 'Referrer-Policy': 'same-origin', 'Content-Security-Policy': policyOf(brand) })
    context.status = refusal.status
    context.type = 'text/html; charset=utf-8'
    context.body = documentOf({ ...page, brand }, language)
    return true
  }

function lostPage(language: Language): PageContent {
  const words = texts('pages', language).refusals
  return { title: words.lost, template: 'lost', values: { words } }
}
