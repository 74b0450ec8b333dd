import type { Logger } from 'pino'
import { rows } from '#control-plane/db/queries.ts'
import { type Lead, type LockConnection, LockLoop, pause } from './lock-loop.ts'

const askMs = 500

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
  readonly #loop: LockLoop
  #isLeading = false

  constructor(options: Options) {
    this.#options = options
    this.#loop = new LockLoop({
      ...options,
      name: 'vedette-lead',
      keepalives: { idle: 5, interval: 2, count: 3 },
      work: (connection, tried) => this.#term(connection, tried),
    })
  }

  /** Why this process does not lead, or null. */
  get whyNot(): string | null {
    return this.#isLeading ? null : this.#loop.why
  }

  /** Resolves after the first attempt: the process leads, waits for the lock, or retries. */
  start(): Promise<void> {
    return this.#loop.start()
  }

  stop(): Promise<void> {
    return this.#loop.stop()
  }

  async #term(connection: LockConnection, tried: () => void): Promise<void> {
    const { log, lead } = this.#options
    const { client, over } = connection
    while (!over.aborted) {
      const [lock] = await rows(client)<{ is_ours: boolean }>`
        select pg_try_advisory_lock(hashtext('vedette-ingest')) as is_ours`
      if (lock?.is_ours) break
      this.#loop.why = 'stands by: another process leads'
      tried()
      await pause(askMs, over)
    }
    if (over.aborted) return
    this.#loop.why = 'is starting'
    const term = await lead()
    try {
      this.#isLeading = true
      log.info('ingest leader elected')
      tried()
      await until(over)
      if (connection.isLost) log.warn('ingest leader lock lost')
    } finally {
      this.#isLeading = false
      this.#loop.why = 'is stopping'
      await term.stop(connection.isLost)
    }
  }
}

const until = (signal: AbortSignal) =>
  new Promise<void>(resolve => {
    if (signal.aborted) resolve()
    signal.addEventListener('abort', () => resolve(), { once: true })
  })
