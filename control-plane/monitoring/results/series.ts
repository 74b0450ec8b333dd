import { z } from 'zod'
import { checkSeries } from '#analytics/queries/check-series.ts'
import { checkSpreads } from '#analytics/queries/spreads.ts'
import { closedBefore } from '#analytics/rollup.ts'
import { Sentence } from '#contract/sentence.ts'
import { stamp } from '#contract/time.ts'
import { invalid } from '#control-plane/base/refusal.ts'
import type { Db } from '#control-plane/db/queries.ts'
import { historyWaitsField, historyWaitsUntil } from '#control-plane/engine/agents/history-waits.ts'
import type { Services } from '#control-plane/http/services.ts'
import { timesOf } from '#control-plane/monitoring/statistics/spread.ts'

const hourMs = 3_600_000
const dayMs = 24 * hourMs

/** Lengths of a bucket, and how far back each may reach. */
export const buckets = {
  minute: { stepMs: 60_000, spanMs: dayMs },
  five_minutes: { stepMs: 300_000, spanMs: 3 * dayMs },
  hour: { stepMs: hourMs, spanMs: 31 * dayMs },
  day: { stepMs: dayMs, spanMs: 400 * dayMs },
} as const
export type Bucket = keyof typeof buckets
export const bucketNames = Object.keys(buckets) as [Bucket, ...Bucket[]]
const spans = { minute: '24 hours', five_minutes: '3 days', hour: '31 days', day: '400 days' } as const

const earliest = Date.UTC(2000, 0, 1)

/** Points one answer may hold. */
export const maxPoints = 50_000

const time = z.string().meta({ format: 'date-time' })

export const SeriesPoint = z
  .object({
    at: time.meta({ description: 'The beginning of the bucket.' }),
    total_checks: z.int(),
    succeeded: z.int(),
    warnings: z.int(),
    failed: z.int(),
    avg_response_ms: z.number().nullable(),
    min_response_ms: z.number().nullable(),
    max_response_ms: z.number().nullable(),
  })
  .meta({ id: 'SeriesPoint' })
export const SeriesMeta = z
  .object({
    from: time,
    to: time,
    bucket: z.enum(bucketNames),
    history_waits_since: historyWaitsField,
  })
  .meta({ id: 'SeriesMeta' })

export interface Span {
  from: Date
  to: Date
  bucket: Bucket
}

/** The span asked for: by default the last day, in buckets that fit it. Both ends lie on the edge of a bucket. */
export function readSpan({ from, to, bucket }: Partial<Span>, now: Date, series = 1): Span {
  const until = to ?? now
  const since = from ?? new Date(until.getTime() - dayMs)
  if (since >= until) throw invalid({ from: ['Must be before `to`.'] })
  const span = until.getTime() - since.getTime()
  const chosen =
    bucket ??
    (span <= 3 * hourMs ? 'minute' : span <= dayMs ? 'five_minutes' : span <= buckets.hour.spanMs ? 'hour' : 'day')
  const { stepMs, spanMs } = buckets[chosen]
  if (span > spanMs)
    throw invalid({
      from: [new Sentence('In buckets of this length a span has at most {span}.', { span: spans[chosen] })],
    })
  if (series * Math.ceil(span / stepMs) > maxPoints)
    throw invalid({
      bucket: [
        new Sentence('An answer has at most {n} points: take longer buckets, a shorter span or fewer checks.', {
          n: maxPoints,
        }),
      ],
    })
  return {
    from: new Date(Math.floor(since.getTime() / stepMs) * stepMs),
    to: new Date(Math.ceil(until.getTime() / stepMs) * stepMs),
    bucket: chosen,
  }
}

export const showSpan = async (db: Db, { from, to, bucket }: Span): Promise<z.input<typeof SeriesMeta>> => ({
  from: stamp(from),
  to: stamp(to),
  bucket,
  history_waits_since: await historyWaitsUntil(db, to),
})

/** Points of many checks, by check: one question. */
export async function readSeries(
  { clickhouse }: Services,
  tenant: { id: string },
  checks: readonly { id: string; monitor_id: string }[],
  { from, to, bucket }: Span,
  regions: readonly string[],
  now: Date,
): Promise<Map<string, z.input<typeof SeriesPoint>[]>> {
  const { stepMs } = buckets[bucket]
  // where nothing can lie, ClickHouse has no dates either
  const [since, until] = [Math.max(from.getTime(), earliest), Math.min(to.getTime(), now.getTime() + dayMs)]
  if (checks.length === 0 || since >= until) return new Map()
  const rows = await checkSeries(clickhouse, {
    tenant: tenant.id,
    monitors: [...new Set(checks.map(check => check.monitor_id))],
    checks: checks.map(check => check.id),
    regions: [...regions],
    from: new Date(since),
    to: new Date(until),
    raw_from: stepMs < hourMs ? new Date(since) : closedBefore(now),
    step_s: stepMs / 1_000,
  })
  const grouped = Map.groupBy(rows, row => row.check_id)
  return new Map([...grouped].map(([check, points]) => [check, points.map(viewPoint)]))
}

type Row = Awaited<ReturnType<typeof checkSeries>>[number]

const viewPoint = (row: Row): z.input<typeof SeriesPoint> => ({
  at: stamp(new Date(row.at_s * 1_000)),
  total_checks: row.total,
  succeeded: row.good,
  warnings: row.warnings,
  failed: row.failed,
  avg_response_ms: row.avg_ms,
  min_response_ms: row.min_ms,
  max_response_ms: row.max_ms,
})

/** The 95th percentile of the response times of many checks over a span, by check. None where there are no times. */
export async function readP95(
  { clickhouse }: Services,
  tenant: { id: string },
  checks: readonly { id: string; monitor_id: string }[],
  { from, to }: Span,
  regions: readonly string[],
  now: Date,
): Promise<Map<string, number | null>> {
  const [since, until] = [Math.max(from.getTime(), earliest), Math.min(to.getTime(), now.getTime() + dayMs)]
  if (checks.length === 0 || since >= until) return new Map()
  const rows = await checkSpreads(clickhouse, {
    tenant: tenant.id,
    monitors: [...new Set(checks.map(check => check.monitor_id))],
    checks: checks.map(check => check.id),
    regions: [...regions],
    ...{ from: new Date(since), to: new Date(until), now },
  })
  return new Map(rows.map(row => [row.check_id, timesOf([row]).p95_response_ms]))
}
