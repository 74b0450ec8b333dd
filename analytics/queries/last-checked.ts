import { z } from 'zod'
import { query } from '#analytics/query.ts'

/** When each monitor was looked at last, from anywhere. Asked with every list of monitors, so it reads two columns and no more. */
export const lastLooked = query({
  params: z.object({ tenant: z.uuid(), monitors: z.array(z.uuid()).max(1_000) }),
  row: z.object({ monitor_id: z.uuid(), at_ms: z.int() }),
  sql: `
    SELECT monitor_id, toUnixTimestamp64Milli(max(at)) AS at_ms
    FROM latest_results
    WHERE tenant_id = {tenant: UUID} AND monitor_id IN {monitors: Array(UUID)}
    GROUP BY monitor_id
    SETTINGS max_threads = 1
  `,
})
