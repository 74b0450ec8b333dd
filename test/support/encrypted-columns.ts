import type pg from 'pg'
import { secretStores } from '#control-plane/platform/secrets/stores.ts'

/** An encrypted text as `encryptSecret` writes it: 28 bytes at least. */
const encrypted = 'v1\\.[A-Za-z0-9_-]{8}\\.[A-Za-z0-9_-]{38,}'

/** Columns, as `table.column`, in which some row holds an encrypted text: of the tables that the database has. */
export async function encryptedColumns(client: Pick<pg.Client, 'query'>): Promise<Set<string>> {
  const { rows: tables } = await client.query<{ name: string }>(
    `select format('%I', relname) as name from pg_class
      where relkind = 'r' and relnamespace = 'public'::regnamespace order by relname`,
  )
  const found = new Set<string>()
  for (const { name } of tables) {
    const { rows } = await client.query<{ column: string }>(
      `select distinct key as column from (select to_jsonb(t) as row from ${name} t) r, jsonb_each_text(row)
        where value ~ '${encrypted}'`,
    )
    for (const { column } of rows) found.add(`${name}.${column}`)
  }
  return found
}

/** Columns that the job of a new SECRET_KEY encrypts again. */
export const renewedColumns = new Set(secretStores.map(({ table, column }) => `${table}.${column}`))

/** Columns that hold encrypted texts which nothing encrypts again: they are lost when the earlier key is dropped. */
export const forgottenColumns = async (client: Pick<pg.Client, 'query'>): Promise<string[]> =>
  [...(await encryptedColumns(client))].filter(column => !renewedColumns.has(column)).sort()
