import { z } from 'zod'
import { query } from '#analytics/query.ts'
import { closedCells, Window } from './window.ts'

const where = 'tenant_id = {tenant: UUID} AND monitor_id IN {monitors: Array(UUID)}'

/** Results of each check of some monitors by day (UTC), of closed hours: those that succeeded, and all with an outcome. */
export const requestsByDay = query({
  params: z.object({ tenant: z.uuid(), monitors: z.array(z.uuid()).max(500) }).and(Window),
  row: z.object({ monitor_id: z.uuid(), check_id: z.uuid(), date: z.iso.date(), passed: z.int(), judged: z.int() }),
  sql: `
      SELECT monitor_id, check_id, toDate(day) AS date, sum(good) + sum(warning) AS passed,
             sum(good) + sum(warning) + sum(failed) AS judged
      FROM (${closedCells(where, ['good', 'warning', 'failed'])})
      GROUP BY monitor_id, check_id, date`,
})
