import type { SentMonth } from '#control-plane/alerting/digest/sent-month.ts'
import { type Db, json, queries } from '#control-plane/db/queries.ts'
import type { Month } from '#control-plane/identity/digest/month.ts'
import type { IncidentRows, ReportedMaintenance } from '#control-plane/publishing/reports/details.ts'
import type { ComputedReport } from './compute.ts'

const times = ['avg_response_ms', 'p50_response_ms', 'p95_response_ms', 'p99_response_ms'] as const
type Times = Pick<ComputedReport['monitors'][number], (typeof times)[number]>

/** What the report of a sent month says beyond its mail. */
export interface SentDetails {
  times: Record<string, Times>
  imported: ComputedReport['imported']
  incidents: IncidentRows
  maintenance: ReportedMaintenance[]
}

/** Stores the details of a month whose mail is sent, once. */
export const storeDetails = (db: Db, tenant: { id: string }, month: Month, details: SentDetails) =>
  queries(db)
    .updateTable('sent_months')
    .set({ details: json<Record<string, unknown>>({ ...details }) })
    .where('tenant_id', '=', tenant.id)
    .where('month', '=', month.month)
    .where('timezone', '=', month.timezone)
    .where('details', 'is', null)
    .execute()

export const detailsOf = ({ details }: SentMonth): SentDetails | null => details as SentDetails | null

export const timesIn = (monitor: Times): Times => {
  const { avg_response_ms, p50_response_ms, p95_response_ms, p99_response_ms } = monitor
  return { avg_response_ms, p50_response_ms, p95_response_ms, p99_response_ms }
}

const noTimes: Times = { avg_response_ms: null, p50_response_ms: null, p95_response_ms: null, p99_response_ms: null }

/**
 * The report of a month as it was mailed, beside what is computed of it now: results that came late, or another
 * formula, change nothing in it, but it says what they would make of it.
 */
export function asSent(sent: SentMonth, now: ComputedReport) {
  const { monitors, ...month } = sent.content
  const details = detailsOf(sent)
  const current = new Map(now.monitors.map(monitor => [monitor.monitor_id, monitor]))
  const isOther = (a: Figures, b: Figures | undefined) =>
    a.uptime_pct !== b?.uptime_pct || a.downtime_s !== b.downtime_s
  const isChanged = isOther(month, now) || monitors.some(each => isOther(each, current.get(each.monitor_id)))
  const { formula_version, uptime_pct, downtime_s } = now
  return {
    ...month,
    monitors: monitors.map(({ check_id: _, days: __, ...monitor }) => ({
      ...monitor,
      is_removed: current.get(monitor.monitor_id)?.is_removed ?? true,
      ...(details?.times[monitor.monitor_id] ?? timesIn(current.get(monitor.monitor_id) ?? noTimes)),
    })),
    imported: details === null ? now.imported : details.imported,
    history_waits_since: details === null ? now.history_waits_since : null,
    sent: { at: sent.sent_at, now: isChanged ? { formula_version, uptime_pct, downtime_s } : null },
  }
}

interface Figures {
  uptime_pct: number | null
  downtime_s: number
}
