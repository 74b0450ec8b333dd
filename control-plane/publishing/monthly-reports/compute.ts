import type { ClickHouseClient } from '#analytics/client.ts'
import { checkSpreads } from '#analytics/queries/spreads.ts'
import { readMonth } from '#control-plane/alerting/digest/month-content.ts'
import type { Db } from '#control-plane/db/queries.ts'
import { historyWaitsUntil } from '#control-plane/engine/agents/history-waits.ts'
import type { Month } from '#control-plane/identity/digest/month.ts'
import { hasImported, readImportedMonth } from '#control-plane/monitoring/statistics/imported-uptime.ts'
import { daysOf, type Interval } from '#control-plane/monitoring/statistics/judged-time.ts'
import { timesOf } from '#control-plane/monitoring/statistics/spread.ts'

/** The names of checks travel in the address of a query. */
const checksAtOnce = 200

export interface Stores {
  db: Db
  clickhouse: ClickHouseClient
}

/** What is computed of a month now, and the judged time of its days. */
export async function computeReport(
  { db, clickhouse }: Stores,
  tenant: { id: string },
  month: Month,
  now: Date,
  days: readonly Interval[],
) {
  // imported incidents count by days of UTC, wherever the month begins
  const hasPast = await hasImported(db, tenant, month)
  const importedDays = hasPast ? daysOf(month.from.getTime(), month.to.getTime()) : []
  const { monitors, ...report } = await readMonth(db, tenant, month, [...days, ...importedDays])
  const imported = await readImportedMonth(db, {
    tenant,
    days: importedDays,
    own: new Map(monitors.map(monitor => [monitor.monitor_id, monitor.days.slice(days.length)])),
  })
  const checked = monitors.flatMap(({ monitor_id, check_id }) => (check_id === null ? [] : { monitor_id, check_id }))
  const spreads = new Map<string, Awaited<ReturnType<typeof checkSpreads>>[number]>()
  for (let at = 0; at < checked.length; at += checksAtOnce) {
    const some = checked.slice(at, at + checksAtOnce)
    const asked = {
      tenant: tenant.id,
      monitors: some.map(({ monitor_id }) => monitor_id),
      checks: some.map(({ check_id }) => check_id),
      from: month.from,
      to: month.to,
      now,
    }
    for (const row of await checkSpreads(clickhouse, asked)) spreads.set(row.check_id, row)
  }
  return {
    report: {
      ...report,
      monitors: monitors.map(({ check_id, days: _, ...monitor }) => {
        const spread = check_id === null ? undefined : spreads.get(check_id)
        return { ...monitor, ...timesOf(spread ? [spread] : []) }
      }),
      imported,
      history_waits_since: await historyWaitsUntil(db, month.to),
    },
    days: new Map(monitors.map(monitor => [monitor.monitor_id, monitor.days.slice(0, days.length)])),
  }
}
export type ComputedReport = Awaited<ReturnType<typeof computeReport>>['report']
