import { dirname, join, resolve } from 'node:path'
import { pino } from 'pino'
import { openClickhouse } from '#analytics/client.ts'
import { listPurged } from '#analytics/erase-tenant.ts'
import { loadClickhouse, newerSchema, refuseFilledClickhouse, refuseNewerClickhouse } from '#cli/backup/clickhouse.ts'
import { Backup } from '#cli/backup/folder.ts'
import { BackupKeys } from '#cli/backup/format.ts'
import { comparePostgres, loadPostgres, refuseFilledPostgres } from '#cli/backup/postgres.ts'
import { backupKey, type OpenStores, withPlatform, withStores } from '#cli/backup/stores.ts'
import { StartFault } from '#cli/fault.ts'
import { loadKeys, writePrivately } from '#cli/local/keys.ts'
import { migratePostgres } from '#cli/local/prepare.ts'
import { presentPrefix } from '#control-plane/base/secrets.ts'
import { readMigrations } from '#control-plane/db/migrate.ts'
import { affected } from '#control-plane/db/queries.ts'
import { type PurgedTeam, purgedListName, readPurgedList } from '#control-plane/reselling/managed-teams/purged-list.ts'
import { reapplyPurges } from '#control-plane/reselling/managed-teams/reapply-purges.ts'

const silent = pino({ level: 'silent' })

interface Options {
  dataDir: string
  /** Whether the SECRET_KEY of the backup is lost. */
  isKeyLost: boolean
  /** Lists of purged teams beside the one that lies beside the backup. */
  purgedLists?: readonly string[]
}

/**
 * Restores a backup into empty stores: first everything is examined, then PostgreSQL is written in one transaction,
 * then ClickHouse. Counts and audit trails are compared with the manifest before the schema is brought up to date.
 */
export async function restore(
  folder: string,
  { dataDir, isKeyLost, purgedLists = [] }: Options,
  env: NodeJS.ProcessEnv = process.env,
): Promise<void> {
  const made = await Backup.open(folder, backupKey(env))
  const base = await Backup.baseOf(made, backupKey(env))
  const purged = await readLists(folder, purgedLists)
  const { postgres, clickhouse } = made.manifest
  const migrations = readMigrations()
  const unknown = postgres.migrations.find(name => !migrations.some(migration => migration.name === name))
  if (unknown !== undefined) throw newerSchema('PostgreSQL', unknown)
  await refuseNewerClickhouse(clickhouse.migrations)
  for (const each of base ? [base, made] : [made]) await each.verify()
  const kept = await readKeys(made)
  await withStores(env, dataDir, { mayRun: false, mayBeNew: true }, async stores => {
    const keys = kept ?? { secret_key: stores.secretKey, previous_secret_keys: stores.previousSecretKeys }
    if (!isKeyLost) refuseOtherKey(made, keys)
    await refuseFilledPostgres(stores, postgres.migrations)
    await refuseFilledClickhouse(stores.clickhouseUrl)
    const earlier = migrations.filter(({ name }) => postgres.migrations.includes(name))
    await migratePostgres(stores, { migrations: earlier, withRights: false })
    await loadPostgres(stores.ownerUrl, postgres, file => made.read(file))
    await migratePostgres(stores)
    const differences = await comparePostgres(stores.platformUrl, postgres)
    if (differences.length > 0)
      throw new StartFault(
        'failed',
        'the restored database differs from the backup',
        `${differences.join('; ')}.`,
        'do not use it: empty the stores and take another backup',
      )
    const sourceOf = (each: Backup) => ({ dump: each.manifest.clickhouse, read: each.read.bind(each) })
    const notes = await loadClickhouse(stores.clickhouseUrl, sourceOf(made), stores.disk, base && sourceOf(base))
    const erased = await eraseAgain(stores, purged ?? [])
    if (!env.DATABASE_URL) keepKey(dataDir, stores, keys)
    const rows = postgres.tables.reduce((sum, table) => sum + table.rows, 0)
    console.log(`${rows} rows of ${postgres.tables.length} tables as they were at ${made.header.made_at}`)
    console.log(`${postgres.audit.links} links of ${postgres.audit.trails} audit trails: all as written`)
    for (const note of notes) console.log(`ClickHouse: ${note}`)
    if (erased > 0) console.log(`${erased} purged teams were in the backup and are erased again`)
    if (purged === null)
      console.error(`
  There is no ${purgedListName} beside the backup: teams that were purged since are back. Name the list with --purged,
  or delete them again.`)
    console.error(`
  At its first start the service voids sessions and open links: people sign in again. API keys that were revoked since
  the backup work again: review them. Timers are made again from the rows by the worker.
${env.DATABASE_URL ? '' : `\n  npm start -- --data ${dataDir}\n`}`)
  })
}

/** The purged teams of the list beside the backup and of those that are named; null where none of them exists. */
async function readLists(folder: string, named: readonly string[]): Promise<PurgedTeam[] | null> {
  const beside = await readPurgedList(join(dirname(resolve(folder)), purgedListName))
  const others = await Promise.all(
    named.map(async path => {
      const list = await readPurgedList(path)
      if (list !== null) return list
      throw new StartFault('config', `${path} does not exist`, 'It lists purged teams.', 'vedette restore BACKUP')
    }),
  )
  return beside === null && others.length === 0 ? null : [...(beside ?? []), ...others.flat()]
}

/** Erases teams that were purged since the backup from both stores. Returns how many there were. */
async function eraseAgain(stores: OpenStores, purged: readonly PurgedTeam[]): Promise<number> {
  if (purged.length === 0) return 0
  const clickhouse = openClickhouse(stores.clickhouseUrl, { requestTimeoutMs: 600_000 })
  try {
    await listPurged(clickhouse, purged)
    return await withPlatform(stores, async platform => {
      const ids = purged.map(({ tenant_id }) => tenant_id)
      const back = async () => await affected(platform)`select from tenants where id = any(${ids}::uuid[])`
      const before = await back()
      await reapplyPurges({ platform, clickhouse, log: silent })
      const left = await back()
      if (left > 0)
        throw new StartFault(
          'failed',
          `${left} purged teams are back and could not be erased`,
          'Table quarantined_rows of the restored database says why.',
          'do not use it: empty the stores, and restore again or another backup',
        )
      return before
    })
  } finally {
    await clickhouse.close()
  }
}

async function readKeys(made: Backup): Promise<BackupKeys | null> {
  if (made.manifest.keys === null) return null
  const parts: Buffer[] = []
  for await (const part of made.read(made.manifest.keys)) parts.push(part)
  return BackupKeys.parse(JSON.parse(Buffer.concat(parts).toString('utf8')))
}

function refuseOtherKey({ manifest }: Backup, { secret_key, previous_secret_keys }: BackupKeys): void {
  if ([secret_key, ...previous_secret_keys].some(key => presentPrefix({ secretKey: key }) === manifest.secret_key))
    return
  throw new StartFault(
    'config',
    'this is not the SECRET_KEY of the backup',
    'Its stored secrets could not be read: second factors, channels, settings of checks.',
    'SECRET_KEY_FILE=FILE vedette restore …',
    '--without-key      where it is lost: all else is restored',
  )
}

/** A data folder that was just made gets the key that its stored secrets are under. */
function keepKey(dataDir: string, { secretKey }: OpenStores, { secret_key }: BackupKeys): void {
  const folder = resolve(dataDir)
  const { keys } = loadKeys(folder)
  const key = secret_key || secretKey
  if (keys.secret_key !== key) writePrivately(join(folder, 'keys.json'), { ...keys, secret_key: key })
}
