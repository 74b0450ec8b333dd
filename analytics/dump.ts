import type { ClickHouseClient } from '@clickhouse/client'

/** The schema of a ClickHouse database as text, without the name of the database. */
export async function dumpClickhouseSchema(clickhouse: ClickHouseClient): Promise<string> {
  const tables = await clickhouse.query({
    query: `SELECT name, database FROM system.tables WHERE database = currentDatabase() AND name <> 'schema_migrations' ORDER BY name`,
    format: 'JSONEachRow',
  })
  const texts: string[] = []
  for (const { name, database } of await tables.json<{ name: string; database: string }>()) {
    const text = await (
      await clickhouse.query({ query: `SHOW CREATE TABLE ${name}`, format: 'TabSeparatedRaw' })
    ).text()
    texts.push(`${text.trim().replaceAll(`${database}.`, '')};\n`)
  }
  return texts.join('\n')
}
