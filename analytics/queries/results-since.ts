import { z } from 'zod'
import { query } from '#analytics/query.ts'

/**
 * Number of results of each monitor of a tenant since a moment, over all regions, and the mean response time of the
 * successful ones in milliseconds. No row for a monitor without results. A result that was stored twice may count
 * twice.
 */
export const resultsSince = query({
  params: z.object({ tenant: z.uuid(), from: z.date() }),
  row: z.object({ monitor_id: z.uuid(), total: z.int(), response_ms: z.number().nullable() }),
  sql: `
    SELECT monitor_id, count() AS total,
           avgOrNullIf(response_ms, response_ms IS NOT NULL AND NOT is_unreliable) AS response_ms
    FROM check_results
    WHERE tenant_id = {tenant: UUID} AND due >= {from: DateTime64(3)}
    GROUP BY monitor_id`,
})
