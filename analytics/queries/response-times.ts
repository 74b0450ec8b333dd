import { z } from 'zod'
import { query } from '#analytics/query.ts'
import { cellsIn, Window } from './window.ts'

/** How many looks each check of these monitors got from all regions, and how long the good ones took, in milliseconds. No looks, no row. */
export const responseTimes = query({
  params: z.object({ tenant: z.uuid(), monitors: z.array(z.uuid()).max(200) }).and(Window),
  row: z.object({ monitor_id: z.uuid(), check_id: z.uuid(), total_checks: z.int(), avg_response_ms: z.number().nullable() }),
  sql: `
      SELECT monitor_id, check_id, sum(total) AS total_checks, round(sum(response_us_sum) / nullIf(sum(response_count), 0) / 1000, 1) AS avg_response_ms
      FROM ${cellsIn('tenant_id = {tenant: UUID} AND monitor_id IN {monitors: Array(UUID)}', ['total', 'response_count', 'response_us_sum'])}
      GROUP BY monitor_id, check_id`,
})
