import { z } from 'zod'
import { Findings } from '#control-plane/engine/crawls/findings.ts'
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
