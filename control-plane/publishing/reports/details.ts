import { causeIn } from '#control-plane/alerting/notifications/causes.ts'
import { agreementOf } from '#control-plane/alerting/notifications/regions.ts'
import { type Db, type Row, rows, stamp } from '#control-plane/db/queries.ts'
import { incidentSeconds } from '#control-plane/engine/incident-duration.ts'
import { besideMonitorRecord } from '#control-plane/engine/monitor-record.ts'
import { isOwnWithin } from '#control-plane/monitoring/incidents/within.ts'
import { coversSql } from '#control-plane/monitoring/maintenance-windows/covers.ts'
import { type Language, languageOfTag } from '#locales/languages.ts'
import { fill, texts } from '#locales/texts.ts'

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

export interface Incidents {
  shown: ReportedIncident[]
  /** With those that are not shown. */
  count: number
}

const mostIncidents = 40
const mostWindows = 20

interface Wanted {
  tenant: { id: string }
  /** null: all monitors of the tenant. */
  monitorId: string | null
  from: Date
  to: Date
}

type IncidentRow = Row<'incidents', 'title' | 'cause' | 'quorum'> & {
  monitor_name: string
  started_at: string
  resolved_at: string | null
  duration_s: number
  in_all: number
}

/** Incidents before they are put into words. `count`: with those that are not among the rows. */
export interface IncidentRows {
  rows: Omit<IncidentRow, 'in_all'>[]
  count: number
}

/** The incidents that overlap a period: those that lasted longest in it, in their order. */
export async function readIncidents(db: Db, { tenant, monitorId, from, to }: Wanted): Promise<IncidentRows> {
  const found = await rows(db)<IncidentRow>`select * from (
     select i.title, i.cause, i.quorum, m.name as monitor_name,
       ${stamp('i.started_at')} as started_at, ${stamp('i.resolved_at')} as resolved_at,
       ${incidentSeconds({ from, to })} as duration_s,
       (count(*) over ())::int as in_all
     from incidents i ${besideMonitorRecord}
     where i.tenant_id = ${tenant.id} and ${isOwnWithin({ from, to })}
       and i.monitor_id = coalesce(${monitorId}::uuid, i.monitor_id)
     order by duration_s desc, i.started_at, i.id limit ${mostIncidents}
   ) longest order by started_at, title`
  return { rows: found.map(({ in_all: _, ...row }) => row), count: found[0]?.in_all ?? 0 }
}

/** The same with their proof in words. */
export const inWords = ({ rows, count }: IncidentRows, language: Language): Incidents => ({
  shown: rows.map(row => viewIncident(row, language)),
  count,
})

function viewIncident(
  { quorum, cause, ...incident }: IncidentRows['rows'][number],
  language: Language,
): ReportedIncident {
  const { agreed, needed, regions } = agreementOf(quorum, language)
  return {
    ...incident,
    cause: cause && causeIn(language, cause),
    proof: agreed === '' ? '' : fill(texts('reports', language).failed, { agreed, needed }),
    regions,
  }
}

/** The maintenance windows that were active within a period. */
export const readMaintenance = (db: Db, { tenant, monitorId, from, to }: Wanted): Promise<ReportedMaintenance[]> =>
  rows(db)<ReportedMaintenance>`select w.title, ${stamp('w.actual_started_at')} as started_at,
     ${stamp('w.actual_ended_at')} as ended_at
   from maintenance_windows w
   where w.tenant_id = ${tenant.id} and w.actual_started_at < ${to}
     and coalesce(w.actual_ended_at, 'infinity') > ${from}
     and (${monitorId}::uuid is null
       or exists (select 1 from monitors m where m.id = ${monitorId} and ${coversSql()}))
   order by w.actual_started_at, w.id limit ${mostWindows}`

/** The language asked for, else that of the caller's profile. */
export const reportLanguage = (asked: Language | undefined, user: { language: string } | null): Language =>
  asked ?? languageOfTag(user?.language ?? 'en')
