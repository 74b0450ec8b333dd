import { sql } from 'kysely'
import { z } from 'zod'
import { dailyResults } from '#analytics/queries/daily-results.ts'
import { invalid } from '#control-plane/base/refusal.ts'
import { queries, total } from '#control-plane/db/queries.ts'
import { endpoint } from '#control-plane/http/endpoint.ts'
import { moment } from '#control-plane/http/page.ts'
import { ok } from '#control-plane/http/reply.ts'
import { findMonitor } from '#control-plane/monitoring/monitors/find.ts'
import {
  dayMs,
  daysOf,
  judgedSpans,
  timeOf,
  uptimeFormula,
  uptimePct,
} from '#control-plane/monitoring/statistics/judged-time.ts'
import { findUptimeCheck, noHistory, readHistory } from '#control-plane/monitoring/statistics/read-judged.ts'

const maxDays = 90
const pct = z.number().nullable()
const figures = { uptime_pct: pct, avg_response_ms: z.number().nullable(), total_checks: z.int() }

const MonitorReport = z
  .object({
    monitor_id: z.uuid(),
    from: z.iso.date(),
    to: z.iso.date(),
    formula_version: z.int(),
    daily: z.array(z.object({ date: z.iso.date(), ...figures })),
    overall: z.object({ ...figures, incidents_count: z.int(), downtime_s: z.int() }),
  })
  .meta({ id: 'MonitorReport' })

export const monitorReport = endpoint({
  method: 'GET',
  path: '/monitors/{monitor}/report',
  summary: 'Get the daily report of a monitor: uptime, response time, results, incidents',
  description: 'Days are in UTC, `from` and `to` included: at most 90. Default: the last 30 days.',
  access: { tenant: 'monitors:read', reseller: 'monitors:read' },
  query: z.object({ from: moment.optional(), to: moment.optional() }),
  returns: ok({ data: MonitorReport }),

  async handle({ em, tenant, params, query, now, services }) {
    const days = requestedDays(query, now)
    const period = { from: days.first, to: Math.min(days.last + dayMs, now.getTime()) }
    const [from, to] = [new Date(period.from), new Date(period.to)]
    const results = dailyResults(services.clickhouse, { tenant: tenant.id, monitor: params.monitor, from, to, now })
    // awaited below; until then a failure must not become an unhandled rejection
    results.catch(() => undefined)

    const monitor = await findMonitor(em, tenant, params.monitor)
    const check = await findUptimeCheck(em, tenant, monitor.id)
    const history = check ? await readHistory(em, check, period) : noHistory
    const spans = judgedSpans(history, period.from, period.to)
    const incidents = await queries(em)
      .selectFrom('incidents')
      .where('monitor_id', '=', monitor.id)
      .where('tenant_id', '=', tenant.id)
      .where('started_at', '>=', sql<string>`${from}`)
      .where('started_at', '<', sql<string>`${to}`)
      .select(total)
      .executeTakeFirstOrThrow()
    const rows = await results
    const byDate = Map.groupBy(rows, row => row.date)
    const view = (some: typeof rows) => {
      const own = some.filter(row => row.check_id === check)
      const timed = own.reduce((sum, row) => sum + row.timed, 0)
      const time = own.reduce((sum, row) => sum + row.time_us, 0)
      return {
        avg_response_ms: timed > 0 ? Math.round(time / timed / 100) / 10 : null,
        total_checks: some.reduce((sum, row) => sum + row.total_checks, 0),
      }
    }
    const whole = timeOf(spans)
    return {
      data: {
        monitor_id: monitor.id,
        from: dateOf(days.first),
        to: dateOf(days.last),
        formula_version: uptimeFormula,
        daily: daysOf(period.from, period.to).map(({ date, ...day }) => ({
          date,
          uptime_pct: uptimePct(timeOf(spans, day.from, day.to)),
          ...view(byDate.get(date) ?? []),
        })),
        overall: {
          uptime_pct: uptimePct(whole),
          ...view(rows),
          incidents_count: incidents.total,
          downtime_s: Math.round(whole.down / 1000),
        },
      },
    }
  },
})

const dateOf = (time: number) => new Date(time).toISOString().slice(0, 10)

function requestedDays(
  query: { from?: Date | undefined; to?: Date | undefined },
  now: Date,
): { first: number; last: number } {
  const dayOf = (date: Date) => Math.floor(date.getTime() / dayMs) * dayMs
  const last = dayOf(query.to ?? now)
  const first = query.from ? dayOf(query.from) : Math.min(last, dayOf(now)) - 29 * dayMs
  if (first > last) throw invalid({ to: ['Must not be before from.'] }, 'period_empty')
  if (last - first >= maxDays * dayMs)
    throw invalid({ to: [`A report covers at most ${maxDays} days.`] }, 'period_too_long')
  if (first > now.getTime()) throw invalid({ from: ['Must not be in the future.'] }, 'period_empty')
  return { first, last }
}
