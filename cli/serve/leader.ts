import { setTimeout as sleep } from 'node:timers/promises'
import type { Logger } from 'pino'
import { accessPatience, TimeoutClient } from '#control-plane/base/patience.ts'

const askMs = 500
const longestMs = 3_000

/** What has been started. `isLost`: the lock is lost, and another process may decide already. */
export interface Lead {
  stop(isLost: boolean): Promise<void>
}

interface Options {
  url: string
  log: Logger
  /** Starts to lead; the returned `stop` ends it. */
  lead(): Promise<Lead>
}

/**
 * Elects one leading process by a lock that PostgreSQL frees when the holder's connection ends. The others stand by and
 * try twice a second. A leader that loses its connection steps down and tries again.
 */
export class Leader {
  readonly #options: Options
  readonly #stop = new AbortController()
  #running: Promise<void> = Promise.resolve()
  #isLeading = false
  #why = 'has not asked yet'

  constructor(options: Options) {
    this.#options = options
  }

  get isLeading(): boolean {
    return this.#isLeading
  }

  /** Why this process does not lead, or null. */
  get whyNot(): string | null {
    return this.#isLeading ? null : this.#why
  }

  /** Resolves after the first attempt: the process leads, waits for the lock, or retries. */
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
    for (let waitMs = askMs; !signal.aborted; ) {
      try {
        await this.#term(tried)
        waitMs = askMs
      } catch (error) {
        this.#why = 'could not start'
        if (!signal.aborted) this.#options.log.warn({ err: error }, 'ingest start failure, retrying')
        waitMs = Math.min(longestMs, 1.5 * waitMs)
      }
      tried()
      await sleep(waitMs, undefined, { signal }).catch(() => undefined)
    }
  }

  async #term(tried: () => void): Promise<void> {
    const { url, log, lead } = this.#options
    const { signal } = this.#stop
    const lost = new AbortController()
    const client = new TimeoutClient({
      connectionString: url,
      keepAliveInitialDelayMillis: 5_000,
      application_name: 'vedette-lead',
      ...accessPatience,
    })
    client.on('error', () => lost.abort())
    client.on('end', () => lost.abort())
    try {
      await client.connect()
      // without keepalives a vanished machine would keep the lock for two hours
      await client.query('set tcp_keepalives_idle = 5; set tcp_keepalives_interval = 2; set tcp_keepalives_count = 3')
      while (!signal.aborted && !lost.signal.aborted) {
        const { rows } = await client.query<{ is_ours: boolean }>(
          `select pg_try_advisory_lock(hashtext('vedette-ingest')) as is_ours`,
        )
        if (rows[0]?.is_ours) break
        this.#why = 'stands by: another process leads'
        tried()
        await sleep(askMs, undefined, { signal: AbortSignal.any([signal, lost.signal]) }).catch(() => undefined)
      }
      if (signal.aborted || lost.signal.aborted) return
      this.#why = 'is starting'
      const term = await lead()
      try {
        this.#isLeading = true
        log.info('ingest leader elected')
        tried()
        await until(AbortSignal.any([signal, lost.signal]))
        if (lost.signal.aborted) log.warn('ingest leader lock lost')
      } finally {
        this.#isLeading = false
        this.#why = 'is stopping'
        await term.stop(lost.signal.aborted)
      }
    } finally {
      await client.end().catch(() => undefined)
    }
  }
}

const until = (signal: AbortSignal) =>
  new Promise<void>(resolve => {
    if (signal.aborted) resolve()
    signal.addEventListener('abort', () => resolve(), { once: true })
  })
