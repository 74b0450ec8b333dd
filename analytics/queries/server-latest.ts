import { z } from 'zod'
import { query } from '#analytics/query.ts'

/** The newest value of each metric since a given time. */
export const serverLatest = query({
  params: z.object({ tenant: z.uuid(), monitor: z.uuid(), since: z.date() }),
  row: z.object({ metric: z.string(), label: z.string(), at_ms: z.int(), last: z.number() }),
  sql: `
    SELECT metric, label, toUnixTimestamp64Milli(max(at)) AS at_ms, argMax(value, at) AS last
    FROM server_samples
    WHERE tenant_id = {tenant: UUID} AND monitor_id = {monitor: UUID} AND at >= {since: DateTime64(3)}
    GROUP BY metric, label
    ORDER BY metric, label
    LIMIT 2000
  `,
})
