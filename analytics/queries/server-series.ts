import { z } from 'zod'
import { query } from '#analytics/query.ts'

/**
 * Metrics of a server over time: mean and highest value of each bucket with samples. Cores are averaged. Before
 * `computed`, a bucket boundary, whole hours are read.
 */
export const serverSeries = query({
  params: z.object({
    tenant: z.uuid(),
    monitor: z.uuid(),
    metrics: z.array(z.string()).max(50),
    from: z.date(),
    to: z.date(),
    computed: z.date(),
    bucket_s: z.int().min(1),
    most: z.int(),
  }),
  row: z.object({ metric: z.string(), of: z.string(), start_ms: z.int(), mean: z.number(), highest: z.number() }),
  sql: `
    SELECT metric, of, start_ms, sum(total) / sum(samples) AS mean, max(top) AS highest
    FROM (
      SELECT
        metric,
        if(metric = 'cpu', '', label) AS of,
        toInt64(intDiv(toUnixTimestamp(at), {bucket_s: UInt32}) * {bucket_s: UInt32}) * 1000 AS start_ms,
        sum(value) AS total,
        count() AS samples,
        max(value) AS top
      FROM server_samples FINAL
      WHERE tenant_id = {tenant: UUID}
        AND monitor_id = {monitor: UUID}
        AND metric IN {metrics: Array(String)}
        AND at >= greatest({from: DateTime64(3)}, {computed: DateTime64(3)}) AND at < {to: DateTime64(3)}
      GROUP BY metric, of, start_ms
      UNION ALL
      SELECT
        metric,
        label AS of,
        toInt64(intDiv(toUnixTimestamp(hour), {bucket_s: UInt32}) * {bucket_s: UInt32}) * 1000 AS start_ms,
        sum(total) AS total,
        sum(samples) AS samples,
        max(highest) AS top
      FROM server_samples_by_hour FINAL
      WHERE tenant_id = {tenant: UUID}
        AND monitor_id = {monitor: UUID}
        AND metric IN {metrics: Array(String)}
        AND hour >= toDateTime({from: DateTime64(3)}) AND hour < toDateTime(least({to: DateTime64(3)}, {computed: DateTime64(3)}))
      GROUP BY metric, of, start_ms
    )
    GROUP BY metric, of, start_ms
    ORDER BY metric, of, start_ms
    LIMIT {most: UInt32}
  `,
})
