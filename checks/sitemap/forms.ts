export interface Form {
  /** How deep an entry lies, the root being 1. */
  depth: number
  entry: string
  dates: readonly string[]
}

/** The forms of the protocol by their root: its own two, RSS 2.0, and Atom 1.0 or 0.3. A plain text has no elements. */
export const forms = {
  urlset: { depth: 2, entry: 'url', dates: ['lastmod'] },
  sitemapindex: { depth: 2, entry: 'sitemap', dates: ['lastmod'] },
  rss: { depth: 3, entry: 'item', dates: ['pubDate'] },
  feed: { depth: 2, entry: 'entry', dates: ['updated', 'modified'] },
} satisfies Record<string, Form>

export const roots = ['urlset', 'sitemapindex', 'rss', 'feed', 'text'] as const
export type Root = (typeof roots)[number]

export const isForm = (name: string): name is keyof typeof forms => Object.hasOwn(forms, name)
