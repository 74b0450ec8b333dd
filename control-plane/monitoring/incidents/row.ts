import { stampSql } from '#control-plane/base/stamp-sql.ts'

export const incidentStatuses = ['investigating', 'identified', 'monitoring', 'resolved'] as const
export type IncidentStatus = (typeof incidentStatuses)[number]
export const visibilities = ['internal', 'public'] as const

/** An incident beside its monitor. Moments are text in the wire's form: PostgreSQL has microseconds, a `Date` has not. */
export interface IncidentRow {
  id: string
  number: number
  title: string
  cause: string | null
  monitor_id: string
  monitor_name: string
  monitor_url: string
  check_id: string | null
  check_type: string
  severity: string
  status: string
  visibility: string
  started_at: string
  confirmed_at: string
  resolved_at: string | null
  /** When the team was told that it began; null: a snooze kept it quiet, and its reseller alone was told. */
  notified_at: string | null
  resolution: string | null
  duration_s: number
  acknowledged_at: string | null
  acknowledged_by: string | null
  is_snoozed: boolean
  snoozed_until: string | null
  archived_at: string | null
  storm_id: string | null
  quorum: Record<string, unknown>
  evidence: Record<string, unknown> | null
  created_at: string
  updated_at: string
}

const plain = [
  'id',
  'number',
  'title',
  'cause',
  'monitor_id',
  'check_id',
  'check_type',
  'severity',
  'status',
  'visibility',
  'resolution',
  'acknowledged_by',
  'storm_id',
  'quorum',
  'evidence',
]
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
]

/**
 * Columns of `IncidentRow` and the tables they come from. Takes `now` twice, before all other parameters. Each incident looks its monitor up by id: a join may be planned as all incidents beside all monitors.
 */
export const selectIncidents = `
  ${plain.map(name => `i.${name}`).join(', ')}, ${moments.map(name => `${stampSql(`i.${name}`)} as ${name}`).join(', ')},
  m.name as monitor_name, m.url as monitor_url,
  greatest(0, floor(extract(epoch from coalesce(i.resolved_at, ?::timestamptz) - i.started_at)))::int as duration_s,
  coalesce(i.snoozed_until > ?::timestamptz, false) as is_snoozed`
export const besideMonitor = 'cross join lateral (select * from monitors where id = i.monitor_id limit 1) m'
export const fromIncidents = `from incidents i ${besideMonitor}`
