import { z } from 'zod'
import { query } from '#analytics/query.ts'

/** Means by minute of many servers, with their first moments, for judging thresholds. Cores are averaged. */
export const serverMinutes = query({
  params: z.object({
    tenants: z.array(z.uuid()),
    monitors: z.array(z.uuid()).max(500),
    metrics: z.array(z.string()).max(50),
    from: z.date(),
    to: z.date(),
  }),
  row: z.object({
    monitor_id: z.uuid(),
    metric: z.string(),
    of: z.string(),
    minute_ms: z.int(),
    first_ms: z.int(),
    mean: z.number(),
  }),
  sql: `
    SELECT
      monitor_id,
      metric,
      if(metric = 'cpu', '', label) AS of,
      toInt64(intDiv(toUnixTimestamp(at), 60) * 60) * 1000 AS minute_ms,
      min(toUnixTimestamp64Milli(at)) AS first_ms,
      avg(value) AS mean
    FROM server_samples FINAL
    WHERE tenant_id IN {tenants: Array(UUID)}
      AND monitor_id IN {monitors: Array(UUID)}
      AND metric IN {metrics: Array(String)}
      AND at >= {from: DateTime64(3)} AND at < {to: DateTime64(3)}
    GROUP BY monitor_id, metric, of, minute_ms
    ORDER BY monitor_id, metric, of, minute_ms
  `,
})
