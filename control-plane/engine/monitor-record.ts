const columns = 'id, tenant_id, name, url, tags'

/**
 * SQL: the monitor of something that outlives it, as it is or, once it is deleted, as it was. Found by id: a join may
 * be planned as all incidents beside all monitors.
 */
export const monitorRecordSql = (id: string): string => `(
  select ${columns}, false as is_removed from monitors where id = ${id}
  union all
  select ${columns}, true from removed_monitors where id = ${id} limit 1)`

/** The same to join: an incident `i` beside its monitor `m`. */
export const besideMonitorRecord = `cross join lateral ${monitorRecordSql('i.monitor_id')} m`
