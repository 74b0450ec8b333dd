import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { openClickhouse } from './client.ts'

const folder = join(import.meta.dirname, 'schema')

/** Brings the database in the address to the newest schema, making it if need be. Says what it applied. May be broken off and repeated. */
export async function migrateClickhouse(url: string): Promise<string[]> {
  const database = new URL(url).pathname.slice(1)
  if (!/^\w+$/.test(database))
    throw new Error('The address of ClickHouse must name a database: http://user:password@host:port/database')
  const root = openClickhouse(Object.assign(new URL(url), { pathname: '/' }).toString())
  try {
    await root.command({ query: `CREATE DATABASE IF NOT EXISTS ${database}` })
  } finally {
    await root.close()
  }

  const clickhouse = openClickhouse(url, { requestTimeoutMs: 600_000 })
  try {
    await clickhouse.command({
      query: `CREATE TABLE IF NOT EXISTS schema_migrations (version UInt32, checksum String, applied_at DateTime64(3, 'UTC') DEFAULT now64(3))
              ENGINE = ReplacingMergeTree ORDER BY version SETTINGS fsync_after_insert = 1, fsync_part_directory = 1`,
    })
    const result = await clickhouse.query({
      query: 'SELECT version, checksum FROM schema_migrations FINAL',
      format: 'JSONEachRow',
    })
    const applied = new Map(
      (await result.json<{ version: number; checksum: string }>()).map(({ version, checksum }) => [version, checksum]),
    )
    const done: string[] = []
    for (const { name, version, sql } of await readMigrations()) {
      const checksum = createHash('sha256').update(sql).digest('hex')
      const known = applied.get(version)
      if (known === checksum) continue
      if (known)
        throw new Error(`analytics/schema/${name} was changed after it was applied: write a new migration instead.`)
      await clickhouse.command({ query: sql }) // one statement a file, each harmless when repeated: a crash here only repeats it
      await clickhouse.insert({
        table: 'schema_migrations',
        columns: ['version', 'checksum'],
        values: [[version, checksum]],
        format: 'JSONCompactEachRow',
        clickhouse_settings: { async_insert: 0 },
      })
      done.push(name)
    }
    return done
  } finally {
    await clickhouse.close()
  }
}

async function readMigrations(): Promise<{ name: string; version: number; sql: string }[]> {
  const names = (await readdir(folder)).filter(name => name.endsWith('.sql')).sort()
  return Promise.all(
    names.map(async name => ({
      name,
      version: Number.parseInt(name, 10),
      sql: (await readFile(join(folder, name), 'utf8')).trim(),
    })),
  )
}
