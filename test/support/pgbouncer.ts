import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { cacheFolders } from '#cli/local/cache.ts'
import { findPort, until } from '#cli/local/loopback.ts'
import { keep, unpackDebian } from './debian.ts'

interface Program {
  command: string
  env: Record<string, string>
}

/** PgBouncer where it is installed, else Debian's package, kept in the cache. */
async function findPgBouncer(): Promise<Program> {
  for (const command of ['/usr/sbin/pgbouncer', '/usr/bin/pgbouncer'])
    if (existsSync(command)) return { command, env: {} }
  const [cache = tmpdir()] = cacheFolders()
  const folder = join(cache, 'pgbouncer-debian')
  if (!existsSync(folder)) await keep(folder, draft => unpackDebian(draft, ['pgbouncer'], AbortSignal.timeout(120_000)))
  const libraries = `${folder}/root/usr/lib/${process.arch === 'arm64' ? 'aarch64' : 'x86_64'}-linux-gnu`
  return { command: join(folder, 'root/usr/sbin/pgbouncer'), env: { LD_LIBRARY_PATH: libraries } }
}

/** A PgBouncer in transaction mode in front of a PostgreSQL, with few connections, so that sessions share them. */
export class PgBouncer {
  readonly #process: ChildProcess
  readonly #folder: string
  readonly #port: number

  private constructor(process: ChildProcess, folder: string, port: number) {
    this.#process = process
    this.#folder = folder
    this.#port = port
  }

  /** `urls`: addresses of the PostgreSQL, of every role that connects. */
  static async open(urls: readonly string[], { poolSize = 3 }: { poolSize?: number } = {}): Promise<PgBouncer> {
    const { command, env } = await findPgBouncer()
    const folder = await mkdtemp(join(tmpdir(), 'vedette-pgbouncer-'))
    await chmod(folder, 0o755)
    const port = await findPort(0)
    const { port: target } = new URL(urls[0] ?? '')
    const users = urls.map(url => new URL(url)).map(({ username, password }) => [username, password] as const)
    const file = join(folder, 'users.txt')
    await writeFile(file, users.map(([user, password]) => `"${user}" "${decodeURIComponent(password)}"\n`).join(''))
    const settings = {
      listen_addr: '127.0.0.1',
      listen_port: port,
      unix_socket_dir: '',
      auth_type: 'scram-sha-256',
      auth_file: file,
      admin_users: users[0]?.[0],
      pool_mode: 'transaction',
      default_pool_size: poolSize,
      max_client_conn: 200,
      ...(process.getuid?.() === 0 && { user: 'daemon' }),
    }
    const lines = Object.entries(settings).map(([name, value]) => `${name} = ${value}`)
    await writeFile(
      join(folder, 'pgbouncer.ini'),
      ['[databases]', `* = host=127.0.0.1 port=${target}`, '[pgbouncer]', ...lines, ''].join('\n'),
    )
    const child = spawn(command, [join(folder, 'pgbouncer.ini')], {
      env: { PATH: process.env.PATH, ...env },
      stdio: ['ignore', 'ignore', 'pipe'],
    })
    let log = ''
    child.stderr?.on('data', text => {
      log = `${log}${text}`.slice(-4_000)
    })
    const opened = new PgBouncer(child, folder, port)
    if (await until(() => accepts(port), { withinMs: 15_000, everyMs: 50 })) return opened
    await opened.close()
    throw new Error(`PgBouncer does not start: ${log}`)
  }

  /** The same database and role, through the pooler. */
  through(url: string): string {
    const address = new URL(url)
    address.port = String(this.#port)
    return address.toString()
  }

  /** Transactions and queries that went through a pool, by database and role. */
  async stats(url: string): Promise<{ transactions: number; queries: number }> {
    const address = new URL(this.through(url))
    const { pathname } = address
    address.pathname = '/pgbouncer'
    const client = new pg.Client({ connectionString: address.toString() })
    await client.connect()
    // the console speaks simple queries alone
    const { rows } = await client.query('show stats_totals')
    await client.end()
    const row = rows.find(({ database }) => `/${database}` === pathname)
    return { transactions: Number(row?.xact_count ?? 0), queries: Number(row?.query_count ?? 0) }
  }

  async close(): Promise<void> {
    if (this.#process.exitCode === null) {
      const over = once(this.#process, 'exit')
      this.#process.kill('SIGTERM')
      const slow = setTimeout(() => this.#process.kill('SIGKILL'), 3_000)
      await over
      clearTimeout(slow)
    }
    await rm(this.#folder, { recursive: true, force: true })
  }
}

const accepts = (port: number): Promise<boolean> =>
  new Promise(resolve => {
    const socket = connect(port, '127.0.0.1')
    socket.once('connect', () => {
      socket.destroy()
      resolve(true)
    })
    socket.once('error', () => resolve(false))
  })
