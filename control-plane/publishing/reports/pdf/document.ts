import type { MonthlyReport } from '#control-plane/publishing/monthly-reports/read.ts'
import type { Incidents, ReportedMaintenance } from '#control-plane/publishing/reports/details.ts'
import type { MonitorReport } from '#control-plane/publishing/reports/read-monitor.ts'
import type { EffectiveBranding } from '#control-plane/tenancy/branding/effective.ts'
import type { Language } from '#locales/languages.ts'

/** How a monitor was on one day. */
export interface ReportedDay {
  date: string
  uptime_pct: number | null
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
  language: Language
  /** The zone in which moments are shown. */
  timezone: string
  brand: ReportBrand
  team: string
  content: ReportContent
}

/** What the renderer gets: the logo is loaded, and is PNG or JPEG. */
export type RenderableDocument = Omit<ReportDocument, 'tenantId'> & { logo: string | null }
