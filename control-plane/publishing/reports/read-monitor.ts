import type { EntityManager } from '@mikro-orm/postgresql'
import { dailySpreads } from '#analytics/queries/spreads.ts'
import { wholeSeconds } from '#contract/time.ts'
import { countRows } from '#control-plane/db/queries.ts'
import { historyWaitsUntil } from '#control-plane/engine/agents/history-waits.ts'
import type { Services } from '#control-plane/http/services.ts'
import { isOwnWithin } from '#control-plane/monitoring/incidents/within.ts'
import { findMonitor } from '#control-plane/monitoring/monitors/find.ts'
import { readBudgets } from '#control-plane/monitoring/objectives/read.ts'
import { readImported } from '#control-plane/monitoring/statistics/imported-uptime.ts'
import {
  dayMs,
  daysOf,
  type Interval,
  type JudgedTime,
  judgedSpans,
  timeOf,
  uptimePct,
} from '#control-plane/monitoring/statistics/judged-time.ts'
import { findUptimeCheck, readHistory } from '#control-plane/monitoring/statistics/read-judged.ts'
import { timesOf } from '#control-plane/monitoring/statistics/spread.ts'
import { formulaOf } from '#control-plane/monitoring/statistics/uptime-formula.ts'

/** The first and the last day of a report, in UTC, as moments. */
export interface Days {
  first: number
  last: number
}

interface Wanted {
  tenant: { id: string }
  monitorId: string
  days: Days
  now: Date
}

/** What JSON and PDF say of a monitor in a period: one function, so that they agree. */
export async function readMonitorReport(
  em: EntityManager,
  { clickhouse }: Pick<Services, 'clickhouse'>,
  { tenant, monitorId, days, now }: Wanted,
) {
  const period = periodOf(days, now)
  const [from, to] = [new Date(period.from), new Date(period.to)]
  const results = dailySpreads(clickhouse, { tenant: tenant.id, monitor: monitorId, from, to, now })
  // awaited below; until then a failure must not become an unhandled rejection
  results.catch(() => undefined)

  const monitor = await findMonitor(em, tenant, monitorId)
  const check = await findUptimeCheck(em, tenant, monitor.id)
  const history = await readHistory(em, tenant, monitor.id, period)
  const spans = judgedSpans(history, period.from, period.to)
  const incidents = await countIncidents(em, tenant, monitor.id, period)
  const budgets = await readBudgets(em, tenant, [monitor], to)
  const rows = await results
  const byDate = Map.groupBy(rows, row => row.date)
  const view = (time: JudgedTime, some: typeof rows) => ({
    uptime_pct: uptimePct(time),
    ...secondsOf(time),
    ...timesOf(some.filter(row => row.check_id === check)),
    total_checks: some.reduce((sum, row) => sum + row.total_checks, 0),
  })
  return {
    monitor,
    period,
    report: {
      monitor_id: monitor.id,
      from: dateOf(days.first),
      to: dateOf(days.last),
      formula_version: await formulaOf(em, from),
      daily: daysOf(period.from, period.to).map(({ date, ...day }) => ({
        date,
        ...view(timeOf(spans, day.from, day.to), byDate.get(date) ?? []),
      })),
      overall: { ...view(timeOf(spans), rows), incidents_count: incidents },
      imported: await readImported(em, { tenant, monitorId: monitor.id, spans, period }),
      slo: budgets.get(monitor.id) ?? null,
      history_waits_since: await historyWaitsUntil(em, to),
    },
  }
}
export type MonitorReport = Awaited<ReturnType<typeof readMonitorReport>>['report']

const periodOf = (days: Days, now: Date): Interval => ({
  from: days.first,
  to: Math.min(days.last + dayMs, now.getTime()),
})

const secondsOf = (time: JudgedTime) => ({
  downtime_s: wholeSeconds(time.down),
  maintenance_s: wholeSeconds(time.maintenance),
  no_data_s: wholeSeconds(time.no_data),
})

const dateOf = (time: number) => new Date(time).toISOString().slice(0, 10)

async function countIncidents(
  em: EntityManager,
  tenant: { id: string },
  monitorId: string,
  { from, to }: Interval,
): Promise<number> {
  return countRows(em)`from incidents i
    where i.tenant_id = ${tenant.id} and i.monitor_id = ${monitorId}
      and ${isOwnWithin({ from: new Date(from), to: new Date(to) })}`
}
