import { z } from 'zod'
import { checkKind } from '#contract/check.ts'
import { crawlSeen, judgeCrawl, things } from './findings.ts'
import { crawlSettings } from './settings.ts'

const event = 'warning.broken_links'

export const crawl = checkKind({
  name: 'crawl',
  summary: 'The pages of a site are found, and answer',
  every: { default: 86_400, min: 3_600 },
  severity: 'minor',
  settings: z.object({
    ...crawlSettings,
    check_external: z
      .boolean()
      .default(false)
      .meta({ description: 'Whether links to other sites are asked for too, once each.' }),
    check_assets: z
      .boolean()
      .default(false)
      .meta({ description: 'Whether pictures, scripts and style sheets are asked for too.' }),
    min_pages: z
      .int()
      .min(1)
      .max(10_000)
      .nullable()
      .default(null)
      .meta({ description: 'Fewer pages than this are a warning. `null`: never.' }),
    max_failed_pages: z
      .int()
      .min(0)
      .max(10_000)
      .nullable()
      .default(null)
      .meta({ description: 'More pages in error than this are a warning. `null`: never.' }),
  }),
  backtestable: ['min_pages', 'max_failed_pages'],
  seen: z.object({ ...crawlSeen, failed_pages: z.int().nonnegative() }),

  judge(seen, { min_pages, max_failed_pages }) {
    const first = judgeCrawl(seen)
    if (first) return first
    if (min_pages !== null && seen.pages < min_pages)
      return {
        status: 'warning',
        code: 'too_few_pages',
        reason: `${things(seen.pages, 'page')} found, fewer than ${min_pages}.`,
        event,
      }
    if (max_failed_pages !== null && seen.failed_pages > max_failed_pages)
      return {
        status: 'warning',
        code: 'failed_pages',
        reason: `${things(seen.failed_pages, 'page')} in error, more than ${max_failed_pages}.`,
        event,
      }
    return { status: 'up' }
  },

  responseMs: () => null,
})
