/** SQL for the spans `ms` of the active maintenance windows that cover a monitor, named by its alias. */
export const maintenanceOfSql = (monitor: string): string =>
  `from maintenance_spans ms where ms.monitor_id = ${monitor}.id and ms.ended_at is null`

/** SQL: whether a monitor is in an active maintenance window. */
export const isInMaintenanceSql = (monitor: string): string => `exists (select 1 ${maintenanceOfSql(monitor)})`

/** SQL: whether an active maintenance window pauses the checks of a monitor. */
export const isPausedByMaintenanceSql = (monitor: string): string =>
  `exists (select 1 ${maintenanceOfSql(monitor)} and ms.is_paused)`
