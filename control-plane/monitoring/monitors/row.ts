import { sql } from 'kysely'
import { fixed, type Row, stamp } from '#control-plane/db/queries.ts'
import { ofTeamSql, type StateColumns } from '#control-plane/engine/state/sql.ts'
import { isPausedByMaintenanceSql } from '#control-plane/engine/suppression/maintenance.ts'

/** Columns a person sets, with their types: the one list that inserts and updates go by. */
export const fieldTypes = {
  name: 'text',
  url: 'text',
  type: 'text',
  tags: 'text[]',
  group_name: 'text',
  notes: 'text',
  is_enabled: 'boolean',
  check_interval: 'int',
  timeout: 'int',
  regions: 'text[]',
  region_policy: 'jsonb',
  confirmations: 'smallint',
  recovery_confirmations: 'smallint',
  depends_on: 'uuid[]',
  escalation_policy_id: 'uuid',
  external_ref: 'text',
  metadata: 'jsonb',
  slo: 'jsonb',
} as const satisfies Partial<Record<keyof Row<'monitors'>, string>>
export const fieldNames = Object.keys(fieldTypes) as (keyof MonitorFields)[]

/** What a person may set of a monitor, as it is stored. */
export type MonitorFields = Row<'monitors', keyof typeof fieldTypes>

/** A monitor with its state. Times are text in the API's form: PostgreSQL has microseconds, a `Date` has not. */
export type MonitorRow = MonitorFields &
  Row<'monitors', 'id' | 'held_by_plan' | 'coverage' | 'coverage_since' | 'created_at' | 'updated_at'> &
  StateColumns<string> & { is_paused_by_maintenance: boolean }

/** Joins the states `s` to monitors `m` of the team acted in; goes with `selectMonitors`. */
export const joinStates = sql`join ${ofTeamSql} s on s.monitor_id = m.id`

/** Columns of `MonitorRow`, for monitors `m` and their states `s`. */
export const selectMonitors = fixed(sql`
  m.id, ${sql.join(fieldNames.map(name => sql.ref(`m.${name}`)))}, m.held_by_plan, s.state, s.cause, s.detail,
  ${stamp('s.since')} as since, m.coverage, ${stamp('m.coverage_since')} as coverage_since,
  ${isPausedByMaintenanceSql('m')} as is_paused_by_maintenance,
  ${stamp('m.created_at')} as created_at, ${stamp('m.updated_at')} as updated_at`)
