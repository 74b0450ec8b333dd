import { z } from 'zod'
import { query } from '#analytics/query.ts'
import { cellsIn, Window } from './window.ts'

/** How many looks each check of a monitor got on each day (UTC), and how long the good ones took together, in milliseconds. No looks, no row. */
export const dailyResults = query({
  params: z.object({ tenant: z.uuid(), monitor: z.uuid() }).and(Window),
  row: z.object({ date: z.string(), check_id: z.uuid(), total_checks: z.int(), timed: z.int(), time_ms: z.number() }),
  sql: `
      SELECT toString(day) AS date, check_id, sum(total) AS total_checks, sum(response_count) AS timed, sum(response_us_sum) / 1000 AS time_ms
      FROM ${cellsIn('tenant_id = {tenant: UUID} AND monitor_id = {monitor: UUID}', ['total', 'response_count', 'response_us_sum'])}
      GROUP BY date, check_id
      ORDER BY date
      SETTINGS max_threads = 1`,
})
