import { kinds } from '#checks/index.ts'
import { type CrawlSettings, crawlLimits } from '#contract/crawl.ts'
import type { Limits } from '#contract/plans.ts'

/** Kinds that use a crawl, in the order in which their settings take precedence. */
export const crawlKinds = ['crawl', 'broken_links', 'mixed_content'] as const
export type CrawlKind = (typeof crawlKinds)[number]
export const isCrawlKind = (name: string): name is CrawlKind => crawlKinds.some(kind => kind === name)

export interface CrawlCheck {
  type: string
  settings: Record<string, unknown>
}

/**
 * How a monitor is crawled for all its checks at once, and how many pages of it. Without such a check the default
 * settings apply.
 */
export function planCrawl(
  url: string,
  checks: readonly CrawlCheck[],
  limits: Pick<Limits, 'crawl_pages'>,
): { terms: CrawlSettings; pages: number } {
  const settingsOf = (kind: CrawlKind) => checks.find(({ type }) => type === kind)?.settings
  const broken = kinds.broken_links.settings.safeParse(settingsOf('broken_links')).data
  const crawl = kinds.crawl.settings.safeParse(settingsOf('crawl')).data
  const mixed = kinds.mixed_content.settings.safeParse(settingsOf('mixed_content')).data
  const leading = crawl ?? broken ?? mixed ?? kinds.broken_links.settings.parse({})
  const links = broken ?? (crawl || checks.length > 0 ? undefined : kinds.broken_links.settings.parse({}))
  const start = new URL(url)
  start.hash = ''
  start.username = ''
  start.password = ''
  return {
    pages: Math.min(leading.max_pages, limits.crawl_pages ?? leading.max_pages),
    terms: {
      start: start.href.slice(0, crawlLimits.urlChars),
      include_subdomains: leading.include_subdomains,
      ignore: leading.ignore,
      respect_nofollow: leading.respect_nofollow,
      check_assets: Boolean(links?.check_assets || crawl?.check_assets),
      check_external: Boolean(links?.check_external || crawl?.check_external),
      requests_per_second: leading.requests_per_second,
      concurrency: leading.concurrency,
      page_timeout_ms: leading.page_timeout_ms,
      max_page_bytes: leading.max_page_bytes,
      max_depth: leading.max_depth,
      tolerated_status: (links ?? kinds.broken_links.settings.parse({})).tolerated_status,
    },
  }
}
