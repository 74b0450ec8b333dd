import { type RawBuilder, sql } from 'kysely'
import { type Row, stamp } from '#control-plane/db/queries.ts'
import { incidentSeconds } from '#control-plane/engine/incident-duration.ts'
import { besideMonitorRecord } from '#control-plane/engine/monitor-record.ts'

export const incidentStatuses = ['investigating', 'identified', 'monitoring', 'resolved'] as const
export type IncidentStatus = (typeof incidentStatuses)[number]
export const visibilities = ['internal', 'public'] as const

const plain = [
  'id',
  'number',
  'title',
  'cause',
  'monitor_id',
  'check_type',
  'severity',
  'status',
  'resolution',
  'acknowledged_by',
  'maintenance_window_id',
  'quorum',
  'evidence',
  'imported_from',
] as const
const moments = [
  'started_at',
  'confirmed_at',
  'resolved_at',
  'notified_at',
  'acknowledged_at',
  'snoozed_until',
  'archived_at',
  'created_at',
  'updated_at',
] as const

/**
 * An incident with its monitor. Times are text in the API's format: PostgreSQL has microseconds, a `Date` has not.
 * `notified_at`: when the team was notified of the beginning; null: a snooze suppressed that, and only the reseller was
 * notified. `check_id`: null once the check is deleted, though the row keeps it. `visibility`: whether a published
 * status page has it.
 */
export type IncidentRow = Row<'incidents', 'check_id' | (typeof plain | typeof moments)[number]> & {
  monitor_name: Row<'monitors'>['name']
  monitor_url: Row<'monitors'>['url']
  is_monitor_removed: boolean
  /** The storm of its host, else of the team. */
  storm_id: string | null
  visibility: (typeof visibilities)[number]
  duration_s: number
  is_snoozed: boolean
}

/** Columns of `IncidentRow`, and the tables they come from. */
export const selectIncidents = (now: Date): RawBuilder<unknown> => sql`
  ${sql.join(plain.map(name => sql.ref(`i.${name}`)))},
  ${sql.join(moments.map(name => sql`${stamp(`i.${name}`)} as ${sql.ref(name)}`))},
  coalesce((select h.id from host_storms h where h.id = i.host_storm_id and h.notified_at is not null), i.storm_id)
    as storm_id,
  m.name as monitor_name, m.url as monitor_url, m.is_removed as is_monitor_removed,
  (select c.id from checks c where c.id = i.check_id) as check_id,
  case when exists (
    select 1 from status_page_posts p join status_pages s on s.id = p.page_id
    where p.incident_id = i.id and s.state = 'published'
  ) then 'public' else 'internal' end as visibility,
  ${incidentSeconds({ to: now })} as duration_s,
  coalesce(i.snoozed_until > ${now}, false) as is_snoozed`
export const fromIncidents = sql`from incidents i ${besideMonitorRecord}`
