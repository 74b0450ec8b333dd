import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { heapFlags, youngMemory } from '#cli/program/heap-flags.js'
import type { Databases } from './databases.ts'
import { freePort } from './free-port.ts'

type Stores = Omit<Databases, 'ownerUrl'>

/** `vedette serve --role ingest` as a process of its own, at an address that agents reach. */
export class IngestProcess {
  readonly url: string
  readonly #stores: Stores
  readonly #port: number
  #child: ChildProcess | undefined

  private constructor(stores: Stores, port: number) {
    this.#stores = stores
    this.#port = port
    this.url = `http://127.0.0.1:${port}`
  }

  static async start(stores: Stores): Promise<IngestProcess> {
    const ingest = new IngestProcess(stores, await freePort())
    ingest.start()
    return ingest
  }

  /** Also after `kill` or `stop`, at the same address. */
  start(): void {
    const { appUrl, platformUrl, clickhouseUrl } = this.#stores
    this.#child = spawn(process.execPath, [youngMemory, ...heapFlags, 'cli/main.ts', 'serve', '--role', 'ingest'], {
      env: {
        ...process.env,
        DATABASE_URL: appUrl,
        DATABASE_PLATFORM_URL: platformUrl,
        CLICKHOUSE_URL: clickhouseUrl,
        SECRET_KEY: 'a secret key for tests, long enough for every use',
        EGRESS_ALLOW: '127.0.0.0/8',
        HOST: '127.0.0.1',
        PORT: String(this.#port),
        METRICS_PORT: '0',
        LOG_LEVEL: 'warn',
        INGEST_URL: this.url,
      },
      stdio: ['ignore', 'ignore', 'inherit'],
    })
  }

  get pid(): number {
    return this.#child?.pid ?? 0
  }

  /** Whether it decides on shards. */
  async isReady(): Promise<boolean> {
    const answer = await fetch(`${this.url}/readyz`, { signal: AbortSignal.timeout(2_000) }).catch(() => undefined)
    await answer?.body?.cancel()
    return answer?.status === 200
  }

  kill(): Promise<void> {
    return this.#end('SIGKILL')
  }

  stop(): Promise<void> {
    return this.#end('SIGTERM')
  }

  async #end(signal: NodeJS.Signals): Promise<void> {
    const child = this.#child
    this.#child = undefined
    if (!child || child.exitCode !== null || child.signalCode !== null) return
    const ended = once(child, 'exit')
    child.kill(signal)
    await ended
  }
}
