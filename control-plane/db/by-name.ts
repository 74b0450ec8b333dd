import { type RawBuilder, sql } from 'kysely'

/** Sorts names as people expect, whatever the locale of the database is: `alpha` before `Zeta`, `Ü` beside `U`. */
const collation = sql`collate "und-x-icu"`

/** A column with a name, for `order by`. An index that serves it has the same collation. */
export const namesOf = (column: string): RawBuilder<string> => sql<string>`${sql.ref(column)} ${collation}`

/** The words of `order by`. */
export const ordered = { asc: sql`asc`, desc: sql`desc` }
