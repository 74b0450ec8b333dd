import type { MailLanguage } from '#control-plane/alerting/mail/words.ts'
import type { Month } from '#control-plane/identity/digest/month.ts'
import { momentOf, shownAt } from '#control-plane/identity/digest/morning.ts'
import { dayMs, type Interval, uptimePct } from '#control-plane/monitoring/statistics/judged-time.ts'
import { readMonthlyReport, type Stores } from '#control-plane/publishing/monthly-reports/read.ts'
import type { EffectiveBranding } from '#control-plane/tenancy/branding/effective.ts'
import { readIncidents, readMaintenance } from './details.ts'
import { type ReportDocument, reportBrand } from './pdf/document.ts'

/** More monitors than these are in the JSON report only; those with the lowest uptime come first. */
export const mostMonitors = 300

interface Wanted {
  tenant: { id: string; name: string }
  month: Month
  /** The month is not over: `month.to` is now. */
  isSoFar?: boolean
  language: MailLanguage
  branding: EffectiveBranding
  now: Date
}

/** The report of a team's month, ready to be rendered. */
export async function monthDocument(
  stores: Stores,
  { tenant, month, isSoFar = false, language, branding, now }: Wanted,
): Promise<ReportDocument> {
  const { run } = stores
  const days = daysOfMonth(month)
  const { report: all, days: judged } = await readMonthlyReport(stores, tenant, month, now, days)
  const report = { ...all, monitors: all.monitors.slice(0, mostMonitors) }
  const ids = report.monitors.map(({ monitor_id }) => monitor_id)
  const details = { tenant, monitorId: null, from: month.from, to: month.to, language }
  const daysOf = (id: string) =>
    days.map(({ date }, index) => {
      const time = judged.get(id)?.[index]
      return { date, uptime_pct: time ? uptimePct(time) : null }
    })
  return {
    tenantId: tenant.id,
    language,
    timezone: month.timezone,
    brand: reportBrand(branding),
    team: tenant.name,
    content: {
      kind: 'month',
      isSoFar,
      report,
      days: Object.fromEntries(ids.map(id => [id, daysOf(id)])),
      incidents: await readIncidents(run, details),
      maintenance: await readMaintenance(run, details),
    },
  }
}

/** The days of a month as its zone counts them: one may have 23 hours, or 25. */
export function daysOfMonth({ from, to, timezone }: Month): (Interval & { date: string })[] {
  const days: (Interval & { date: string })[] = []
  // the middle of a day: midnight may not exist where summer time begins
  const first = Math.floor((shownAt(from.getTime(), timezone) + dayMs / 2) / dayMs) * dayMs
  for (let shown = first, start = from.getTime(); start < to.getTime(); shown += dayMs) {
    const end = Math.min(to.getTime(), momentOf(shown + dayMs, timezone))
    days.push({ date: new Date(shown).toISOString().slice(0, 10), from: start, to: end })
    start = end
  }
  return days
}
