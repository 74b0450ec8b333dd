import { join, resolve } from 'node:path'
import { loadClickhouse, newerSchema, refuseFilledClickhouse, refuseNewerClickhouse } from '#cli/backup/clickhouse.ts'
import { Backup } from '#cli/backup/folder.ts'
import { BackupKeys } from '#cli/backup/format.ts'
import { comparePostgres, loadPostgres, refuseFilledPostgres } from '#cli/backup/postgres.ts'
import { backupKey, type OpenStores, withStores } from '#cli/backup/stores.ts'
import { StartFault } from '#cli/fault.ts'
import { loadKeys, writePrivately } from '#cli/local/keys.ts'
import { migratePostgres } from '#cli/local/prepare.ts'
import { presentPrefix } from '#control-plane/base/secrets.ts'
import { readMigrations } from '#control-plane/db/migrate.ts'

interface Options {
  dataDir: string
  /** Whether the SECRET_KEY of the backup is lost. */
  isKeyLost: boolean
}

/**
 * Restores a backup into empty stores: first everything is examined, then PostgreSQL is written in one transaction,
 * then ClickHouse. Counts and audit trails are compared with the manifest before the schema is brought up to date.
 */
export async function restore(
  folder: string,
  { dataDir, isKeyLost }: Options,
  env: NodeJS.ProcessEnv = process.env,
): Promise<void> {
  const made = await Backup.open(folder, backupKey(env))
  const { postgres, clickhouse } = made.manifest
  const migrations = readMigrations()
  const unknown = postgres.migrations.find(name => !migrations.some(migration => migration.name === name))
  if (unknown !== undefined) throw newerSchema('PostgreSQL', unknown)
  await refuseNewerClickhouse(clickhouse.migrations)
  await made.verify()
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
    const notes = await loadClickhouse(stores.clickhouseUrl, clickhouse, stores.disk, file => made.read(file))
    if (!env.DATABASE_URL) keepKey(dataDir, stores, keys)
    const rows = postgres.tables.reduce((sum, table) => sum + table.rows, 0)
    console.log(`${rows} rows of ${postgres.tables.length} tables as they were at ${made.header.made_at}`)
    console.log(`${postgres.audit.links} links of ${postgres.audit.trails} audit trails: all as written`)
    for (const note of notes) console.log(`ClickHouse: ${note}`)
    console.error(`
  At its first start the service voids sessions and open links: people sign in again. API keys that were revoked since
  the backup work again: review them. Timers are made again from the rows by the worker.
${env.DATABASE_URL ? '' : `\n  npm start -- --data ${dataDir}\n`}`)
  })
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
