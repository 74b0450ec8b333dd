import { randomUUID } from 'node:crypto'
import { basename, dirname, join, resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { openClickhouse } from '#analytics/client.ts'
import { purgedTenants } from '#analytics/erase-tenant.ts'
import { dumpClickhouse } from '#cli/backup/clickhouse.ts'
import { Backup, NewBackup } from '#cli/backup/folder.ts'
import type { BackupKeys } from '#cli/backup/format.ts'
import { dumpPostgres } from '#cli/backup/postgres.ts'
import { nextInSeries, type SeriesOptions, trimSeries } from '#cli/backup/series.ts'
import { backupKey, type OpenStores, withPlatform, withStores } from '#cli/backup/stores.ts'
import { explain, messageOf, StartFault } from '#cli/fault.ts'
import { presentPrefix } from '#control-plane/base/secrets.ts'
import { noteBackup } from '#control-plane/platform/backups.ts'
import { extendPurgedList, purgedListName, purgedTeams } from '#control-plane/reselling/managed-teams/purged-list.ts'

interface Options {
  dataDir: string
  /** Whether SECRET_KEY is put inside. */
  withKeys: boolean
  /** The folder of the whole backup that ClickHouse's part is the difference to. */
  base?: string | null
}

/**
 * Writes PostgreSQL at one moment, then ClickHouse, into a new folder. ClickHouse is the later one: a result that
 * PostgreSQL does not know yet is harmless, the other way round a verdict would have no result.
 */
export async function backup(
  folder: string,
  { dataDir, withKeys, base: basePath = null }: Options,
  env: NodeJS.ProcessEnv = process.env,
): Promise<void> {
  const key = backupKey(env)
  if (withKeys && key === null)
    throw new StartFault(
      'config',
      'keys are put into encrypted backups only',
      'Who has the backup could read every stored secret.',
      'BACKUP_KEY_FILE=FILE vedette backup FOLDER --with-keys',
    )
  const base = basePath === null ? null : await wholeBackup(basePath, folder, key)
  await withStores(env, dataDir, { mayRun: true, mayBeNew: false }, async stores => {
    if (stores.secretKey === '')
      throw new StartFault(
        'config',
        'SECRET_KEY is not set',
        'The backup notes which key its stored secrets are under. It does not hold the key unless asked.',
        'SECRET_KEY_FILE=FILE vedette backup FOLDER',
      )
    const made = NewBackup.open(folder, key, base && { id: base.header.id, folder: basename(base.folder) })
    try {
      const write = made.write.bind(made)
      const postgres = await dumpPostgres(stores, write)
      const source = base && { dump: base.manifest.clickhouse, read: base.read.bind(base) }
      const clickhouse = await dumpClickhouse(stores.clickhouseUrl, stores.disk, write, source)
      const keys: BackupKeys = { secret_key: stores.secretKey, previous_secret_keys: stores.previousSecretKeys }
      await made.finish({
        postgres,
        clickhouse,
        secret_key: presentPrefix(stores),
        keys: withKeys ? await made.write('keys.json', [JSON.stringify(keys)]) : null,
      })
      await extendPurgedList(join(dirname(resolve(folder)), purgedListName), await purgedIn(stores))
      await withPlatform(stores, platform =>
        noteBackup(platform, { id: made.header.id, madeAt: new Date(made.header.made_at), bytes: made.bytes }),
      )
      const rows = postgres.tables.reduce((sum, table) => sum + table.rows, 0)
      const results = clickhouse.rows === null ? '' : `, ${total(clickhouse.rows)} of ClickHouse`
      const since = base ? `  the difference to ${basename(base.folder)}` : ''
      console.log(
        `${folder}  ${rows} rows of PostgreSQL${results}  ${key === null ? 'not encrypted' : 'encrypted'}${since}`,
      )
      if ('disk' in clickhouse.archive)
        console.log(`ClickHouse's part is on its disk "${clickhouse.archive.disk}", as ${clickhouse.archive.name}`)
      if (!withKeys)
        console.error(`\n  SECRET_KEY is not inside: keep it elsewhere. Without it stored secrets cannot be read.\n`)
    } catch (error) {
      made.abandon()
      throw error
    }
  })
}

/** The backup that another may be the difference to: whole by itself, and beside it. */
async function wholeBackup(path: string, folder: string, key: string | null): Promise<Backup> {
  const base = await Backup.open(path, key)
  if (base.header.base !== null)
    throw new StartFault(
      'config',
      `${path} is a difference itself`,
      'A backup is whole, or the difference to a whole one: a restore needs two at most.',
      `vedette backup FOLDER --base ${join(dirname(path), base.header.base.folder)}`,
    )
  if (dirname(base.folder) !== dirname(resolve(folder)))
    throw new StartFault(
      'config',
      `${path} is not beside ${folder}`,
      'A restore expects it there.',
      `vedette backup ${join(dirname(path), basename(folder))} --base ${path}`,
    )
  return base
}

/** Purged teams by both stores: after a restore of one of them the other knows more. */
async function purgedIn(stores: OpenStores) {
  const clickhouse = openClickhouse(stores.clickhouseUrl)
  try {
    const ofResults = await purgedTenants(clickhouse, {})
    const listed = ofResults.map(({ tenant_id, purged_at }) => ({ tenant_id, purged_at: purged_at.toISOString() }))
    return [...(await withPlatform(stores, purgedTeams)), ...listed]
  } finally {
    await clickhouse.close()
  }
}

interface Series extends SeriesOptions, Omit<Options, 'base'> {
  /** Hours between the starts of two backups; null for one backup. */
  everyHours: number | null
}

/**
 * Makes the next backup of a series, or all of them from now on: a whole one as often as asked, differences to it in
 * between, and deletes those that are too old. One that fails is said, and the next is made.
 */
export async function backupInto(
  into: string,
  { everyHours, ...options }: Series,
  env: NodeJS.ProcessEnv = process.env,
): Promise<void> {
  const one = async () => {
    const { folder, base } = await nextInSeries(into, options)
    await backup(folder, { ...options, base }, env)
    for (const gone of await trimSeries(into, options)) console.log(`${gone}  deleted`)
  }
  if (everyHours === null) return one()
  for (;;) {
    const began = Date.now()
    await one().catch(error => console.error(`backup failure: ${explain(error)?.message ?? messageOf(error)}`))
    await sleep(Math.max(0, began + everyHours * 3_600_000 - Date.now()))
  }
}

/** Notes a backup that was made by other means, for the metric and the alert on its age. */
export async function noteOtherBackup(dataDir: string, env: NodeJS.ProcessEnv = process.env): Promise<void> {
  await withStores(env, dataDir, { mayRun: true, mayBeNew: false, mayBeCluster: true }, stores =>
    withPlatform(stores, platform => noteBackup(platform, { id: randomUUID(), madeAt: new Date(), bytes: null })),
  )
  console.log('noted: a backup was made now')
}

const total = (counts: Readonly<Record<string, number>>) => Object.values(counts).reduce((sum, n) => sum + n, 0)
