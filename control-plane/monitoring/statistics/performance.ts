import { z } from 'zod'
import { quantileOf, responseSpread } from '#analytics/queries/response-spread.ts'
import { stamp } from '#contract/time.ts'
import { endpoint } from '#control-plane/http/endpoint.ts'
import { ok } from '#control-plane/http/reply.ts'
import { findMonitor } from '#control-plane/monitoring/monitors/find.ts'
import { periodOf, periodQuery } from './period.ts'
import { findUptimeCheck } from './read-judged.ts'

const time = z.string().meta({ format: 'date-time' })
const ms = z.number().nullable()

/** Response times in milliseconds. Percentiles are right within 2.5 %. */
const Spread = z.object({
  total_checks: z.int(),
  avg_ms: ms,
  min_ms: ms,
  max_ms: ms,
  p50_ms: ms,
  p95_ms: ms,
  p99_ms: ms,
  phases: z.object({ dns_ms: ms, connect_ms: ms, tls_ms: ms, first_byte_ms: ms }),
})
type Spread = z.input<typeof Spread>

export const monitorPerformance = endpoint({
  method: 'GET',
  path: '/monitors/{monitor}/performance',
  summary: 'Get the response times of a monitor, in all and by region, with phases',
  description:
    'Of the uptime check of the monitor. Successful results only; percentiles are right within 2.5 %. At most 90 days.',
  access: { tenant: 'monitors:read', reseller: 'monitors:read' },
  query: periodQuery,
  returns: ok({
    data: Spread.extend({
      monitor_id: z.uuid(),
      check_id: z.uuid().nullable(),
      from: time,
      to: time,
      regions: z.array(Spread.extend({ region: z.string() })),
    }).meta({ id: 'MonitorPerformance' }),
  }),

  async handle({ em, tenant, params, query, now, services }) {
    const period = periodOf(query, { now, defaultDays: 1, maxDays: 90 })
    const monitor = await findMonitor(em, tenant, params.monitor)
    const check = await findUptimeCheck(em, tenant, monitor.id)
    const [from, to] = [new Date(period.from), new Date(period.to)]
    const rows = check
      ? await responseSpread(services.clickhouse, { tenant: tenant.id, monitor: monitor.id, check, from, to, now })
      : []
    return {
      data: {
        monitor_id: monitor.id,
        check_id: check,
        from: stamp(from),
        to: stamp(to),
        ...viewSpread(rows),
        regions: rows.map(row => ({ region: row.region, ...viewSpread([row]) })),
      },
    }
  },
})

type Row = Awaited<ReturnType<typeof responseSpread>>[number]

const rounded = (value: number | null) => (value === null ? null : Math.round(value * 100) / 100)

function viewSpread(rows: readonly Row[]): Spread {
  const sum = (of: (row: Row) => number) => rows.reduce((total, row) => total + of(row), 0)
  const mean = (time: number, count: number) => (count > 0 ? rounded(time / count) : null)
  const known = (values: (number | null)[]) => values.filter(value => value !== null)
  const buckets = rows.map(row => row.buckets)
  const [least, most] = [known(rows.map(row => row.min_ms)), known(rows.map(row => row.max_ms))]
  const [min, max] = [least.length > 0 ? Math.min(...least) : null, most.length > 0 ? Math.max(...most) : null]
  // one bucket has all times below a millisecond, so the minimum and maximum are more exact
  const quantile = (q: number) => {
    const found = quantileOf(buckets, q)
    return rounded(found === null || min === null || max === null ? found : Math.min(max, Math.max(min, found)))
  }
  return {
    total_checks: sum(row => row.total_checks),
    avg_ms: mean(
      sum(row => row.time_ms),
      sum(row => row.timed),
    ),
    min_ms: rounded(min),
    max_ms: rounded(max),
    p50_ms: quantile(0.5),
    p95_ms: quantile(0.95),
    p99_ms: quantile(0.99),
    phases: {
      dns_ms: mean(
        sum(row => row.dns_ms),
        sum(row => row.dns_timed),
      ),
      connect_ms: mean(
        sum(row => row.connect_ms),
        sum(row => row.connect_timed),
      ),
      tls_ms: mean(
        sum(row => row.tls_ms),
        sum(row => row.tls_timed),
      ),
      first_byte_ms: mean(
        sum(row => row.first_byte_ms),
        sum(row => row.first_byte_timed),
      ),
    },
  }
}
