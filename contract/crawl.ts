import { z } from 'zod'

/**
 * Protocol between a region's agent and the control plane for crawls. The control plane keeps the state of the run:
 * known, visited and next addresses. An agent receives a few addresses at a time and keeps no state that its crash
 * would lose.
 */
export const crawlLimits = {
  /** Links to longer addresses are not followed. */
  urlChars: 2_000,
  textChars: 100,
  /** Most links and most mixed-content resources reported for one page. */
  linksPerPage: 1_000,
  mixedPerPage: 20,
  /** Most addresses in one step, and most bytes of its request body. */
  itemsPerStep: 20,
  stepBytes: 6_000_000,
  /** Most redirects in a row, and most clicks from the start page. */
  hops: 10,
  /** Pages remembered as sources of one link. */
  sources: 5,
  /** Concurrent crawls of one region; one tenant may have at most half of them. */
  runsPerRegion: 8,
} as const

/** A page of the site is parsed for links; an asset or an external link is only checked for existence. */
export const linkKinds = ['page', 'asset', 'external'] as const
export type LinkKind = (typeof linkKinds)[number]

export const mixedKinds = ['active', 'passive', 'form'] as const

const url = z.string().max(crawlLimits.urlChars)
/** PostgreSQL stores neither NUL nor unpaired surrogates. */
const text = z
  .string()
  .max(crawlLimits.textChars)
  .transform(text => text.replace(/\p{Cc}/gu, ' ').toWellFormed())

export const CrawlLink = z.object({ url, kind: z.enum(linkKinds), element: z.string().max(20), text })
export type CrawlLink = z.infer<typeof CrawlLink>

export const MixedPart = z.object({ url: z.string().max(300), element: z.string().max(20), kind: z.enum(mixedKinds) })
export type MixedPart = z.infer<typeof MixedPart>

/** How a site is crawled: merged settings of its checks at the start of the run. */
export const CrawlSettings = z.object({
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
  /** Statuses that do not make an external link broken: some sites refuse robots. */
  tolerated_status: z.array(z.int()).max(50),
})
export type CrawlSettings = z.infer<typeof CrawlSettings>

export const CrawlItem = z.object({ id: z.string().max(20), url, kind: z.enum(linkKinds), depth: z.int() })
export type CrawlItem = z.infer<typeof CrawlItem>

/** The result of visiting one address. `skipped`: why no request was made. */
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
  /** Number of links on the page; `links` stops at the limit. */
  links_found: z.int().nonnegative(),
  links: z.array(CrawlLink).max(crawlLimits.linksPerPage),
  mixed_counts: z.object({ active: z.int(), passive: z.int(), form: z.int() }),
  mixed: z.array(MixedPart).max(crawlLimits.mixedPerPage),
})
export type CrawlVisit = z.infer<typeof CrawlVisit>

/** `fresh`: the agent starts or restarts the run; addresses handed out before are handed out again. */
export const CrawlStep = z.object({
  run: z.uuid(),
  fresh: z.boolean(),
  wants: z.int().min(0).max(crawlLimits.itemsPerStep),
  visits: z.array(CrawlVisit).max(40),
})
export type CrawlStep = z.infer<typeof CrawlStep>

export const CrawlStepReply = z.discriminatedUnion('state', [
  z.object({ state: z.literal('ended') }),
  /** Without items: the outstanding visits decide how the crawl continues. */
  z.object({
    state: z.literal('continue'),
    settings: CrawlSettings,
    items: z.array(CrawlItem).max(crawlLimits.itemsPerStep),
    left: z.int(),
  }),
])
export type CrawlStepReply = z.infer<typeof CrawlStepReply>

/** The findings of the newest crawl of a check's monitor, for a run of that check. */
export const FindingsRequest = z.object({ check: z.uuid() })
export const FindingsReply = z.object({ seen: z.record(z.string(), z.unknown()) })
