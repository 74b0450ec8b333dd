import { type RawBuilder, sql } from 'kysely'
import { fixed, type Row, stamp } from '#control-plane/db/queries.ts'
import { isInStateSql, isWatchedSql } from '#control-plane/engine/state/sql.ts'
import { isPausedByMaintenanceSql } from '#control-plane/engine/suppression/maintenance.ts'

const summary = [
  'id',
  'monitor_id',
  'type',
  'is_enabled',
  'interval',
  'severity',
  'verdict',
  'verdict_reason',
  'coverage',
] as const
const plain = [
  ...summary,
  'tenant_id',
  'settings',
  'secrets',
  'failing_regions',
  'snoozed_by',
  'snooze_reason',
] as const
const moments = ['verdict_since', 'snoozed_until', 'created_at', 'updated_at'] as const

/**
 * A check with the columns that it needs of its monitor. Times are text in the API's format; settings are without their
 * secrets, which are encrypted in `secrets`.
 */
export type CheckRow = Row<'checks', (typeof plain | typeof moments)[number]> &
  Row<'monitors', 'check_interval'> & {
    monitor_name: Row<'monitors'>['name']
    monitor_url: Row<'monitors'>['url']
    monitor_type: Row<'monitors'>['type']
    monitor_regions: Row<'monitors'>['regions']
    /** Regions that have an agent. */
    everywhere: Row<'agents'>['region'][] | null
    /** The monitor is enabled and within the plan limit, and neither its team nor maintenance pauses it. */
    is_monitor_running: boolean
    is_team_paused: boolean
    is_paused_by_maintenance: boolean
  }

/** What lists of monitors need of a check: its monitor is known there. */
export type SummaryRow = Pick<CheckRow, (typeof summary)[number] | 'snoozed_until' | 'everywhere'>

const own = (names: readonly string[]) => sql.join(names.map(name => sql.ref(`c.${name}`)))
const stamped = (names: readonly string[]) => sql.join(names.map(name => stamp(`c.${name}`).as(name)))
const everywhere = sql`(select array_agg(distinct region) from agents where revoked_at is null) as everywhere`

/**
 * Columns of `CheckRow` and the tables they come from. The monitor of each check is found by id: a join would read all
 * monitors of the tenant.
 */
export const selectChecks = fixed(sql`
  ${own(plain)}, ${stamped(moments)}, m.name as monitor_name, m.url as monitor_url, m.type as monitor_type,
  m.check_interval, m.regions as monitor_regions, ${everywhere},
  (${isWatchedSql()} and not ${isPausedByMaintenanceSql('m')}) as is_monitor_running,
  ${isInStateSql(['team_paused'])} as is_team_paused, ${isPausedByMaintenanceSql('m')} as is_paused_by_maintenance`)
const besideMonitor = sql`
  cross join lateral (select * from monitors where id = c.monitor_id limit 1) m join tenants t on t.id = m.tenant_id`
export const fromChecks = sql`from checks c ${besideMonitor}`
/**
 * The checks of a list of monitors. A lateral query for each monitor: `= any` may be planned as all checks of the
 * tenant after many were added.
 */
export const fromSummaries = (monitors: readonly string[]): RawBuilder<unknown> =>
  sql`from unnest(${[...monitors]}::uuid[]) wanted(id)
    cross join lateral (select * from checks where monitor_id = wanted.id order by created_at, id) c`
export const selectSummaries = sql`${own(summary)}, ${stamped(['snoozed_until'])}, ${everywhere}`
export const fromChecksOf = (monitors: readonly string[]): RawBuilder<unknown> =>
  sql`${fromSummaries(monitors)} ${besideMonitor}`
