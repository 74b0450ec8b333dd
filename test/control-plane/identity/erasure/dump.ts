import { createClient } from '@clickhouse/client'
import pg from 'pg'
import { app } from '#test/support/app.ts'

/** Every row of every table of PostgreSQL and ClickHouse that holds one of these texts, as `table: row`. */
export async function findInStores(texts: readonly string[]): Promise<string[]> {
  const lowered = texts.map(text => text.toLowerCase())
  return [...(await findInPostgres(lowered)), ...(await findInClickhouse(lowered))]
}

async function findInPostgres(texts: readonly string[]): Promise<string[]> {
  const owner = new pg.Client({ connectionString: app.stores.ownerUrl })
  await owner.connect()
  try {
    const { rows: tables } = await owner.query<{ name: string }>(
      `select format('%I.%I', n.nspname, c.relname) as name from pg_class c
       join pg_namespace n on n.oid = c.relnamespace
       where c.relkind in ('r', 'p', 'm') and n.nspname not in ('pg_catalog', 'information_schema', 'pg_toast')`,
    )
    if (tables.length < 20) throw new Error('The catalogue shows too few tables to be believed.')
    const found: string[] = []
    for (const { name } of tables) {
      const { rows } = await owner.query<{ text: string }>(
        `select text from (select row_to_json(t)::text as text from ${name} t) r
         where lower(text) like any($1::text[])`,
        [texts.map(text => `%${text.replaceAll(/[\\%_]/g, '\\$&')}%`)],
      )
      found.push(...rows.map(row => `${name}: ${row.text}`))
    }
    return found
  } finally {
    await owner.end()
  }
}

async function findInClickhouse(texts: readonly string[]): Promise<string[]> {
  const client = createClient({ url: app.stores.clickhouseUrl })
  try {
    const names = await client.query({
      query: `SELECT name FROM system.tables WHERE database = currentDatabase() AND engine LIKE '%MergeTree'`,
      format: 'JSONEachRow',
    })
    const tables = await names.json<{ name: string }>()
    if (tables.length < 2) throw new Error('ClickHouse shows too few tables to be believed.')
    const found: string[] = []
    for (const { name } of tables) {
      const rows = await client.query({ query: `SELECT * FROM ${name}`, format: 'JSONEachRow' })
      for (const line of (await rows.text()).toLowerCase().split('\n'))
        if (texts.some(text => line.includes(text))) found.push(`${name}: ${line}`)
    }
    return found
  } finally {
    await client.close()
  }
}
