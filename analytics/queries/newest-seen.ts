import { z } from 'zod'
import { query } from '#analytics/query.ts'
import { NewestResult } from './newest-results.ts'

/** The newest result of each region for one check, with its findings. */
export const newestSeen = query({
  params: z.object({ tenant: z.uuid(), monitor: z.uuid(), check: z.uuid() }),
  row: NewestResult.extend({ seen: z.string() }),
  sql: `
    SELECT check_id, region, toUnixTimestamp64Milli(at) AS at_ms, outcome, code, reason, response_ms, seen
    FROM latest_results
    WHERE tenant_id = {tenant: UUID} AND monitor_id = {monitor: UUID} AND check_id = {check: UUID}
    ORDER BY region, version DESC
    LIMIT 1 BY region
    SETTINGS max_threads = 1
  `,
})
