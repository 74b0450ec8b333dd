import type { MailLanguage } from '#control-plane/alerting/mail/words.ts'
import type { MonthlyReport } from '#control-plane/publishing/monthly-reports/read.ts'
import type { MonitorReport } from '#control-plane/publishing/reports/read-monitor.ts'
import type { EffectiveBranding } from '#control-plane/tenancy/branding/effective.ts'

/** An incident as a report shows it, with its proof in the language of the report. */
export interface ReportedIncident {
  title: string
  monitor_name: string
  cause: string | null
  started_at: string
  resolved_at: string | null
  duration_s: number
  /** "3 of 3 regions failed, 2 were needed."; empty for a pushed report, for which no region votes. */
  proof: string
  /** What each region saw. */
  regions: { region: string; saw: string }[]
}

/** Planned work within the time of a report. */
export interface ReportedMaintenance {
  title: string
  started_at: string
  ended_at: string | null
}

/** How a monitor was on one day. */
export interface ReportedDay {
  date: string
  uptime_pct: number | null
}

export interface Incidents {
  shown: ReportedIncident[]
  /** With those that are not shown. */
  count: number
}

interface Details {
  incidents: Incidents
  maintenance: ReportedMaintenance[]
}

/** The content of a report: all figures are those of the JSON report. */
export type ReportContent =
  | ({ kind: 'month'; isSoFar: boolean; report: MonthlyReport; days: Record<string, ReportedDay[]> } & Details)
  | ({
      kind: 'monitor'
      report: MonitorReport
      monitor: { name: string; url: string }
    } & Details)

export interface ReportBrand {
  name: string
  color: string
  footerText: string | null
  hidesPoweredBy: boolean
  logoUrl: string | null
}

export const reportBrand = (branding: EffectiveBranding): ReportBrand => ({
  name: branding.brand_name,
  color: branding.primary_color,
  footerText: branding.footer_text,
  hidesPoweredBy: branding.hide_powered_by,
  logoUrl: branding.logo_url,
})

/** A report before it is rendered. It is plain data: it travels to another thread. */
export interface ReportDocument {
  tenantId: string
  language: MailLanguage
  /** The zone in which moments are shown. */
  timezone: string
  brand: ReportBrand
  team: string
  content: ReportContent
}

/** What the renderer gets: the logo is loaded, and is PNG or JPEG. */
export type RenderableDocument = Omit<ReportDocument, 'tenantId'> & { logo: string | null }
