import { z } from 'zod'
import { query } from '#analytics/query.ts'

/** Time of the newest result of each monitor. Part of every list of monitors, so it reads two columns only. */
export const lastChecked = query({
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
