/** SQL for the active maintenance windows `mw` that cover a monitor, by the alias that a statement knows it by. */
export const windowsOfSql = (monitor: string): string => `from maintenance_windows mw
  where mw.tenant_id = ${monitor}.tenant_id and mw.state = 'active'
    and (mw.is_all or ${monitor}.id = any(mw.monitor_ids) or mw.tags && ${monitor}.tags)`

/** SQL: whether a monitor is in an active maintenance window. */
export const isInMaintenanceSql = (monitor: string): string => `exists (select 1 ${windowsOfSql(monitor)})`
