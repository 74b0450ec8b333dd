import { z } from 'zod'
import { crawlSeen, judgeCrawl, things } from '#checks/crawl/findings.ts'
import { crawlSettings, type Grade, grade, toleratedStatus } from '#checks/crawl/settings.ts'
import { checkKind } from '#contract/check.ts'

export const BrokenLink = z.object({
  url: z.string().max(500),
  /** `page` and `asset` belong to the site itself. */
  kind: z.enum(['page', 'asset', 'external']),
  status: z.int().nullable(),
  /** Why there was no response. */
  fault: z.string().max(30).nullable(),
  /** The first page with the link, and the link's text. */
  found_on: z.string().max(500).nullable(),
  text: z.string().max(100),
})
export type BrokenLink = z.infer<typeof BrokenLink>

export const brokenLinks = checkKind({
  name: 'broken_links',
  summary: 'The links of a site lead somewhere',
  every: { default: 86_400, min: 3_600 },
  severity: 'minor',
  settings: z.object({
    ...crawlSettings,
    check_external: z
      .boolean()
      .default(true)
      .meta({ description: 'Whether links to other sites are asked for, once each.' }),
    check_assets: z
      .boolean()
      .default(true)
      .meta({ description: 'Whether pictures, scripts and style sheets are asked for.' }),
    tolerated_status: toleratedStatus,
    internal: grade.default('warning').meta({ description: 'What broken links within the site are.' }),
    external: grade.default('warning').meta({ description: 'What broken links to other sites are.' }),
    max_broken: z.int().min(0).max(10_000).default(0).meta({ description: 'Broken links that are put up with.' }),
  }),
  backtestable: ['internal', 'external', 'max_broken'],
  seen: z.object({
    ...crawlSeen,
    broken_internal: z.int().nonnegative(),
    broken_external: z.int().nonnegative(),
    /** The first broken links. */
    broken: z.array(BrokenLink).max(20),
  }),

  judge(seen, settings) {
    const first = judgeCrawl(seen)
    if (first) return first
    const internal = settings.internal === 'ignore' ? 0 : seen.broken_internal
    const external = settings.external === 'ignore' ? 0 : seen.broken_external
    if (internal + external <= settings.max_broken) return { status: 'up' }
    const grades: Grade[] = [internal > 0 ? settings.internal : 'ignore', external > 0 ? settings.external : 'ignore']
    const shown = seen.broken.find(({ kind }) => (kind === 'external' ? external : internal) > 0)
    const example = shown ? ` The first: ${cut(shown.url)} (${shown.status ?? shown.fault ?? 'no answer'}).` : ''
    return {
      status: grades.includes('down') ? 'down' : 'warning',
      code: 'broken_links',
      reason: `${things(internal + external, 'link')} broken.${example}`,
      event: 'warning.broken_links',
      details: { broken_internal: internal, broken_external: external },
    }
  },

  responseMs: () => null,
})

const cut = (text: string) => (text.length > 120 ? `${text.slice(0, 119)}…` : text)
