import { z } from 'zod'
import { query } from '#analytics/query.ts'
import { outcomes } from '#contract/check.ts'

export const NewestResult = z.object({
  check_id: z.uuid(),
  region: z.string(),
  at_ms: z.int(),
  outcome: z.enum([...outcomes, 'unknown']),
  code: z.string(),
  reason: z.string(),
  response_ms: z.number().nullable(),
})
export type NewestResult = z.output<typeof NewestResult>

/** The newest result of each check in each region: one row per check and region, of any age. */
export const newestResults = query({
  params: z.object({ tenant: z.uuid(), monitors: z.array(z.uuid()).max(1_000), checks: z.array(z.uuid()).max(20_000) }),
  row: NewestResult,
  sql: `
    SELECT check_id, region, toUnixTimestamp64Milli(at) AS at_ms, outcome, code, reason, response_ms
    FROM latest_results
    WHERE tenant_id = {tenant: UUID} AND monitor_id IN {monitors: Array(UUID)} AND check_id IN {checks: Array(UUID)}
    ORDER BY check_id, region, version DESC
    LIMIT 1 BY check_id, region
    SETTINGS max_threads = 1
  `,
})
