import { z } from 'zod'

/**
 * What a region's agent and the control plane say to each other about crawls. The control plane keeps the run: what is known,
 * what was visited, what comes next. An agent is handed a few addresses at a time and holds nothing that its death would lose.
 */
export const crawlLimits = {
  /** A longer address is not followed. */
  urlChars: 2_000,
  textChars: 100,
  /** Links one page may bring, and mixed parts it may show. */
  linksAPage: 1_000,
  mixedAPage: 20,
  /** Addresses handed out at once, and visits told at once. */
  itemsATurn: 20,
  turnBytes: 6_000_000,
  /** Redirects after redirects, and clicks away from the start. */
  hops: 10,
  /** Places that a link is remembered to stand in. */
  sources: 5,
  /** Crawls one region makes at once; one tenant alone has half of these places. */
  runsARegion: 8,
} as const

/** A page of the site is read for its links; an asset and an external link are only asked whether they are there. */
export const linkKinds = ['page', 'asset', 'external'] as const
export type LinkKind = (typeof linkKinds)[number]

export const mixedKinds = ['active', 'passive', 'form'] as const
export type MixedKind = (typeof mixedKinds)[number]

const url = z.string().max(crawlLimits.urlChars)
/** PostgreSQL stores no NUL and no half of a character. */
const text = z
  .string()
  .max(crawlLimits.textChars)
  .transform(words => words.replace(/\p{Cc}/gu, ' ').toWellFormed())

export const CrawlLink = z.object({ url, kind: z.enum(linkKinds), element: z.string().max(20), text })
export type CrawlLink = z.infer<typeof CrawlLink>

export const MixedPart = z.object({ url: z.string().max(300), element: z.string().max(20), kind: z.enum(mixedKinds) })
export type MixedPart = z.infer<typeof MixedPart>

/** How a site is crawled: settings of its checks laid together when the run began. */
export const CrawlTerms = z.object({
  start: url,
  include_subdomains: z.boolean(),
  ignore: z.array(z.string().max(200)).max(50),
  respect_nofollow: z.boolean(),
  check_assets: z.boolean(),
  check_external: z.boolean(),
  requests_per_second: z.number(),
  concurrency: z.int(),
  page_timeout_ms: z.int(),
  max_page_bytes: z.int(),
  max_depth: z.int(),
  /** Statuses an external link may answer with without being broken: sites that do not care for robots. */
  tolerated_status: z.array(z.int()).max(50),
})
export type CrawlTerms = z.infer<typeof CrawlTerms>

export const CrawlItem = z.object({ id: z.string().max(20), url, kind: z.enum(linkKinds), depth: z.int() })
export type CrawlItem = z.infer<typeof CrawlItem>

/** What came of one address. `skipped`: we did not ask, and why not. */
export const CrawlVisit = z.object({
  id: z.string().max(20).regex(/^\d+$/),
  status: z.int().min(100).max(999).nullable(),
  fault: z.string().max(30).nullable(),
  message: text.nullable(),
  skipped: z.enum(['robots', 'blocked']).nullable(),
  content_type: text.nullable(),
  bytes: z.int().nonnegative(),
  took_ms: z.int().nonnegative().nullable(),
  redirect_to: url.nullable(),
  truncated: z.boolean(),
  /** Links of the page, those beyond the limit counted only. */
  links_found: z.int().nonnegative(),
  links: z.array(CrawlLink).max(crawlLimits.linksAPage),
  mixed_counts: z.object({ active: z.int(), passive: z.int(), form: z.int() }),
  mixed: z.array(MixedPart).max(crawlLimits.mixedAPage),
})
export type CrawlVisit = z.infer<typeof CrawlVisit>

/** `fresh`: this agent begins, or begins again: what was handed out before it is lost. */
export const CrawlTurn = z.object({
  run: z.uuid(),
  fresh: z.boolean(),
  wants: z.int().min(0).max(crawlLimits.itemsATurn),
  visits: z.array(CrawlVisit).max(40),
})
export type CrawlTurn = z.infer<typeof CrawlTurn>

export const CrawlTurnAnswer = z.discriminatedUnion('state', [
  z.object({ state: z.literal('over') }),
  /** No items: those that are still out decide how it goes on. */
  z.object({
    state: z.literal('go'),
    terms: CrawlTerms,
    items: z.array(CrawlItem).max(crawlLimits.itemsATurn),
    left: z.int(),
  }),
])
export type CrawlTurnAnswer = z.infer<typeof CrawlTurnAnswer>

/** What the newest crawl of a check's monitor found, for a look that asks. */
export const CrawlAsk = z.object({ check: z.uuid() })
export const CrawlSaid = z.object({ seen: z.record(z.string(), z.unknown()) })
