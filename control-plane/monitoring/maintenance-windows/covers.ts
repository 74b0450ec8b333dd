import { type RawBuilder, sql } from 'kysely'

/**
 * Whether a maintenance window `w` covers a monitor, by its alias with its columns `id` and `tags`. The triggers that
 * write the spans of maintenance ask the same.
 */
export const coversSql = (monitor = 'm', id = 'id'): RawBuilder<boolean> =>
  sql`(w.is_all or ${sql.ref(`${monitor}.${id}`)} = any(w.monitor_ids) or w.tags && ${sql.ref(`${monitor}.tags`)})`
