import { z } from 'zod'

const pattern = z
  .string()
  .min(1)
  .max(200)
  .regex(/^\P{Cc}+$/u, 'Must be printable.')

/**
 * Crawl settings of every kind that uses a crawl. One crawl of a monitor serves them all: settings of `crawl` override
 * those of `broken_links`, and those override `mixed_content`.
 */
export const crawlSettings = {
  max_pages: z
    .int()
    .min(1)
    .max(10_000)
    .default(500)
    .meta({ description: 'Pages visited in one crawl; never more than the `crawl_pages` of the plan.' }),
  max_depth: z.int().min(0).max(100).default(20).meta({ description: 'Clicks away from the monitor’s address.' }),
  requests_per_second: z
    .number()
    .min(0.1)
    .max(20)
    .default(2)
    .meta({ description: 'How often the site is asked; a `Crawl-delay` of its robots.txt goes before.' }),
  concurrency: z.int().min(1).max(4).default(2).meta({ description: 'Requests under way at once.' }),
  page_timeout_ms: z
    .int()
    .min(1_000)
    .max(15_000)
    .default(10_000)
    .meta({ description: 'Milliseconds after which a single address is given up.' }),
  max_page_bytes: z
    .int()
    .min(10_000)
    .max(5_000_000)
    .default(2_000_000)
    .meta({ description: 'Bytes of a page that are read; the rest is ignored.' }),
  include_subdomains: z
    .boolean()
    .default(false)
    .meta({ description: 'Whether sub-domains are the same site. The host with and without `www.` always is.' }),
  respect_nofollow: z.boolean().default(false).meta({ description: 'Whether links marked `nofollow` are left alone.' }),
  ignore: z
    .array(pattern)
    .max(50)
    .default([])
    .meta({
      description:
        'Addresses to skip. `*` matches any characters; a pattern that begins with `/` is matched against path and ' +
        'query, any other against the whole address.',
    }),
}

/** Severity of a finding. */
export const grade = z.enum(['ignore', 'warning', 'down']).meta({ id: 'FindingSeverity' })
export type Grade = z.infer<typeof grade>

/** Statuses by which sites refuse robots but not visitors. */
export const toleratedStatus = z.array(z.int().min(400).max(999)).max(50).default([401, 403, 405, 406, 429, 999]).meta({
  description:
    'Statuses that do not make a link to another site broken: many sites answer so to whatever is no browser.',
})
