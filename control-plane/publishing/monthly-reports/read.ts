import { readSentMonth } from '#control-plane/alerting/digest/sent-month.ts'
import type { Month } from '#control-plane/identity/digest/month.ts'
import { type Interval, uptimePct } from '#control-plane/monitoring/statistics/judged-time.ts'
import { computeReport, type Stores } from './compute.ts'
import { asSent, detailsOf } from './sent.ts'

/**
 * What JSON, PDF and the attachment of the mail say of a month: one function, so that they agree. A month that was
 * mailed is as it was mailed. `days`: the days of the month, whose uptime is returned by monitor.
 */
export async function readMonthlyReport(
  stores: Stores,
  tenant: { id: string },
  month: Month,
  now: Date,
  days: readonly Interval[] = [],
) {
  const computed = await computeReport(stores, tenant, month, now, days)
  const sent = await readSentMonth(stores.db, tenant, month)
  const daysSent = sent && new Map(sent.content.monitors.map(({ monitor_id, days }) => [monitor_id, days]))
  return {
    report: sent ? asSent(sent, computed.report) : { ...computed.report, sent: null },
    days: daysSent ?? new Map([...computed.days].map(([id, times]) => [id, times.map(uptimePct)])),
    details: sent && detailsOf(sent),
  }
}
export type MonthlyReport = Awaited<ReturnType<typeof readMonthlyReport>>['report']
