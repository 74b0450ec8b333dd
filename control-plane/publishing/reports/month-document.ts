import { daysOfMonth } from '#control-plane/alerting/digest/month-content.ts'
import type { Month } from '#control-plane/identity/digest/month.ts'
import type { Stores } from '#control-plane/publishing/monthly-reports/compute.ts'
import { readMonthlyReport } from '#control-plane/publishing/monthly-reports/read.ts'
import { storeDetails, timesIn } from '#control-plane/publishing/monthly-reports/sent.ts'
import type { EffectiveBranding } from '#control-plane/tenancy/branding/effective.ts'
import type { Language } from '#locales/languages.ts'
import { inWords, readIncidents, readMaintenance } from './details.ts'
import { type ReportDocument, reportBrand } from './pdf/document.ts'

/** More monitors than these are in the JSON report only; those with the lowest uptime come first. */
export const mostMonitors = 300

interface Wanted {
  tenant: { id: string; name: string }
  month: Month
  /** The month is not over: `month.to` is now. */
  isSoFar?: boolean
  /** It is made for a mail: what it says is stored. */
  isSending?: boolean
  language: Language
  branding: EffectiveBranding
  now: Date
}

/** The report of a team's month, ready to be rendered. */
export async function monthDocument(
  stores: Stores,
  { tenant, month, isSoFar = false, isSending = false, language, branding, now }: Wanted,
): Promise<ReportDocument> {
  const { db } = stores
  const days = daysOfMonth(month)
  const { report: all, days: uptimes, details: sent } = await readMonthlyReport(stores, tenant, month, now, days)
  const report = { ...all, monitors: all.monitors.slice(0, mostMonitors) }
  const ids = report.monitors.map(({ monitor_id }) => monitor_id)
  const asked = { tenant, monitorId: null, from: month.from, to: month.to }
  const details = sent ?? {
    times: Object.fromEntries(all.monitors.map(monitor => [monitor.monitor_id, timesIn(monitor)])),
    imported: all.imported,
    incidents: await readIncidents(db, asked),
    maintenance: await readMaintenance(db, asked),
  }
  if (isSending && sent === null) await storeDetails(db, tenant, month, details)
  const daysOf = (id: string) => days.map(({ date }, index) => ({ date, uptime_pct: uptimes.get(id)?.[index] ?? null }))
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
      incidents: inWords(details.incidents, language),
      maintenance: details.maintenance,
    },
  }
}
