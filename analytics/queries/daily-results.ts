import { z } from 'zod'
import { query } from '#analytics/query.ts'
import { spans, Window } from './window.ts'

const where = 'tenant_id = {tenant: UUID} AND monitor_id = {monitor: UUID}'
const ofCells = 'sum(total) AS total_checks, sum(response_count) AS timed, sum(response_us_sum) AS time_us'
const closed = (table: 'results_by_day' | 'results_by_hour') =>
  `SELECT ${spans[table].day} AS date, check_id, ${ofCells} FROM ${table} FINAL WHERE ${where} AND ` +
  `${spans[table].within} GROUP BY date, check_id`

/**
 * Number of results of each check of a monitor by day (UTC), and the total time of the successful ones. A day without
 * results has no row; a day that is not over has a row from each table. Three plain selects: for so few rows ClickHouse
 * takes longer to parse a query than to answer it.
 */
export const dailyResults = query({
  params: z.object({ tenant: z.uuid(), monitor: z.uuid() }).and(Window),
  row: z.object({ date: z.iso.date(), check_id: z.uuid(), total_checks: z.int(), timed: z.int(), time_us: z.int() }),
  sql: `
      ${closed('results_by_day')}
      UNION ALL
      ${closed('results_by_hour')}
      UNION ALL
      SELECT ${spans.check_results.day} AS date, check_id, count(), countIf(response_ms IS NOT NULL AND NOT is_unreliable),
             sumIf(toUInt64(round(response_ms * 1000)), response_ms IS NOT NULL AND NOT is_unreliable)
      FROM check_results FINAL
      WHERE ${where} AND ${spans.check_results.within}
      GROUP BY date, check_id
      SETTINGS max_threads = 1`,
})
