import { z } from 'zod'
import { query } from '#analytics/query.ts'

const row = z.object({
  metric: z.string(),
  name: z.string(),
  good: z.int(),
  needs_improvement: z.int(),
  poor: z.int(),
  counts: z.tuple([z.array(z.int()), z.array(z.int())]),
})
export type VitalsRow = z.output<typeof row>

/** Web vitals of a site over some days, by metric, and by page or kind of connection; those with the most reports. */
export const webVitals = query({
  params: z.object({
    tenant: z.uuid(),
    monitor: z.uuid(),
    from: z.iso.date(),
    to: z.iso.date(),
    by: z.enum(['path', 'connection']),
    names: z.int().min(1).max(500),
  }),
  row,
  sql: ({ by }) => `
    SELECT metric, name, sum(good) AS good, sum(needs_improvement) AS needs_improvement, sum(poor) AS poor, sumMap(buckets) AS counts
    FROM
    (
      SELECT metric, ${by} AS name, web_vitals_by_day.good AS good, web_vitals_by_day.needs_improvement AS needs_improvement, web_vitals_by_day.poor AS poor, buckets
      FROM web_vitals_by_day
      WHERE tenant_id = {tenant: UUID} AND monitor_id = {monitor: UUID} AND day >= {from: Date} AND day <= {to: Date}
    )
    WHERE name IN (
      SELECT ${by} FROM web_vitals_by_day
      WHERE tenant_id = {tenant: UUID} AND monitor_id = {monitor: UUID} AND day >= {from: Date} AND day <= {to: Date}
      GROUP BY ${by} ORDER BY sum(web_vitals_by_day.good + web_vitals_by_day.needs_improvement + web_vitals_by_day.poor) DESC, ${by} LIMIT {names: UInt32}
    )
    GROUP BY metric, name
    ORDER BY name, metric
  `,
})
