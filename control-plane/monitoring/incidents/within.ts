import { type RawBuilder, sql } from 'kysely'

/**
 * Whether an incident `i` of our own counts in a window: it does in each that it overlaps, however long before it
 * began or after it ended, as its down time does.
 */
export const isOwnWithin = ({ from, to }: { from: Date; to: Date }): RawBuilder<boolean> =>
  sql<boolean>`i.imported_from is null and i.started_at < ${to} and coalesce(i.resolved_at, 'infinity') > ${from}`
