/**
 * SQL: whether a maintenance window `w` covers a monitor, by its columns `id` and `tags`. The triggers that write the
 * spans of maintenance ask the same.
 */
export const coversSql = (id = 'm.id', tags = 'm.tags'): string =>
  `(w.is_all or ${id} = any(w.monitor_ids) or w.tags && ${tags})`
