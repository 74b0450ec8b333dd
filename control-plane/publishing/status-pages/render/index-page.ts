import { moment } from '#contract/figures.ts'
import type { ComponentStatus } from '#control-plane/db/model/status-page-values.ts'
import { overallSentence, type Unknown } from '#control-plane/publishing/status-pages/rollup.ts'
import { type Language, languages, nameOf as nameOfLanguage } from '#locales/languages.ts'
import { fill, texts } from '#locales/texts.ts'
import { classOfStatus, type Document, documentOfOurs, read, render } from './documents.ts'
import type { PageModel } from './model.ts'

/** A page in the list of public ones. */
export type ListedPage = Pick<PageModel, 'slug' | 'name' | 'texts' | 'locales'> & {
  status: ComponentStatus
  unknown: Unknown
}

/** A page of the list. */
export interface IndexModel {
  pages: readonly ListedPage[]
  /** From 1 on. */
  number: number
  hasMore: boolean
  /** When it was read. */
  asOf: number
}

interface IndexView {
  language: Language
  /** The language was named in the address: links keep it. */
  isForced: boolean
  isStale: boolean
  /** The public address of the installation. */
  baseUrl: string
}

const template = read('index')

/** The list of public status pages. */
export function renderIndex({ pages, number, hasMore, asOf }: IndexModel, view: IndexView): Document {
  const { language, isForced, isStale, baseUrl } = view
  const said = texts('status-pages', language)
  const pathTo = (page: number, lang: Language | null = isForced ? language : null) => {
    const query = new URLSearchParams({ ...(page > 1 && { page: String(page) }), ...(lang && { lang }) }).toString()
    return `/status${query && `?${query}`}`
  }
  const body = render(template, {
    said,
    stale: isStale ? fill(said.stale, { time: moment(asOf, { language, zone: 'UTC', style: 'full' }) }) : null,
    pages: pages.map(({ slug, name, texts, locales: offered, status, unknown }) => {
      const isOffered = offered.includes(language)
      return {
        name: (isOffered ? texts[language]?.name : undefined) ?? name,
        href: `/status/${slug}${isForced && isOffered ? `?lang=${language}` : ''}`,
        class: classOfStatus[status],
        status: overallSentence(status, language, unknown),
      }
    }),
    earlier: number > 1 ? pathTo(number - 1) : null,
    later: hasMore ? pathTo(number + 1) : null,
  })
  const { host } = new URL(baseUrl)
  return documentOfOurs(body, {
    language,
    title: `${said.index.title} · ${host}`,
    name: host,
    home: pathTo(1),
    canonical: `${baseUrl}${pathTo(number, null)}`,
    tongues: languages.map(each => ({
      language: each,
      name: nameOfLanguage(each),
      href: pathTo(number, each),
      isCurrent: each === language,
    })),
  })
}
