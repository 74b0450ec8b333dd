import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { ensureDatabase, ownerUrl, type PostgresOptions, postgresPart } from '#cli/local/embedded/postgres.ts'
import { makeKeys } from '#cli/local/keys.ts'
import { findPort } from '#cli/local/loopback.ts'
import { showFor } from '#cli/local/show.ts'
import { Supervisor } from '#cli/local/supervise.ts'
import { migrate } from '#control-plane/db/migrate.ts'
import { baseBackup } from './base-backup.ts'
import { type Databases, serviceUrls } from './databases.ts'
import { serveApp, store } from './stores.ts'

/** A PostgreSQL of one file's own, migrated, to be stopped, killed or frozen in the middle of whatever it does. */
export class OwnPostgres {
  readonly dataDir: string
  readonly stores: Databases
  readonly #folder: string
  readonly #options: PostgresOptions
  #supervisor: Supervisor | undefined
  #frozen: number[] = []

  private constructor(folder: string, options: PostgresOptions, stores: Databases) {
    this.dataDir = options.dataDir
    this.stores = stores
    this.#folder = folder
    this.#options = options
  }

  static async open(folder: string, overrides: Record<string, string> = {}): Promise<OwnPostgres> {
    const { owner: ownerPassword, app: appPassword, platform: platformPassword } = makeKeys().postgres
    const options = {
      dataDir: join(folder, 'postgres'),
      port: await findPort(0),
      ownerPassword,
      overrides: { shared_buffers: '32MB', ...overrides },
    }
    const owner = ownerUrl(options)
    const opened = new OwnPostgres(folder, options, {
      ownerUrl: owner,
      ...serviceUrls(owner, { appPassword, platformPassword }),
      clickhouseUrl: (await store('clickhouse')).url,
    })
    await Promise.all([opened.start(), serveApp()])
    await ensureDatabase(options)
    await migrate({ ownerUrl: owner, appPassword, platformPassword })
    return opened
  }

  /**
   * Another server on a base backup of this one: with `-R` among the words a replica that follows it. It is not
   * started. Both have the same roles and passwords.
   */
  async copy(
    folder: string,
    { words = [], overrides = {} }: { words?: readonly string[]; overrides?: Record<string, string> },
  ): Promise<OwnPostgres> {
    const options = {
      ...this.#options,
      dataDir: join(folder, 'postgres'),
      port: await findPort(0),
      overrides: { ...this.#options.overrides, ...overrides },
    }
    await baseBackup(this.stores.ownerUrl, options.dataDir, this.dataDir, words)
    const moved = (text: string) => {
      const url = new URL(text)
      url.port = String(options.port)
      return url.toString()
    }
    const { ownerUrl, appUrl, platformUrl, clickhouseUrl } = this.stores
    return new OwnPostgres(folder, options, {
      ownerUrl: moved(ownerUrl),
      appUrl: moved(appUrl),
      platformUrl: moved(platformUrl),
      clickhouseUrl,
    })
  }

  /** One that was killed may have to wait for the last sessions of the one before. */
  async start(): Promise<void> {
    for (let attempt = 1; ; attempt++) {
      const supervisor = new Supervisor({ dataDir: this.#folder, show: showFor({ isJson: false, isTty: false }) })
      this.#supervisor = supervisor
      try {
        return await supervisor.start(await postgresPart(this.#options))
      } catch (error) {
        await supervisor.stop()
        if (attempt === 20) throw error
        await sleep(100)
      }
    }
  }

  async stop(): Promise<void> {
    this.thaw()
    await this.#supervisor?.stop()
  }

  /** All at once, as an out-of-memory killer does. It is not started again. */
  async kill(): Promise<void> {
    process.kill(this.#supervisor?.pidOf('postgres') ?? 0, 'SIGKILL')
    await this.#supervisor?.stop()
  }

  /** The server first: it could start another process between their listing and their stop. */
  freeze(): void {
    const server = Number(readFileSync(join(this.dataDir, 'postmaster.pid'), 'utf8').split('\n')[0])
    process.kill(server, 'SIGSTOP')
    const children = childrenOf(server)
    for (const pid of children) process.kill(pid, 'SIGSTOP')
    this.#frozen = [server, ...children]
  }

  thaw(): void {
    for (const pid of this.#frozen) process.kill(pid, 'SIGCONT')
    this.#frozen = []
  }
}

const childrenOf = (parent: number): number[] =>
  readdirSync('/proc')
    .filter(name => {
      if (!/^\d+$/.test(name)) return false
      try {
        return Number(readFileSync(`/proc/${name}/stat`, 'utf8').split(') ')[1]?.split(' ')[1]) === parent
      } catch {
        return false
      }
    })
    .map(Number)
