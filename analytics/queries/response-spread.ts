import { z } from 'zod'
import { bucketBase } from '#analytics/cells.ts'
import { query } from '#analytics/query.ts'
import { cellsIn, Window } from './window.ts'

const phases = ['dns', 'connect', 'tls', 'first_byte'] as const
const sums = phases.map(name => `sum(${name}_us_sum) / 1000 AS ${name}_ms, sum(${name}_count) AS ${name}_timed`)
const counts = { dns_timed: z.int(), connect_timed: z.int(), tls_timed: z.int(), first_byte_timed: z.int() }
const times = { dns_ms: z.number(), connect_ms: z.number(), tls_ms: z.number(), first_byte_ms: z.number() }

/**
 * Distribution of the response times of one check by region: sums, extremes, phases, and bucket counts for
 * `quantileOf`.
 */
export const responseSpread = query({
  params: z.object({ tenant: z.uuid(), monitor: z.uuid(), check: z.uuid() }).and(Window),
  row: z.object({
    region: z.string(),
    total_checks: z.int(),
    timed: z.int(),
    time_ms: z.number(),
    min_ms: z.number().nullable(),
    max_ms: z.number().nullable(),
    ...times,
    ...counts,
    buckets: z.tuple([z.array(z.int()), z.array(z.int())]),
  }),
  sql: `
      SELECT region, sum(total) AS total_checks, sum(response_count) AS timed, sum(response_us_sum) / 1000 AS time_ms,
             if(timed = 0, NULL, minIf(response_us_min, response_count > 0) / 1000) AS min_ms, if(timed = 0, NULL, max(response_us_max) / 1000) AS max_ms,
             ${sums.join(', ')}, sumMap(response_buckets, response_counts) AS buckets
      FROM ${cellsIn('tenant_id = {tenant: UUID} AND monitor_id = {monitor: UUID} AND check_id = {check: UUID}', [
        'total',
        'response_count',
        'response_us_sum',
        'response_us_min',
        'response_us_max',
        'response_buckets',
        'response_counts',
        ...phases.flatMap(name => [`${name}_us_sum`, `${name}_count`]),
      ])}
      GROUP BY region
      ORDER BY region`,
})

export type Buckets = readonly [buckets: readonly number[], counts: readonly number[]]

/** The response time below which the share `q` of results lies, within 2.5 %; null without results. */
export function quantileOf(spreads: readonly Buckets[], q: number): number | null {
  const counts = new Map<number, number>()
  for (const [buckets, numbers] of spreads)
    for (const [index, bucket] of buckets.entries())
      counts.set(bucket, (counts.get(bucket) ?? 0) + (numbers[index] ?? 0))
  const total = [...counts.values()].reduce((sum, count) => sum + count, 0)
  let left = Math.max(1, Math.ceil(q * total))
  for (const [bucket, count] of [...counts].sort(([a], [b]) => a - b)) {
    left -= count
    if (left <= 0) return bucketBase ** (bucket - 0.5)
  }
  return null
}
