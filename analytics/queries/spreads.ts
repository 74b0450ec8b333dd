import { z } from 'zod'
import { query } from '#analytics/query.ts'
import { cellsIn, Window } from './window.ts'

const times = {
  total_checks: z.int(),
  timed: z.int(),
  time_us: z.int(),
  min_ms: z.number().nullable(),
  max_ms: z.number().nullable(),
  buckets: z.tuple([z.array(z.int()), z.array(z.int())]),
}
const columns = [
  'total',
  'response_count',
  'response_us_sum',
  'response_us_min',
  'response_us_max',
  'response_buckets',
  'response_counts',
] as const
const figures = `sum(total) AS total_checks, sum(response_count) AS timed, sum(response_us_sum) AS time_us,
             if(timed = 0, NULL, minIf(response_us_min, response_count > 0) / 1000) AS min_ms,
             if(timed = 0, NULL, max(response_us_max) / 1000) AS max_ms,
             sumMap(response_buckets, response_counts) AS buckets`

/**
 * Distribution of the response times of each check of a monitor by day (UTC), with the number of results. A day without
 * results has no row.
 */
export const dailySpreads = query({
  params: z.object({ tenant: z.uuid(), monitor: z.uuid() }).and(Window),
  row: z.object({ date: z.iso.date(), check_id: z.uuid(), ...times }),
  sql: `
      SELECT day AS date, check_id, ${figures}
      FROM ${cellsIn('tenant_id = {tenant: UUID} AND monitor_id = {monitor: UUID}', columns)}
      GROUP BY date, check_id
      SETTINGS max_threads = 1`,
})

/**
 * Distribution of the response times of many checks of some monitors of one tenant, over all or some regions. A check
 * without results has no row.
 */
export const checkSpreads = query({
  params: z
    .object({
      tenant: z.uuid(),
      monitors: z.array(z.uuid()),
      checks: z.array(z.uuid()),
      regions: z.array(z.string().max(40)).max(100).default([]),
    })
    .and(Window),
  row: z.object({ check_id: z.uuid(), ...times }),
  sql: ({ regions }) => `
      SELECT check_id, ${figures}
      FROM ${cellsIn(
        `tenant_id = {tenant: UUID} AND monitor_id IN {monitors: Array(UUID)} AND check_id IN {checks: Array(UUID)}
          ${regions.length > 0 ? 'AND region IN {regions: Array(String)}' : ''}`,
        columns,
      )}
      GROUP BY check_id
      SETTINGS max_threads = 1`,
})
