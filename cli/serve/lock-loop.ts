import { setTimeout as sleep } from 'node:timers/promises'
import type { Logger } from 'pino'
import { accessTimeouts, TimeoutClient } from '#control-plane/base/db-timeouts.ts'

const retryMs = { first: 500, most: 3_000 } as const

/** What has been started. `isLost`: the locks are lost, and another process may decide already. */
export interface Lead {
  stop(isLost: boolean): Promise<void>
}

/** A connection whose end frees the locks that were taken on it. */
export interface LockConnection {
  client: TimeoutClient
  /** Aborts when the connection is lost, or the process is to stop. */
  over: AbortSignal
  readonly isLost: boolean
}

interface Options {
  url: string
  log: Logger
  /** Of the connection, in `pg_stat_activity`. */
  name: string
  /**
   * TCP keepalives in seconds: without them a machine that vanished would keep its locks for two hours.
   */
  keepalives: { idle: number; interval: number; count: number }
  /** Takes locks and works with them until `over`. Calls `tried` once it works, or knows why it does not. */
  work(connection: LockConnection, tried: () => void): Promise<void>
}

/** Works on a connection with locks, on a new one after each that is lost or fails, until it is stopped. */
export class LockLoop {
  /** Why the process does not decide, as long as it does not. */
  why = 'has not asked yet'
  readonly #options: Options
  readonly #stop = new AbortController()
  #running: Promise<void> = Promise.resolve()

  constructor(options: Options) {
    this.#options = options
  }

  /** Resolves after the first attempt: the process works, stands by, or retries. */
  async start(): Promise<void> {
    const first = Promise.withResolvers<void>()
    this.#running = this.#run(first.resolve)
    await first.promise
  }

  async stop(): Promise<void> {
    this.#stop.abort()
    await this.#running
  }

  async #run(tried: () => void): Promise<void> {
    const { signal } = this.#stop
    let waitMs: number = retryMs.first
    while (!signal.aborted) {
      try {
        await this.#connect(() => {
          waitMs = retryMs.first
          tried()
        })
      } catch (error) {
        this.why = 'could not start'
        if (!signal.aborted) this.#options.log.warn({ err: error }, 'ingest start failure, retrying')
        waitMs = Math.min(retryMs.most, 1.5 * waitMs)
      }
      tried()
      await pause(waitMs, signal)
    }
  }

  async #connect(tried: () => void): Promise<void> {
    const { url, name, keepalives, work } = this.#options
    const lost = new AbortController()
    const client = new TimeoutClient({
      connectionString: url,
      keepAliveInitialDelayMillis: 5_000,
      application_name: name,
      ...accessTimeouts,
    })
    client.on('error', () => lost.abort())
    client.on('end', () => lost.abort())
    try {
      await client.connect()
      const settings = Object.entries(keepalives).map(([setting, value]) => `set tcp_keepalives_${setting} = ${value}`)
      await client.query(settings.join('; '))
      const over = AbortSignal.any([this.#stop.signal, lost.signal])
      await work(
        {
          client,
          over,
          get isLost() {
            return lost.signal.aborted
          },
        },
        tried,
      )
    } finally {
      await client.end().catch(() => undefined)
    }
  }
}

/** Ends early, without an error, when the signal aborts. */
export const pause = (ms: number, signal: AbortSignal): Promise<void> =>
  sleep(ms, undefined, { signal }).catch(() => undefined)
