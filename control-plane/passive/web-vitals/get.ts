import { z } from 'zod'
import { type Buckets, quantileOf } from '#analytics/queries/response-spread.ts'
import { type VitalsRow, webVitals } from '#analytics/queries/web-vitals.ts'
import { queries, stamp } from '#control-plane/db/queries.ts'
import { endpoint } from '#control-plane/http/endpoint.ts'
import { ok } from '#control-plane/http/reply.ts'
import { shortUnit } from '#control-plane/monitoring/checks/check-endpoint.ts'
import { findMonitor } from '#control-plane/monitoring/monitors/find.ts'
import { periodOf, periodQuery } from '#control-plane/monitoring/statistics/period.ts'
import { keptOriginOf } from '#control-plane/tenancy/portal-hosts/origin.ts'
import { type Metric, metrics, rate, ratings, scaleOf, thresholds } from './metrics.ts'
import { BeaconView, viewBeacon } from './view.ts'

const maxPages = 200
const earliest = Date.UTC(2000, 0, 1)

const MetricView = z
  .object({
    metric: z.enum(metrics).meta({ id: 'VitalMetric' }),
    p75: z.number().meta({
      description:
        'The value that 75 % of the visits did not exceed; right within 2.5 %. Milliseconds; CLS has no unit.',
    }),
    rating: z.enum(ratings).meta({ description: 'Of the p75.' }),
    samples: z.int(),
    good: z.int(),
    needs_improvement: z.int(),
    poor: z.int(),
  })
  .meta({ id: 'WebVitalsMetric' })

export const WebVitalsView = z
  .object({
    monitor_id: z.uuid(),
    from: z.iso.date(),
    to: z.iso.date(),
    beacon: BeaconView.nullable(),
    thresholds: z.array(z.object({ metric: z.enum(metrics), good: z.number(), poor: z.number() })),
    metrics: z.array(MetricView),
    connections: z.array(z.object({ connection: z.string(), metrics: z.array(MetricView) })),
    pages: z
      .array(z.object({ path: z.string(), metrics: z.array(MetricView) }))
      .meta({ description: `The ${maxPages} pages with the most samples, those with the most first.` }),
  })
  .meta({ id: 'WebVitals' })

export const getVitals = endpoint({
  method: 'GET',
  path: '/monitors/{monitor}/web-vitals',
  summary: 'Get the web vitals of a site',
  description: 'In whole days (UTC), the last 28 by default. Measurements of the last seconds may still be missing.',
  access: { tenant: 'monitors:read', reseller: 'monitors:read' },
  detached: true,
  query: periodQuery,
  returns: ok({ data: WebVitalsView }),

  async handle(context) {
    const { tenant, params, query, services, now, requestId } = context
    const period = periodOf(query, { now, defaultDays: 28, maxDays: 400 })
    const [monitor, beacon] = await shortUnit(context, requestId, async em => {
      const found = await findMonitor(em, tenant, params.monitor)
      const row = await queries(em)
        .selectFrom('vitals_beacons')
        .where('tenant_id', '=', tenant.id)
        .where('monitor_id', '=', found.id)
        .select(['monitor_id', 'beacon_id'])
        .select(({ ref }) => stamp(ref('created_at')).as('created_at'))
        .executeTakeFirst()
      return [found, row] as const
    })
    // ClickHouse has no earlier days
    const day = (at: number) => new Date(Math.max(at, earliest)).toISOString().slice(0, 10)
    const days = { from: day(period.from), to: day(period.to - 1) }
    const of = { tenant: tenant.id, monitor: monitor.id, ...days, names: maxPages }
    const [byPage, byConnection] = await Promise.all([
      webVitals(services.clickhouse, { ...of, by: 'path' }),
      webVitals(services.clickhouse, { ...of, by: 'connection' }),
    ])
    return {
      data: {
        monitor_id: monitor.id,
        ...days,
        beacon: beacon ? viewBeacon(beacon, await keptOriginOf(services, tenant.id)) : null,
        thresholds: metrics.map(metric => ({ metric, good: thresholds[metric].good, poor: thresholds[metric].poor })),
        // every visit has one kind of connection, so these rows are all visits
        metrics: metricsOf(byConnection),
        connections: named(byConnection).map(([connection, rows]) => ({ connection, metrics: metricsOf(rows) })),
        pages: named(byPage).map(([path, rows]) => ({ path, metrics: metricsOf(rows) })),
      },
    }
  },
})

const samplesOf = (rows: readonly VitalsRow[]) =>
  rows.reduce((sum, { good, needs_improvement, poor }) => sum + good + needs_improvement + poor, 0)

/** Rows by their name, those with the most samples first. */
const named = (rows: readonly VitalsRow[]) =>
  [...Map.groupBy(rows, ({ name }) => name)].sort(([, a], [, b]) => samplesOf(b) - samplesOf(a))

function metricsOf(rows: readonly VitalsRow[]): z.input<typeof MetricView>[] {
  return metrics.flatMap(metric => {
    const own = rows.filter(row => row.metric === metric)
    const p75 = p75Of(
      metric,
      own.map(({ counts }) => counts),
    )
    if (p75 === null) return []
    const sum = (pick: (row: VitalsRow) => number) => own.reduce((total, row) => total + pick(row), 0)
    return [
      {
        metric,
        p75,
        rating: rate(metric, p75),
        samples: samplesOf(own),
        good: sum(({ good }) => good),
        needs_improvement: sum(row => row.needs_improvement),
        poor: sum(({ poor }) => poor),
      },
    ]
  })
}

function p75Of(metric: Metric, counts: readonly Buckets[]): number | null {
  const scaled = quantileOf(counts, 0.75)
  return scaled === null ? null : Math.round((scaled / scaleOf(metric)) * 1_000) / 1_000
}
