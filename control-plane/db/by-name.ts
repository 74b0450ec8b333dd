import { type RawBuilder, sql } from 'kysely'

/** Sorts names as people expect, whatever the locale of the database is: `alpha` before `Zeta`, `Ü` beside `U`. */
const collation = 'collate "und-x-icu"'

/** A column with a name, for `order by` in SQL as text. An index that serves it has the same collation. */
export const byName = (column: string): string => `${column} ${collation}`

/** The same for the query builder. */
export const namesOf = (column: string): RawBuilder<string> => sql<string>`${sql.ref(column)} ${sql.raw(collation)}`
