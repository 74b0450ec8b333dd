import { z } from 'zod'
import { linkKinds, MixedPart, mixedKinds } from '#contract/crawl.ts'
import { Findings } from '#control-plane/engine/crawls/findings.ts'
import type { CrawlPageRow } from './pages.ts'
import type { CrawlRunRow } from './row.ts'

const time = z.string().meta({ format: 'date-time' })
const count = z.int().nonnegative()
export const runStates = ['queued', 'running', 'finished', 'failed', 'cancelled'] as const

export const CrawlRunView = z
  .object({
    id: z.uuid(),
    monitor_id: z.uuid(),
    cause: z.enum(['schedule', 'request']),
    state: z.enum(runStates),
    reason: z
      .string()
      .nullable()
      .meta({ description: 'Why it failed or was cancelled, or what kept it from seeing everything.' }),
    region: z.string().nullable().meta({ description: 'Where it is made from.' }),
    page_limit: z.int().nullable().meta({ description: 'The most pages that it reads.' }),
    progress: z.object({
      found: count.meta({ description: 'Pages of the site that are known.' }),
      visited: count.meta({ description: 'Those of them that were visited.' }),
      checked: count.meta({ description: 'Pictures, scripts, styles and links to elsewhere that were asked for.' }),
      queued: count.meta({ description: 'Addresses of all sorts still to come.' }),
    }),
    broken: count,
    mixed: count.meta({ description: 'Secure pages that load or send something without security.' }),
    bytes: count,
    left_out: z
      .record(z.string(), count)
      .meta({ description: 'Addresses that were not taken in, by reason: pages, links, depth, redirects, trap.' }),
    findings: Findings.nullable(),
    created_at: time,
    started_at: time.nullable(),
    finished_at: time.nullable(),
  })
  .meta({ id: 'CrawlRun' })

export function viewRun(row: CrawlRunRow): z.input<typeof CrawlRunView> {
  const { refused, findings, found, visited, checked, queued, bytes, ...rest } = row
  return {
    ...rest,
    cause: row.cause === 'request' ? 'request' : 'schedule',
    state: runStates.find(state => state === row.state) ?? 'failed',
    progress: { found, visited, checked, queued },
    bytes: Number(bytes),
    left_out: refused,
    findings: Findings.safeParse(findings).data ?? null,
  }
}

const Source = z.object({ page: z.string(), element: z.string(), text: z.string() })

export const CrawlPageView = z
  .object({
    url: z.string(),
    kind: z.enum(linkKinds).meta({ id: 'LinkKind' }),
    state: z.enum(['queued', 'done']),
    depth: count,
    status: z.int().nullable(),
    fault: z.string().nullable().meta({ description: 'Why there was no answer.' }),
    message: z.string().nullable(),
    skipped: z.enum(['robots', 'blocked']).nullable().meta({ description: 'Why it was not asked for.' }),
    is_broken: z.boolean(),
    content_type: z.string().nullable(),
    bytes: count.nullable(),
    took_ms: count.nullable(),
    redirect_to: z.string().nullable(),
    is_truncated: z.boolean(),
    links_found: count.nullable(),
    mixed_content: z
      .object({
        active: count,
        passive: count,
        forms: count,
        parts: z.array(MixedPart.extend({ kind: z.enum(mixedKinds).meta({ id: 'MixedContentKind' }) })),
      })
      .nullable(),
    found_on: z.array(Source).meta({ description: 'Pages that link to it, the first five.' }),
    visited_at: time.nullable(),
  })
  .meta({ id: 'CrawlPage' })

const Parts = z.array(MixedPart)
const Sources = z.array(Source)

export function viewPage(row: CrawlPageRow): z.input<typeof CrawlPageView> {
  const { id: _, mixed, mixed_active, mixed_passive, mixed_form, sources, bytes, ...rest } = row
  const parts = Parts.safeParse(mixed).data
  return {
    ...rest,
    kind: linkKinds.find(kind => kind === row.kind) ?? 'page',
    state: row.state === 'done' ? 'done' : 'queued',
    skipped: row.skipped === 'robots' || row.skipped === 'blocked' ? row.skipped : null,
    bytes: bytes === null ? null : Number(bytes),
    mixed_content: parts ? { active: mixed_active, passive: mixed_passive, forms: mixed_form, parts } : null,
    found_on: Sources.safeParse(sources).data ?? [],
  }
}
