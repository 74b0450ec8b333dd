/**
 * SQL: whether an incident of our own counts in a window: it does in each that it overlaps, however long before it
 * began or after it ended, as its down time does. Names the end of the window before its beginning.
 */
export const isOwnWithinSql = (to: string, from: string, incident = 'i'): string =>
  `${incident}.imported_from is null and ${incident}.started_at < ${to}
    and coalesce(${incident}.resolved_at, 'infinity') > ${from}`
