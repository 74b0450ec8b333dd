import { randomUUID } from 'node:crypto'
import { createReadStream, createWriteStream, mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { type ClickHouseClient, openClickhouse } from '#analytics/client.ts'
import { migrateClickhouse, readClickhouseMigrations } from '#analytics/migrate.ts'
import { leaveMark } from '#analytics/restore-marks.ts'
import { messageOf, StartFault } from '#cli/fault.ts'
import type { Manifest, StoredFile } from './format.ts'

type Dump = Manifest['clickhouse']

/** Where ClickHouse writes its backups. */
export interface BackupDisk {
  /** The name of the disk in ClickHouse's configuration. */
  disk: string
  /** Its folder, where this process reaches it: the archive is then taken into the backup. */
  folder: string | undefined
}

const hoursMs = 12 * 3_600_000
const open = (url: string) => openClickhouse(url, { requestTimeoutMs: hoursMs, connections: 2 })
const databaseOf = (url: string) => new URL(url).pathname.slice(1)

/** Tables that an installation writes into as soon as it runs, and that hold nothing of its own. */
const withoutOwnRows = ['schema_migrations', 'restore_marks']

/**
 * Has ClickHouse write its own backup of the database onto a disk of its configuration. Where the folder of that disk
 * is reached from here the archive goes into the backup, and one restore of it beside the database counts its rows.
 */
export async function dumpClickhouse(
  url: string,
  { disk, folder }: BackupDisk,
  write: (name: string, source: AsyncIterable<Buffer>) => Promise<StoredFile>,
): Promise<Dump> {
  const clickhouse = open(url)
  const database = databaseOf(url)
  const name = `vedette-${randomUUID()}.tar`
  try {
    const [version] = await read<{ version: string }>(clickhouse, 'SELECT version() AS version')
    const migrations = await read<{ name: string }>(
      clickhouse,
      'SELECT name FROM schema_migrations FINAL ORDER BY name',
    )
    await run(clickhouse, `BACKUP DATABASE ${database} TO ${place(disk, name)}`, disk)
    const common = { version: version?.version ?? '', database, migrations: migrations.map(row => row.name) }
    if (folder === undefined) return { ...common, rows: null, archive: { disk, name } }
    const rows = await countIn(clickhouse, { database, disk, name })
    const archive = await write('clickhouse.tar', createReadStream(join(folder, name)))
    return { ...common, rows, archive }
  } finally {
    await clickhouse.close()
    if (folder !== undefined) rmSync(join(folder, name), { force: true })
  }
}

/** Restores an archive beside the database, counts its rows and removes it again. */
async function countIn(
  clickhouse: ClickHouseClient,
  { database, disk, name }: { database: string; disk: string; name: string },
): Promise<Record<string, number>> {
  const beside = `${database}_backup_${randomUUID().slice(0, 8)}`
  try {
    await run(clickhouse, `RESTORE DATABASE ${database} AS ${beside} FROM ${place(disk, name)}`, disk)
    return await countRows(clickhouse, beside)
  } finally {
    await clickhouse.command({ query: `DROP DATABASE IF EXISTS ${beside} SYNC` })
  }
}

/** Rows by table as a query sees them, whatever was merged. Views have none of their own. */
async function countRows(clickhouse: ClickHouseClient, database: string): Promise<Record<string, number>> {
  const tables = await read<{ name: string }>(
    clickhouse,
    `SELECT name FROM system.tables WHERE database = '${database}' AND engine NOT LIKE '%View' ORDER BY name`,
  )
  const counts: Record<string, number> = {}
  for (const { name } of tables) {
    const [counted] = await read<{ n: number }>(clickhouse, `SELECT count() AS n FROM ${database}.${name} FINAL`)
    counts[name] = Number(counted?.n)
  }
  return counts
}

/** Refuses a database that holds results. */
export async function refuseFilledClickhouse(url: string): Promise<void> {
  const counts = await counted(url)
  const filled = Object.entries(counts).find(([table, n]) => n > 0 && !withoutOwnRows.includes(table))
  if (!filled) return
  const { host, pathname } = new URL(url)
  throw new StartFault(
    'config',
    `the ClickHouse database ${host}${pathname} is not empty`,
    `Its table ${filled[0]} has ${filled[1]} rows, and a restore never replaces rows.`,
    'create database vedette_restored      and name it in CLICKHOUSE_URL',
    'or, with embedded stores: vedette restore BACKUP --data NEW_FOLDER',
  )
}

export async function refuseNewerClickhouse(migrations: readonly string[]): Promise<void> {
  const known = await readClickhouseMigrations()
  const unknown = migrations.find(name => !known.some(migration => migration.name === name))
  if (unknown !== undefined) throw newerSchema('ClickHouse', unknown)
}

export const newerSchema = (store: string, migration: string): StartFault =>
  new StartFault(
    'migration',
    'the backup was made by a newer version',
    `Its ${store} has the migration ${migration}, which this version does not know.`,
    'restore it with the version that made it, or a later one',
  )

/**
 * Restores the archive into the database, which has no rows, and brings the schema up to date. Returns what is to be
 * known of rows that are past their time.
 */
export async function loadClickhouse(
  url: string,
  dump: Dump,
  { disk, folder }: BackupDisk,
  read: (file: StoredFile) => AsyncIterable<Buffer>,
): Promise<string[]> {
  const database = databaseOf(url)
  const root = open(Object.assign(new URL(url), { pathname: '/' }).href)
  const isInside = 'file' in dump.archive
  const name = 'file' in dump.archive ? `vedette-${randomUUID()}.tar` : dump.archive.name
  const on = 'file' in dump.archive ? disk : dump.archive.disk
  if (isInside && folder === undefined)
    throw new StartFault(
      'config',
      'ClickHouse cannot be given the archive',
      `It reads backups from its disk "${disk}", whose folder is not known here.`,
      'CLICKHOUSE_BACKUP_FOLDER=/var/lib/clickhouse/backups vedette restore …',
    )
  try {
    if ('file' in dump.archive && folder !== undefined) {
      mkdirSync(folder, { recursive: true, mode: 0o700 })
      await pipeline(read(dump.archive), createWriteStream(join(folder, name), { mode: 0o640 }))
    }
    // its tables have no rows: those of the archive are made as they were
    await root.command({ query: `DROP DATABASE IF EXISTS ${database} SYNC` })
    await run(root, `RESTORE DATABASE ${dump.database} AS ${database} FROM ${place(on, name)}`, on)
  } finally {
    await root.close()
    if (isInside && folder !== undefined) rmSync(join(folder, name), { force: true })
  }
  const differences = dump.rows === null ? [] : compare(dump.rows, await counted(url))
  await migrateClickhouse(url)
  await markRestored(url)
  return differences
}

/** A mark that PostgreSQL lacks: the service sees at its start that it was restored, and voids what may be used up. */
async function markRestored(url: string): Promise<void> {
  const clickhouse = open(url)
  try {
    await leaveMark(clickhouse, randomUUID())
  } finally {
    await clickhouse.close()
  }
}

/** Fewer rows may be those whose time has passed since; more cannot be. */
function compare(before: Readonly<Record<string, number>>, after: Readonly<Record<string, number>>): string[] {
  const notes: string[] = []
  for (const [table, n] of Object.entries(before)) {
    const found = after[table] ?? 0
    if (found > n || (found === 0 && n > 0))
      throw new StartFault(
        'failed',
        `ClickHouse's table ${table} was not restored`,
        `It has ${found} rows instead of ${n}.`,
        'take another backup',
      )
    if (found < n) notes.push(`${table} has ${found} of ${n} rows: the time of the others has passed`)
  }
  return notes
}

async function counted(url: string): Promise<Record<string, number>> {
  const clickhouse = open(Object.assign(new URL(url), { pathname: '/' }).href)
  try {
    return await countRows(clickhouse, databaseOf(url))
  } finally {
    await clickhouse.close()
  }
}

const literal = (text: string) => `'${text.replace(/[\\']/g, '\\$&')}'`
const place = (disk: string, name: string) => `Disk(${literal(disk)}, ${literal(name)})`

async function read<Row>(clickhouse: ClickHouseClient, sql: string): Promise<Row[]> {
  return (await clickhouse.query({ query: sql, format: 'JSONEachRow' })).json<Row>()
}

async function run(clickhouse: ClickHouseClient, sql: string, disk: string): Promise<void> {
  try {
    await clickhouse.command({ query: sql })
  } catch (error) {
    const message = messageOf(error)
    if (!/Unknown disk|is not allowed|not allowed for backups|UNKNOWN_DISK|INVALID_CONFIG_PARAMETER/.test(message))
      throw error
    throw new StartFault(
      'config',
      `ClickHouse has no disk "${disk}" for backups`,
      `${message.split('\n')[0]?.slice(0, 300)}`,
      'docs/operate/backup.md has the lines of its configuration',
      'or start again what runs on this folder: it was started by an earlier version',
    )
  }
}
