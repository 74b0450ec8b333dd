import { randomUUID } from 'node:crypto'
import { createReadStream, createWriteStream, mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { type ClickHouseClient, openClickhouse } from '#analytics/client.ts'
import { migrateClickhouse, readClickhouseMigrations } from '#analytics/migrate.ts'
import { leaveMark, unknownMark } from '#analytics/restore-marks.ts'
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

/** An archive on a disk of ClickHouse. */
interface Placed {
  disk: string
  name: string
  /** Removes it if it was put there for this. */
  remove(): void
}

/** The part of ClickHouse of a backup that is read. */
interface Source {
  dump: Dump
  read(file: StoredFile): AsyncIterable<Buffer>
}

/** Where ClickHouse finds an archive: on its disk, or put there from the backup that has it inside. */
async function placed({ dump: { archive }, read }: Source, { disk, folder }: BackupDisk): Promise<Placed> {
  if ('disk' in archive) return { ...archive, remove: () => undefined }
  if (folder === undefined)
    throw new StartFault(
      'config',
      'ClickHouse cannot be given the archive',
      `It reads backups from its disk "${disk}", whose folder is not known here.`,
      'CLICKHOUSE_BACKUP_FOLDER=/var/lib/clickhouse/backups vedette restore …',
    )
  const name = `vedette-${randomUUID()}.tar`
  const path = join(folder, name)
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  const remove = () => rmSync(path, { force: true })
  try {
    await pipeline(read(archive), createWriteStream(path, { mode: 0o640 }))
  } catch (error) {
    remove()
    throw error
  }
  return { disk, name, remove }
}

/** `base`: what the archive is the difference to. */
const onBase = (base: Placed | null) => (base ? ` SETTINGS base_backup = ${place(base.disk, base.name)}` : '')

/**
 * Has ClickHouse write its own backup of the database onto a disk of its configuration: all of it, or what is new since
 * `base`. Where the folder of that disk is reached from here the archive goes into the backup, and one restore of it
 * beside the database counts its rows.
 */
export async function dumpClickhouse(
  url: string,
  { disk, folder }: BackupDisk,
  write: (name: string, source: AsyncIterable<Buffer>) => Promise<StoredFile>,
  base: Source | null = null,
): Promise<Dump> {
  const clickhouse = open(url)
  const database = databaseOf(url)
  const name = `vedette-${randomUUID()}.tar`
  let before: Placed | null = null
  try {
    before = base && (await placed(base, { disk, folder }))
    const [version] = await read<{ version: string }>(clickhouse, 'SELECT version() AS version')
    const migrations = await read<{ name: string }>(
      clickhouse,
      'SELECT name FROM schema_migrations FINAL ORDER BY name',
    )
    await run(clickhouse, `BACKUP DATABASE ${database} TO ${place(disk, name)}${onBase(before)}`, disk)
    const common = { version: version?.version ?? '', database, migrations: migrations.map(row => row.name) }
    if (folder === undefined) return { ...common, rows: null, archive: { disk, name } }
    const rows = await countIn(clickhouse, { database, disk, name, base: before })
    const archive = await write('clickhouse.tar', createReadStream(join(folder, name)))
    return { ...common, rows, archive }
  } finally {
    await clickhouse.close()
    before?.remove()
    if (folder !== undefined) rmSync(join(folder, name), { force: true })
  }
}

/** Restores an archive beside the database, counts its rows and removes it again. */
async function countIn(
  clickhouse: ClickHouseClient,
  { database, disk, name, base }: { database: string; disk: string; name: string; base: Placed | null },
): Promise<Record<string, number>> {
  const beside = `${database}_backup_${randomUUID().slice(0, 8)}`
  try {
    await run(clickhouse, `RESTORE DATABASE ${database} AS ${beside} FROM ${place(disk, name)}${onBase(base)}`, disk)
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
  source: Source,
  backupDisk: BackupDisk,
  base: Source | null = null,
): Promise<string[]> {
  const { dump } = source
  const database = databaseOf(url)
  const root = open(Object.assign(new URL(url), { pathname: '/' }).href)
  const archives: Placed[] = []
  try {
    for (const each of base ? [base, source] : [source]) archives.push(await placed(each, backupDisk))
    const { disk, name } = archives.at(-1)!
    // its tables have no rows: those of the archive are made as they were
    await root.command({ query: `DROP DATABASE IF EXISTS ${database} SYNC` })
    const before = base ? archives[0]! : null
    await run(root, `RESTORE DATABASE ${dump.database} AS ${database} FROM ${place(disk, name)}${onBase(before)}`, disk)
  } finally {
    await root.close()
    for (const archive of archives) archive.remove()
  }
  const differences = dump.rows === null ? [] : await compare(url, dump.rows)
  await migrateClickhouse(url)
  await markRestored(url)
  return differences
}

/** A mark that PostgreSQL lacks: the service sees at its start that it was restored, and voids what may be used up. */
async function markRestored(url: string): Promise<void> {
  const clickhouse = open(url)
  try {
    await leaveMark(clickhouse, unknownMark())
  } finally {
    await clickhouse.close()
  }
}

/** Fewer rows may be those whose time has passed since, of a table that has a time to live; more cannot be. */
async function compare(url: string, before: Readonly<Record<string, number>>): Promise<string[]> {
  const after = await counted(url)
  const mortal = await withTimeToLive(url)
  const notes: string[] = []
  for (const [table, n] of Object.entries(before)) {
    const found = after[table] ?? 0
    if (found > n || (found < n && !mortal.has(table)))
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

/** Tables whose rows leave when their time has passed. */
async function withTimeToLive(url: string): Promise<ReadonlySet<string>> {
  const clickhouse = open(url)
  try {
    const tables = await read<{ name: string }>(
      clickhouse,
      `SELECT name FROM system.tables WHERE database = '${databaseOf(url)}' AND engine_full LIKE '% TTL %'`,
    )
    return new Set(tables.map(({ name }) => name))
  } finally {
    await clickhouse.close()
  }
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
