import type { EntityManager } from '@mikro-orm/postgresql'
import type { Services } from '#control-plane/http/services.ts'
import type { EffectiveBranding } from '#control-plane/tenancy/branding/effective.ts'
import type { Language } from '#locales/languages.ts'
import { inWords, readIncidents, readMaintenance } from './details.ts'
import { type ReportDocument, reportBrand } from './pdf/document.ts'
import { type Days, readMonitorReport } from './read-monitor.ts'

interface Wanted {
  tenant: { id: string; name: string }
  monitorId: string
  days: Days
  language: Language
  /** Of times of day; days are those of UTC. */
  timezone: string
  branding: EffectiveBranding
  now: Date
}

/** The report of one monitor, ready to be rendered. */
export async function monitorDocument(
  em: EntityManager,
  services: Pick<Services, 'clickhouse'>,
  { tenant, monitorId, days, language, timezone, branding, now }: Wanted,
): Promise<ReportDocument> {
  const { monitor, period, report } = await readMonitorReport(em, services, { tenant, monitorId, days, now })
  const details = { tenant, monitorId: monitor.id, from: new Date(period.from), to: new Date(period.to) }
  return {
    tenantId: tenant.id,
    language,
    timezone,
    brand: reportBrand(branding),
    team: tenant.name,
    content: {
      kind: 'monitor',
      report,
      monitor: { name: monitor.name, url: monitor.url },
      incidents: inWords(await readIncidents(em, details), language),
      maintenance: await readMaintenance(em, details),
    },
  }
}
