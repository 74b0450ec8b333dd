import { z } from 'zod'
import { query } from '#analytics/query.ts'
import { cellsIn, Window } from './window.ts'

/**
 * Number of results of all checks of a tenant, and the mean response time of the successful ones in milliseconds. One
 * row.
 */
export const tenantTotals = query({
  params: z.object({ tenant: z.uuid() }).and(Window),
  row: z.object({ total_checks: z.int(), avg_response_ms: z.number().nullable() }),
  sql: `
      SELECT sum(total) AS total_checks, round(sum(response_us_sum) / nullIf(sum(response_count), 0) / 1000, 1) AS avg_response_ms
      FROM ${cellsIn('tenant_id = {tenant: UUID}', ['total', 'response_count', 'response_us_sum'])}`,
})
