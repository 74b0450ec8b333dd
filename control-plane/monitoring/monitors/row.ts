import { stampSql } from '#control-plane/base/stamp-sql.ts'
import type { Row } from '#control-plane/db/queries.ts'
import { isInMaintenanceSql, windowsOfSql } from '#control-plane/engine/suppression/maintenance.ts'

export const policyModes = ['any', 'majority', 'all', 'count'] as const

export interface RegionPolicy {
  mode: (typeof policyModes)[number]
  count: number | null
}

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

/** A monitor. Times are text in the API's form: PostgreSQL has microseconds, a `Date` has not. */
export type MonitorRow = MonitorFields &
  Row<
    'monitors',
    | 'id'
    | 'held_by_plan'
    | 'status'
    | 'status_reason'
    | 'status_changed_at'
    | 'coverage'
    | 'coverage_since'
    | 'created_at'
    | 'updated_at'
  > & { is_team_paused: boolean }

/** When the reseller paused the team acted in. The same for every row of a statement, so PostgreSQL reads it once. */
const teamPausedAt = '(select paused_at from tenants where id = (select current_tenant()))'
export const isTeamPaused = `(${teamPausedAt} is not null)`

const isMonitorPaused = '(not m.is_enabled or m.held_by_plan)'
/** SQL: whether a monitor `m` is disabled, over the plan limit, or of a paused team. It is not checked then. */
export const isPaused = `(${isMonitorPaused} or ${isTeamPaused})`

/** SQL: whether an active maintenance window covers a monitor `m`. */
export const isInMaintenance = isInMaintenanceSql('m')

/** SQL: the shown status of a monitor `m`: `paused`, else `maintenance`, else that of the verdict. */
export const shownStatus = `(case when ${isPaused} then 'paused' when ${isInMaintenance} then 'maintenance'
  else m.status end)`

/** Columns of `MonitorRow`, for monitors `m`. */
export const selectMonitors = `
  m.id, ${fieldNames.map(name => `m.${name}`).join(', ')}, m.held_by_plan, ${shownStatus} as status, m.status_reason,
  m.coverage, ${stampSql('m.coverage_since')} as coverage_since,
  ${stampSql(`(case when ${isMonitorPaused} then coalesce(m.switched_at, m.created_at)
    when ${isTeamPaused} then greatest(${teamPausedAt}, m.created_at)
    else greatest(m.status_changed_at,
      (select min(greatest(mw.actual_started_at, m.created_at)) ${windowsOfSql('m')})) end)`)} as status_changed_at,
  ${isTeamPaused} as is_team_paused,
  ${stampSql('m.created_at')} as created_at, ${stampSql('m.updated_at')} as updated_at`
