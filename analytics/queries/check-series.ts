import { z } from 'zod'
import { timing } from '#analytics/cells.ts'
import { query } from '#analytics/query.ts'

/**
 * Results of checks by bucket, over all or some regions. Hours before `raw_from` come from roll-ups, later ones from
 * raw results; buckets below an hour always do. A bucket without results has no row.
 */
export const checkSeries = query({
  params: z.object({
    tenant: z.uuid(),
    monitors: z.array(z.uuid()).max(200),
    checks: z.array(z.uuid()).max(200),
    regions: z.array(z.string().max(40)).max(100),
    from: z.date(),
    to: z.date(),
    raw_from: z.date(),
    step_s: z.int().min(60).max(86_400),
  }),
  row: z.object({
    check_id: z.uuid(),
    at_s: z.int(),
    total: z.int(),
    good: z.int(),
    warnings: z.int(),
    failed: z.int(),
    avg_ms: z.number().nullable(),
    min_ms: z.number().nullable(),
    max_ms: z.number().nullable(),
  }),
  sql: ({ regions }) => {
    const where = `tenant_id = {tenant: UUID} AND monitor_id IN {monitors: Array(UUID)} AND check_id IN {checks: Array(UUID)}
        ${regions.length > 0 ? 'AND region IN {regions: Array(String)}' : ''}`
    return `
      SELECT
        check_id,
        intDiv(second, {step_s: UInt32}) * {step_s: UInt32}          AS at_s,
        sum(t)                                                       AS total,
        sum(g)                                                       AS good,
        sum(w)                                                       AS warnings,
        sum(f)                                                       AS failed,
        round(sum(us) / nullIf(sum(n), 0) / 1000, 3)                 AS avg_ms,
        round(minIf(least_us, n > 0) / nullIf(sign(sum(n)), 0) / 1000, 3) AS min_ms,
        round(maxIf(most_us, n > 0) / nullIf(sign(sum(n)), 0) / 1000, 3)  AS max_ms
      FROM
      (
        SELECT check_id, toUnixTimestamp(hour) AS second, total AS t, results_by_hour.good AS g, warning AS w, results_by_hour.failed AS f,
               response_us_sum AS us, response_count AS n, response_us_min AS least_us, response_us_max AS most_us
        FROM results_by_hour FINAL
        WHERE ${where} AND hour >= {from: DateTime} AND hour < least({to: DateTime}, {raw_from: DateTime})
        UNION ALL
        SELECT check_id, intDiv(toUnixTimestamp64Milli(due), 1000) AS second, 1 AS t, outcome = 'up' AS g, outcome = 'warning' AS w, outcome = 'down' AS f,
               if(is_timed, response_us, 0) AS us, is_timed AS n, toUInt32(response_us) AS least_us, toUInt32(response_us) AS most_us
        FROM
        (
          SELECT check_id, due, outcome, ${timing}
          FROM check_results FINAL
          WHERE ${where} AND due >= greatest({from: DateTime64(3)}, {raw_from: DateTime64(3)}) AND due < {to: DateTime64(3)}
        )
      )
      GROUP BY check_id, at_s
      ORDER BY check_id, at_s
    `
  },
})
