import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import type { ClickHouseClient } from '@clickhouse/client'
import { changedMigration, MigrationFault, unknownMigration } from '#contract/migration-fault.ts'
import { openClickhouse } from './client.ts'
import { clusterStatements, migrationsTable, onCluster } from './cluster.ts'

interface Migrating {
  /** On every server of this cluster. A database is made for one server or for a cluster, for good. */
  cluster?: string | undefined
  migrations?: ClickhouseMigration[]
}

/**
 * Brings the database in the address to the newest schema, making it if need be. Says what it applied. May be broken
 * off and repeated.
 */
export async function migrateClickhouse(
  url: string,
  { cluster, migrations: given }: Migrating = {},
): Promise<string[]> {
  const migrations = given ?? (await readClickhouseMigrations())
  const database = new URL(url).pathname.slice(1)
  if (!/^\w+$/.test(database))
    throw new Error('The address of ClickHouse must name a database: http://user:password@host:port/database')
  const root = openClickhouse(Object.assign(new URL(url), { pathname: '/' }).toString(), { cluster })
  try {
    await root.command({ query: `CREATE DATABASE IF NOT EXISTS ${database}${onCluster(cluster)}` })
  } finally {
    await root.close()
  }

  const clickhouse = openClickhouse(url, { cluster, requestTimeoutMs: 600_000 })
  try {
    await clickhouse.command({ query: migrationsTable(cluster) })
    const applied = await readApplied(clickhouse)
    for (const { name, checksum } of migrations)
      if ((applied.get(name) ?? checksum) !== checksum) throw changedMigration('ClickHouse', name)
    const unknown = [...applied.keys()].find(name => !migrations.some(migration => migration.name === name))
    if (unknown) throw unknownMigration('ClickHouse', unknown)
    const done: string[] = []
    for (const { name, sql, checksum } of migrations) {
      if (applied.has(name)) continue
      // one statement a file, each harmless when repeated: a crash here only repeats it
      for (const query of cluster === undefined ? [sql] : clusterStatements(sql, cluster))
        await clickhouse.command({ query })
      await clickhouse.insert({
        table: 'schema_migrations',
        columns: ['name', 'checksum'],
        values: [[name, checksum]],
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

/** The names of the migrations that were applied. */
export async function appliedToClickhouse(url: string): Promise<string[]> {
  const clickhouse = openClickhouse(url)
  try {
    return [...(await readApplied(clickhouse)).keys()].sort()
  } finally {
    await clickhouse.close()
  }
}

/** The checksum of each migration that was applied. */
async function readApplied(clickhouse: ClickHouseClient): Promise<Map<string, string>> {
  const columns = await clickhouse.query({
    query: `SELECT name FROM system.columns WHERE database = currentDatabase() AND table = 'schema_migrations'`,
    format: 'JSONEachRow',
  })
  if (!(await columns.json<{ name: string }>()).some(({ name }) => name === 'name'))
    throw new MigrationFault(
      'this ClickHouse database was made by a version from before the first release',
      'Its migrations were replaced by one file a table, and nothing leads from the one to the other.',
      'mv .data .data.old && npm start      begins with empty stores',
      'or make a new database, and name it in CLICKHOUSE_URL',
    )
  const result = await clickhouse.query({
    query: 'SELECT name, checksum FROM schema_migrations FINAL',
    format: 'JSONEachRow',
  })
  return new Map(
    (await result.json<{ name: string; checksum: string }>()).map(({ name, checksum }) => [name, checksum]),
  )
}

export interface ClickhouseMigration {
  name: string
  sql: string
  checksum: string
}

/** One file a table, then a file for each change since: `0013_what_it_does.sql`, numbered without a gap. */
export async function readClickhouseMigrations(
  folder = join(import.meta.dirname, 'schema'),
): Promise<ClickhouseMigration[]> {
  const files = (await readdir(folder)).filter(file => file.endsWith('.sql')).sort()
  return Promise.all(
    files.map(async file => {
      const sql = (await readFile(join(folder, file), 'utf8')).trim()
      return { name: basename(file, '.sql'), sql, checksum: createHash('sha256').update(sql).digest('hex') }
    }),
  )
}
