import { z } from 'zod'
import type { Judgement } from '#contract/check.ts'

const time = z.iso.datetime({ offset: true }).meta({ format: 'date-time' })
const count = z.int().nonnegative()

/** Findings of a monitor's newest finished crawl, from the control plane. */
export const crawlSeen = {
  /** `none`: no crawl has finished yet; `failed`: the start page could not be read. */
  state: z.enum(['none', 'finished', 'failed', 'not_in_plan']),
  run: z.uuid().nullable(),
  finished_at: time.nullable(),
  pages: count,
  checked: count,
  /** Why the crawl did not reach every page. */
  limited_by: z.string().max(20).nullable(),
  failure: z.string().max(200).nullable(),
}
const CrawlSeen = z.object(crawlSeen)
export type CrawlSeen = z.infer<typeof CrawlSeen>

/** The judgement if there are no usable findings; null when there are. */
export function judgeCrawl({ state, failure }: CrawlSeen): Judgement | null {
  if (state === 'finished') return null
  if (state === 'failed')
    return { status: 'warning', code: 'crawl_failed', reason: failure ?? 'The site could not be crawled.' }
  if (state === 'not_in_plan') return { status: 'unknown', code: 'not_in_plan', reason: 'The plan has no site crawls.' }
  return { status: 'unknown', code: 'no_crawl_yet', reason: 'No crawl has finished yet.' }
}

export const things = (number: number, one: string, many = `${one}s`) => `${number} ${number === 1 ? one : many}`
