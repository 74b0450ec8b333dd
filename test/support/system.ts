import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { createToken } from '#control-plane/access/tokens/create.ts'
import { makeFolder } from './folder.ts'
import { freePort } from './free-port.ts'

export interface Local {
  base_url: string
  metrics_url: string
  temporal_ui_url: string | null
  super_admin: { email: string; password: string }
  reseller: { email: string; password: string; tenant_id: string; token: string }
  team: { id: string; tenant_id: string; slug: string; name: string; email: string; password: string }
  regions: string[]
  agent_enrolment_token: string
}

export interface SystemEvent {
  event: string
  part?: string
  state?: string
  pid?: number
  [key: string]: unknown
}

interface Options {
  command?: 'up' | 'dev'
  regions?: string[]
  args?: string[]
  env?: Record<string, string>
  dataDir?: string
  /** Keeps all data on a disk of its own, of so many megabytes, which no other process sees. Needs root. */
  diskMb?: number
}

// biome-ignore lint/suspicious/noExplicitAny: journeys read answers as a user's script would
type Json = any

/** The whole of `npm start` as a user runs it: every part a process, in a folder of its own. */
export class System {
  /** Where the data is seen from here. */
  readonly dataDir: string
  readonly #folder: string
  readonly events: SystemEvent[] = []
  readonly #process: ChildProcess
  readonly #keepsData: boolean
  local!: Local
  /** Many sessions of one person: a journey asks more often than one token may. */
  readonly #tokens: string[] = []
  #turn = 0

  private constructor(folder: string, dataDir: string, keepsData: boolean, process: ChildProcess) {
    this.#folder = folder
    this.dataDir = dataDir
    this.#keepsData = keepsData
    this.#process = process
  }

  static async start({
    command = 'up',
    regions = ['eu-west', 'us-east', 'ap-south'],
    args = [],
    env = {},
    dataDir,
    diskMb,
  }: Options = {}): Promise<System> {
    const folder = dataDir ?? makeFolder('system')
    const port = await freePort()
    const start = [
      process.execPath,
      'cli/vedette.js',
      command,
      '--json',
      '--data',
      folder,
      '--port',
      String(port),
      '--regions',
      regions.join(','),
      ...args,
    ]
    const onOwnDisk = [
      'unshare',
      '-m',
      'sh',
      '-c',
      `mount -t tmpfs -o size=${diskMb}m,mode=755 tmpfs "$0" && exec "$@"`,
      folder,
      ...start,
    ]
    const [program = '', ...words] = diskMb === undefined ? start : onOwnDisk
    const child = spawn(program, words, { env: { ...process.env, ...env }, stdio: ['ignore', 'pipe', 'pipe'] })
    const system = new System(
      folder,
      diskMb === undefined ? folder : `/proc/${child.pid}/root${folder}`,
      dataDir !== undefined,
      child,
    )
    let validationErrors = ''
    child.stderr.on('data', chunk => {
      validationErrors = (validationErrors + chunk).slice(-4_000)
    })
    await new Promise<void>((resolve, reject) => {
      const timer = setTimeout(
        () =>
          reject(
            new Error(
              `the system did not start in 120 s: ${validationErrors}${JSON.stringify(system.events.slice(-5))}`,
            ),
          ),
        120_000,
      )
      child.once('exit', code => {
        clearTimeout(timer)
        reject(
          new Error(`the start ended with code ${code}: ${validationErrors}${JSON.stringify(system.events.slice(-5))}`),
        )
      })
      createInterface({ input: child.stdout }).on('line', line => {
        if (!line.startsWith('{')) return
        const event = JSON.parse(line) as SystemEvent
        system.events.push(event)
        if (event.event !== 'ready') return
        clearTimeout(timer)
        resolve()
      })
    }).catch(async error => {
      child.kill('SIGKILL')
      if (dataDir === undefined) rmSync(folder, { recursive: true, force: true })
      throw error
    })
    system.local = JSON.parse(readFileSync(join(system.dataDir, 'local.json'), 'utf8')) as Local
    await system.signIn()
    return system
  }

  get pid(): number {
    return this.#process.pid ?? 0
  }

  /** Signs in as the first team's owner, and makes that person some more sessions. */
  async signIn(): Promise<void> {
    const { email, password } = this.local.team
    const { status, body } = await this.call('POST', '/auth/token', { email, password, device_name: 'journey' }, '')
    if (status !== 201) throw new Error(`sign-in answered ${status}: ${JSON.stringify(body)}`)
    this.#tokens.push(body.token)
    const pool = new pg.Pool({ connectionString: this.environment.DATABASE_PLATFORM_URL ?? '', max: 1 })
    for (let i = 0; i < 30; i++) {
      const { plain } = await createToken(pool, {
        kind: 'ss',
        tenantId: body.user.tenant_id,
        userId: body.user.id,
        name: `journey ${i}`,
        scopes: [],
        expiresAt: null,
      })
      this.#tokens.push(plain)
    }
    await pool.end()
  }

  async call(
    method: string,
    path: string,
    body?: unknown,
    token = this.#tokens[this.#turn++ % this.#tokens.length],
  ): Promise<{ status: number; body: Json; headers: Headers }> {
    const response = await fetch(`${this.#address}${path.startsWith('/api/') ? path : `/api/v1${path}`}`, {
      method,
      headers: {
        ...(token && { Authorization: `Bearer ${token}` }),
        ...(body !== undefined && { 'Content-Type': 'application/json' }),
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })
    const text = await response.text()
    return {
      status: response.status,
      body: response.headers.get('content-type')?.startsWith('application/json') && text ? JSON.parse(text) : text,
      headers: response.headers,
    }
  }

  /** Where it is reached from here, whatever address its people use. */
  get #address(): string {
    const { PORT, BASE_URL } = this.environment
    return BASE_URL?.startsWith('http://') ? this.local.base_url : `http://127.0.0.1:${PORT}`
  }

  get = (path: string, token?: string) => this.call('GET', path, undefined, token)
  post = (path: string, body: unknown = {}, token?: string) => this.call('POST', path, body, token)

  async addMonitor(fields: Record<string, unknown>): Promise<Json> {
    const { status, body } = await this.post('/monitors', { check_interval: 2, timeout: 2, ...fields })
    if (status !== 201) throw new Error(`adding a monitor answered ${status}: ${JSON.stringify(body)}`)
    return body.data
  }

  async monitor(id: string): Promise<Json> {
    return (await this.get(`/monitors/${id}`)).body.data
  }

  async incidents(monitorId: string): Promise<Json[]> {
    return (await this.get(`/incidents?monitor_id=${monitorId}&per_page=100`)).body.data
  }

  /** Prometheus figures as a map from `name{labels}` to number. */
  async metrics(): Promise<Map<string, number>> {
    const text = await (await fetch(this.local.metrics_url)).text()
    return new Map(
      text
        .split('\n')
        .filter(line => line && !line.startsWith('#'))
        .map(line => [line.slice(0, line.lastIndexOf(' ')), Number(line.slice(line.lastIndexOf(' ') + 1))]),
    )
  }

  /** Addresses and keys of the parts, as the running system publishes them to its owner's other commands. */
  get environment(): Record<string, string> {
    return (
      JSON.parse(readFileSync(join(this.dataDir, 'running.json'), 'utf8')) as { environment: Record<string, string> }
    ).environment
  }

  /**
   * The process of a part, as its record in the data folder names it: postgres, clickhouse, temporal, control-plane,
   * agent-<region>.
   */
  partPid(name: string): number {
    const record = readFileSync(join(this.dataDir, 'run', `${name}.json`), 'utf8')
    return record.endsWith('}') ? (JSON.parse(record) as { pid: number }).pid : 0 // being written at this moment
  }

  /** Ends a part by kill -9, and waits until it has been started again. */
  async kill(part: string): Promise<void> {
    const pid = this.partPid(part)
    process.kill(pid, 'SIGKILL')
    await eventually(`${part} is another process`, async () => ![pid, 0].includes(this.partPid(part)), 60_000, 20)
  }

  async stop(signal: NodeJS.Signals = 'SIGTERM'): Promise<number> {
    const started = performance.now()
    if (this.#process.exitCode === null && this.#process.signalCode === null) {
      this.#process.kill(signal)
      await once(this.#process, 'exit')
    }
    if (!this.#keepsData && !process.env.KEEP_DATA) rmSync(this.#folder, { recursive: true, force: true })
    return performance.now() - started
  }
}

/** Asks until the answer is truthy; the error has the last answer when time is up. */
export async function eventually<T>(
  what: string,
  ask: () => Promise<T>,
  withinMs = 60_000,
  everyMs = 250,
): Promise<Exclude<NonNullable<T>, false>> {
  const deadline = performance.now() + withinMs
  for (;;) {
    const answer = await ask()
    if (answer) return answer as Exclude<NonNullable<T>, false>
    if (performance.now() > deadline) throw new Error(`${what}: not within ${withinMs} ms`)
    await sleep(everyMs)
  }
}
