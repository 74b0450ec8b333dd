import type { PageModel } from '#control-plane/publishing/status-pages/render/model.ts'
import { isLanguage, type Language, languages } from '#locales/languages.ts'

/** The languages of an `Accept-Language`, the most wanted first. */
function wanted(header: string | undefined): string[] {
  return (header ?? '')
    .slice(0, 200)
    .split(',')
    .map(part => {
      const [tag = '', quality] = part.trim().toLowerCase().split(';q=')
      return { tag: tag.slice(0, 2), quality: quality === undefined ? 1 : Number(quality) || 0 }
    })
    .filter(({ quality }) => quality > 0)
    .sort((a, b) => b.quality - a.quality)
    .map(({ tag }) => tag)
}

/** The language of a document: the one in the address, else the reader's, else that of the page. */
export function languageFor(
  { locale, locales: offered }: Pick<PageModel, 'locale' | 'locales'>,
  named: string | null,
  header: string | undefined,
): { language: Language; isForced: boolean } {
  if (isLanguage(named) && offered.includes(named)) return { language: named, isForced: true }
  if (offered.length === 1) return { language: offered[0] ?? locale, isForced: false }
  return {
    language: offered.find(one => one === wanted(header).find(tag => offered.some(two => two === tag))) ?? locale,
    isForced: false,
  }
}

/** The language of pages that belong to none. */
export const ownLanguage = (named: string | null, header: string | undefined): Language =>
  languageFor({ locale: 'en', locales: languages }, named, header).language
