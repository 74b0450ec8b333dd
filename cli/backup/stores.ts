import { existsSync, mkdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import pg from 'pg'
import { StartFault } from '#cli/fault.ts'
import { loadKeys } from '#cli/local/keys.ts'
import { environmentOf, lockFolder } from '#cli/local/locked-folder.ts'
import { storesIn } from '#cli/local/prepare.ts'
import { showFor } from '#cli/local/show.ts'
import { startClickHouse, startPostgres } from '#cli/local/stores.ts'
import { Supervisor, stopLeftovers } from '#cli/local/supervise.ts'
import type { BackupDisk } from './clickhouse.ts'

export interface OpenStores {
  appUrl: string
  platformUrl: string
  ownerUrl: string
  clickhouseUrl: string
  disk: BackupDisk
  secretKey: string
  previousSecretKeys: string[]
}

const listOf = (text: string | undefined) => (text ?? '').split(',').filter(Boolean)

/** The value of a setting, or of the file that NAME_FILE names. */
function settingOf(env: NodeJS.ProcessEnv, name: string): string {
  const file = env[`${name}_FILE`]
  if (env[name] || !file) return env[name] ?? ''
  try {
    return readFileSync(file, 'utf8').trim()
  } catch (error) {
    throw new StartFault('config', `${file} cannot be read`, (error as Error).message, `${name}_FILE=FILE`)
  }
}

/** What a backup is encrypted with, or null. */
export function backupKey(env: NodeJS.ProcessEnv): string | null {
  const key = settingOf(env, 'BACKUP_KEY')
  if (key === '') return null
  if (key.length < 20)
    throw new StartFault(
      'config',
      'the key of the backup is too short',
      'It has 20 characters at least.',
      'openssl rand -base64 32 > backup.key && chmod 600 backup.key',
    )
  return key
}

function ofEnvironment(env: NodeJS.ProcessEnv, disk: BackupDisk, mayBeCluster: boolean): OpenStores {
  if (env.CLICKHOUSE_CLUSTER && !mayBeCluster)
    throw new StartFault(
      'config',
      'a cluster of ClickHouse is not backed up by this command',
      'Each shard has a part of the rows, and its servers write their own backups.',
      "clickhouse-client --query \"BACKUP DATABASE vedette ON CLUSTER 'NAME' TO Disk('backups', 'vedette')\"",
      'docs/operate/cluster.md',
    )
  return {
    ...storesIn(env),
    disk: {
      disk: env.CLICKHOUSE_BACKUP_DISK || disk.disk,
      folder: env.CLICKHOUSE_BACKUP_FOLDER || disk.folder,
    },
    secretKey: settingOf(env, 'SECRET_KEY'),
    previousSecretKeys: listOf(settingOf(env, 'SECRET_KEY_PREVIOUS')),
  }
}

const embeddedDisk = (dataDir: string): BackupDisk => ({
  disk: 'backups',
  folder: existsSync(join(dataDir, 'clickhouse')) ? join(resolve(dataDir), 'clickhouse', 'backups') : undefined,
})

/**
 * Works with the stores that the environment names, with those that run on the data folder, or with those of the data
 * folder that are started for it. `mayRun`: whether a service may run on the data folder meanwhile.
 */
export async function withStores<T>(
  env: NodeJS.ProcessEnv,
  dataDir: string,
  { mayRun, mayBeNew, mayBeCluster = false }: { mayRun: boolean; mayBeNew: boolean; mayBeCluster?: boolean },
  work: (stores: OpenStores) => Promise<T>,
): Promise<T> {
  if (env.DATABASE_URL) return work(ofEnvironment(env, { disk: 'backups', folder: undefined }, mayBeCluster))
  const running = mayRun ? environmentOf(dataDir) : undefined
  if (running) return work(ofEnvironment({ ...env, ...running }, embeddedDisk(dataDir), mayBeCluster))
  if (!mayBeNew && !existsSync(join(dataDir, 'postgres')))
    throw new StartFault(
      'config',
      `there are no stores in ${dataDir}`,
      'They are those of a data folder, or those that the environment names.',
      'vedette backup FOLDER --data DIR',
      'or name them: DATABASE_URL=… DATABASE_PLATFORM_URL=… DATABASE_OWNER_URL=… CLICKHOUSE_URL=…',
    )
  const folder = resolve(dataDir)
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  const lock = lockFolder(folder)
  await stopLeftovers(folder)
  const show = { ...showFor({ isJson: false, isTty: false }), ready: () => {} }
  const supervisor = new Supervisor({ dataDir: folder, show })
  try {
    const { keys } = loadKeys(folder)
    const context = { env, dataDir: folder, show, supervisor }
    const [database, clickhouseUrl] = await Promise.all([startPostgres(context, keys), startClickHouse(context, keys)])
    return await work({
      appUrl: database.databaseUrl,
      platformUrl: database.platformUrl,
      ownerUrl: database.ownerUrl,
      clickhouseUrl,
      disk: embeddedDisk(folder),
      secretKey: settingOf(env, 'SECRET_KEY') || keys.secret_key,
      previousSecretKeys: listOf(settingOf(env, 'SECRET_KEY_PREVIOUS')),
    })
  } finally {
    await supervisor.stop()
    lock.release()
  }
}

/** One connection of the platform role. */
export async function withPlatform<T>(
  { platformUrl }: Pick<OpenStores, 'platformUrl'>,
  work: (platform: pg.Pool) => Promise<T>,
): Promise<T> {
  const platform = new pg.Pool({ connectionString: platformUrl, max: 1 })
  platform.on('error', () => {})
  try {
    return await work(platform)
  } finally {
    await platform.end()
  }
}
