import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { z } from 'zod'
import { heapFlags, youngMemory } from '#cli/program/heap-flags.js'
import type { Databases } from './databases.ts'
import { freePort } from './free-port.ts'
import { program } from './program.ts'

type Stores = Omit<Databases, 'ownerUrl'>

/** `vedette serve --role ingest` as a process of its own, at an address that agents reach. */
export class IngestProcess {
  readonly url: string
  readonly #stores: Stores
  readonly #port: number
  #child: ChildProcess | undefined

  private constructor(stores: Stores, port: number, url: string) {
    this.#stores = stores
    this.#port = port
    this.url = url
  }

  /** `through`: opens a way to this port, at whose address agents reach it. */
  static async start(
    stores: Stores,
    through = async (port: number): Promise<string> => `127.0.0.1:${port}`,
  ): Promise<IngestProcess> {
    const port = await freePort()
    const ingest = new IngestProcess(stores, port, `http://${await through(port)}`)
    ingest.start()
    return ingest
  }

  /** Also after `kill` or `stop`, at the same address. */
  start(): void {
    const { appUrl, platformUrl, clickhouseUrl } = this.#stores
    this.#child = spawn(process.execPath, [youngMemory, ...heapFlags, ...program('serve', '--role', 'ingest')], {
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
    const answer = await fetch(`http://127.0.0.1:${this.#port}/readyz`, { signal: AbortSignal.timeout(2_000) }).catch(
      () => undefined,
    )
    await answer?.body?.cancel()
    return answer?.status === 200
  }

  /** The named part of `/readyz`. */
  async part(name: string): Promise<unknown> {
    const answer = await fetch(`http://127.0.0.1:${this.#port}/readyz`, { signal: AbortSignal.timeout(2_000) })
    const { parts } = z.object({ parts: z.record(z.string(), z.unknown()) }).parse(await answer.json())
    return parts[name]
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
