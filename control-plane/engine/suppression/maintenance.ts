import { type RawBuilder, sql } from 'kysely'

/** The spans `ms` of the active maintenance windows that cover a monitor, named by its alias. */
export const maintenanceOfSql = (monitor: string): RawBuilder<unknown> =>
  sql`from maintenance_spans ms where ms.monitor_id = ${sql.raw(monitor)}.id and ms.ended_at is null`

const isInMaintenanceSql = (monitor: string) => sql`exists (select 1 ${maintenanceOfSql(monitor)})`

/** Whether no channel is notified of a monitor: it is in an active maintenance window, or a migration's shadow. */
export const isQuietSql = (monitor: string): RawBuilder<boolean> =>
  sql`(${sql.ref(`${monitor}.is_shadow`)} or ${isInMaintenanceSql(monitor)})`

/** Why no channel is notified of a monitor, `shadow` or `maintenance`; null otherwise. */
export const quietCauseSql = (monitor: string): RawBuilder<string | null> => sql`
  case when ${sql.ref(`${monitor}.is_shadow`)} then 'shadow'
    when ${isInMaintenanceSql(monitor)} then 'maintenance' end`

/** Whether something began while no channel was notified of it. `cause`: its column `suppressed_by`. */
export const wasQuietSql = (cause: string): RawBuilder<boolean> =>
  sql`coalesce(${sql.ref(cause)} in ('maintenance', 'shadow'), false)`

/** Whether an active maintenance window pauses the checks of a monitor. */
export const isPausedByMaintenanceSql = (monitor: string): RawBuilder<boolean> =>
  sql`exists (select 1 ${maintenanceOfSql(monitor)} and ms.is_paused)`
