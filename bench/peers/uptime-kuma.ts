import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { copyFileSync, existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { setTimeout as sleep } from 'node:timers/promises'
import { freePort } from '#test/support/free-port.ts'
import { endProcess } from './end-process.ts'

const version = '2.0.0-dev.0'
const home = resolve('node_modules/.cache/vedette/peers', `uptime-kuma-${version}`)
const root = join(home, 'node_modules/uptime-kuma')
export const kumaPassword = 'correct-horse-7'

/** A monitor as the page of Uptime Kuma sends it. */
export interface KumaMonitor {
  type: 'http' | 'keyword' | 'json-query' | 'port' | 'push' | 'group' | 'ping'
  name: string
  [field: string]: unknown
}

const defaults = {
  url: 'https://',
  method: 'GET',
  interval: 20,
  retryInterval: 20,
  resendInterval: 0,
  maxretries: 0,
  timeout: 10,
  ignoreTls: false,
  upsideDown: false,
  expiryNotification: false,
  maxredirects: 10,
  accepted_statuscodes: ['200-299'],
  notificationIDList: {},
  kafkaProducerBrokers: [],
  kafkaProducerSaslOptions: { mechanism: 'None' },
  parent: null,
}

interface Answer {
  ok: boolean
  msg?: string
  monitorID?: number
  key?: string
}

interface Socket {
  emit(name: string, ...words: unknown[]): void
  once(name: string, listener: () => void): void
  close(): void
}

/** The folder with the headers of Node, which its database is compiled against; undefined: they are fetched. */
const headers = [join(dirname(process.execPath), '..'), '/usr'].find(folder =>
  existsSync(join(folder, 'include/node/node_api.h')),
)

/** Installs it from npm, once. Its database is compiled here: what was built for it lies outside of npm. */
function install(): void {
  if (existsSync(join(home, 'ready'))) return
  console.log('      Uptime Kuma is installed; this takes some minutes')
  rmSync(home, { recursive: true, force: true })
  mkdirSync(home, { recursive: true })
  writeFileSync(join(home, 'package.json'), '{"private":true}')
  const npm = (...words: string[]) =>
    execFileSync('npm', [...words, '--no-audit', '--no-fund'], { cwd: home, stdio: 'pipe' })
  npm('install', '--ignore-scripts', `uptime-kuma@${version}`)
  npm('rebuild', '@louislam/sqlite3', '--build-from-source', ...(headers ? [`--nodedir=${headers}`] : []))
  // the package has some of its migrations a folder higher than where it reads them
  const [found, wanted] = [join(root, 'db'), join(root, 'db/old_migrations')]
  for (const name of readdirSync(found).filter(name => name.endsWith('.sql')))
    copyFileSync(join(found, name), join(wanted, name))
  writeFileSync(join(home, 'ready'), '')
}

/** A real Uptime Kuma of npm, with a user, on a free port, its data in a folder of its own. */
export class UptimeKuma {
  readonly url: string
  readonly #port: number
  readonly #folder = mkdtempSync(join(tmpdir(), 'vedette-kuma-'))
  #process: ChildProcess | undefined
  #socket: Socket | undefined

  static async open(): Promise<UptimeKuma> {
    install()
    const kuma = new UptimeKuma(await freePort())
    writeFileSync(join(kuma.#folder, 'db-config.json'), '{"type":"sqlite"}')
    await kuma.#start(async () => void (await kuma.#call('setup', 'admin', kumaPassword)))
    return kuma
  }

  private constructor(port: number) {
    this.#port = port
    this.url = `http://127.0.0.1:${port}`
  }

  async #start(prepare: () => Promise<void> = async () => undefined): Promise<void> {
    const env = {
      ...process.env,
      DATA_DIR: `${this.#folder}/`,
      UPTIME_KUMA_PORT: `${this.#port}`,
      UPTIME_KUMA_HOST: '127.0.0.1',
    }
    this.#process = spawn(process.execPath, ['server/server.js'], { cwd: root, env, stdio: 'ignore' })
    for (let tries = 0; ; tries++) {
      const answer = await fetch(this.url, { redirect: 'manual' }).catch(() => undefined)
      if (answer) break
      if (tries > 300) throw new Error('Uptime Kuma does not answer.')
      await sleep(200)
    }
    const { io } = createRequire(join(root, 'package.json'))('socket.io-client') as { io(url: string): Socket }
    const socket = io(this.url)
    this.#socket = socket
    await new Promise<void>(done => socket.once('connect', done))
    await prepare()
    await this.#call('login', { username: 'admin', password: kumaPassword, token: '' })
  }

  #call(name: string, ...words: unknown[]): Promise<Answer> {
    return new Promise((done, fail) => {
      this.#socket?.emit(name, ...words, (answer: Answer) =>
        answer.ok ? done(answer) : fail(new Error(`Uptime Kuma refuses ${name}: ${answer.msg}`)),
      )
    })
  }

  /** Returns the id of the monitor. */
  async add(monitor: KumaMonitor): Promise<number> {
    const { monitorID } = await this.#call('add', { ...defaults, ...monitor })
    return monitorID ?? Number.NaN
  }

  /** Fills its database with so many jobs that are up, each with a hundred heartbeats, a minute apart. */
  async fill(monitors: number): Promise<void> {
    await this.#stop()
    const database = new DatabaseSync(join(this.#folder, 'kuma.db'))
    database.exec(`
      with recursive n(i) as (select 1 union all select i + 1 from n where i < ${monitors})
      insert into monitor (name, user_id, type, interval, push_token, active)
        select 'Monitor ' || i, 1, 'push', 3600, 'token' || i, 1 from n;
      with recursive n(i) as (select 0 union all select i + 1 from n where i < 99)
      insert into heartbeat (monitor_id, status, msg, time, ping, duration, important)
        select id, 1, 'OK', datetime('now', '-' || i || ' minutes'), 20, 60, 0 from monitor, n;`)
    database.close()
    await this.#start()
  }

  async pause(id: number): Promise<void> {
    await this.#call('pauseMonitor', id)
  }

  async apiKey(): Promise<string> {
    const { key } = await this.#call('addAPIKey', { name: 'moving', expires: null, active: true })
    return key ?? ''
  }

  /** A copy of its database, made while it does not run. */
  async database(): Promise<string> {
    await this.#stop()
    const copy = join(this.#folder, 'copy.db')
    copyFileSync(join(this.#folder, 'kuma.db'), copy)
    await this.#start()
    return copy
  }

  async #stop(): Promise<void> {
    this.#socket?.close()
    await endProcess(this.#process, 15_000)
  }

  async close(): Promise<void> {
    await this.#stop()
    rmSync(this.#folder, { recursive: true, force: true })
  }
}
