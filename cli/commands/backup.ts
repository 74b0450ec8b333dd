import { dumpClickhouse } from '#cli/backup/clickhouse.ts'
import { NewBackup } from '#cli/backup/folder.ts'
import type { BackupKeys } from '#cli/backup/format.ts'
import { dumpPostgres } from '#cli/backup/postgres.ts'
import { backupKey, withStores } from '#cli/backup/stores.ts'
import { StartFault } from '#cli/fault.ts'
import { presentPrefix } from '#control-plane/base/secrets.ts'

interface Options {
  dataDir: string
  /** Whether SECRET_KEY is put inside. */
  withKeys: boolean
}

/**
 * Writes PostgreSQL at one moment, then ClickHouse, into a new folder. ClickHouse is the later one: a result that
 * PostgreSQL does not know yet is harmless, the other way round a verdict would have no result.
 */
export async function backup(
  folder: string,
  { dataDir, withKeys }: Options,
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
  await withStores(env, dataDir, { mayRun: true, mayBeNew: false }, async stores => {
    if (stores.secretKey === '')
      throw new StartFault(
        'config',
        'SECRET_KEY is not set',
        'The backup notes which key its stored secrets are under. It does not hold the key unless asked.',
        'SECRET_KEY_FILE=FILE vedette backup FOLDER',
      )
    const made = NewBackup.open(folder, key)
    try {
      const write = made.write.bind(made)
      const postgres = await dumpPostgres(stores, write)
      const clickhouse = await dumpClickhouse(stores.clickhouseUrl, stores.disk, write)
      const keys: BackupKeys = { secret_key: stores.secretKey, previous_secret_keys: stores.previousSecretKeys }
      await made.finish({
        postgres,
        clickhouse,
        secret_key: presentPrefix(stores),
        keys: withKeys ? await made.write('keys.json', [JSON.stringify(keys)]) : null,
      })
      const rows = postgres.tables.reduce((sum, table) => sum + table.rows, 0)
      const results = clickhouse.rows === null ? '' : `, ${total(clickhouse.rows)} of ClickHouse`
      console.log(`${folder}  ${rows} rows of PostgreSQL${results}  ${key === null ? 'not encrypted' : 'encrypted'}`)
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

const total = (counts: Readonly<Record<string, number>>) => Object.values(counts).reduce((sum, n) => sum + n, 0)
