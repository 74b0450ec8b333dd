import { type RawBuilder, sql } from 'kysely'

const columns = sql`id, tenant_id, name, url, tags`

/**
 * The monitor of something that outlives it, as it is or, once it is deleted, as it was. Found by id, a column: a join
 * may be planned as all incidents beside all monitors.
 */
export const monitorRecordSql = (id: string): RawBuilder<unknown> => sql`(
  select ${columns}, false as is_removed from monitors where id = ${sql.ref(id)}
  union all
  select ${columns}, true from removed_monitors where id = ${sql.ref(id)} limit 1)`

/** The same to join: an incident `i` beside its monitor `m`. */
export const besideMonitorRecord = sql`cross join lateral ${monitorRecordSql('i.monitor_id')} m`
