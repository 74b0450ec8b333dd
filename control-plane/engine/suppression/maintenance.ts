/** SQL for the spans `ms` of the active maintenance windows that cover a monitor, named by its alias. */
export const maintenanceOfSql = (monitor: string): string =>
  `from maintenance_spans ms where ms.monitor_id = ${monitor}.id and ms.ended_at is null`

/** SQL: whether a monitor is in an active maintenance window. */
export const isInMaintenanceSql = (monitor: string): string => `exists (select 1 ${maintenanceOfSql(monitor)})`

/** SQL: whether no channel is notified of a monitor: it is in an active maintenance window, or a migration's shadow. */
export const isQuietSql = (monitor: string): string => `(${monitor}.is_shadow or ${isInMaintenanceSql(monitor)})`

/** SQL: why no channel is notified of a monitor, `shadow` or `maintenance`; null otherwise. */
export const quietCauseSql = (monitor: string): string =>
  `case when ${monitor}.is_shadow then 'shadow' when ${isInMaintenanceSql(monitor)} then 'maintenance' end`

/** SQL: whether something began while no channel was notified of it. `cause`: its `suppressed_by`. */
export const wasQuietSql = (cause: string): string => `coalesce(${cause} in ('maintenance', 'shadow'), false)`

/** SQL: whether an active maintenance window pauses the checks of a monitor. */
export const isPausedByMaintenanceSql = (monitor: string): string =>
  `exists (select 1 ${maintenanceOfSql(monitor)} and ms.is_paused)`
