import type { Pool } from 'pg'
import type { Logger } from 'pino'
import { Loop } from './loop.ts'

/** The clock of the database: the current time of every process, whatever its own wall clock shows. */
export interface Clock {
  now(): Date
  nowMs(): number
}

/** A read that took no longer than twice this says the time well enough. */
const goodErrorMs = 25
const readsAtStart = 5
const defaultMs = 30_000
/** What the clocks of two machines may drift apart in a second. */
const driftMsPerS = 0.2

export class DatabaseClock implements Clock {
  #offsetMs = Date.now() - performance.now()
  /** What the offset may be wrong by: half the time that its read took. */
  #errorMs = Number.POSITIVE_INFINITY
  #readAt = 0
  readonly #log: Pick<Logger, 'warn'>
  #loop: Loop | undefined

  constructor(log: Pick<Logger, 'warn'>) {
    this.#log = log
  }

  nowMs(): number {
    return Math.round(performance.now() + this.#offsetMs)
  }

  now(): Date {
    return new Date(this.nowMs())
  }

  /**
   * Reads the clock until a read was quick, five times at most, then again and again. While the database is unavailable
   * the last offset stays valid.
   */
  async start(pool: Pick<Pool, 'query'>, { everyMs = defaultMs } = {}): Promise<void> {
    for (let reads = 0; reads < readsAtStart && this.#errorMs > goodErrorMs; reads++) await this.#ask(pool)
    const round = () => this.#ask(pool)
    this.#loop = new Loop({ everyMs, round, log: this.#log, failure: 'clock read failure' })
    this.#loop.start({ atOnce: false })
  }

  async stop(): Promise<void> {
    await this.#loop?.stop()
  }

  /**
   * A read that took long, as this process or the database was busy, says less than an earlier quick one: a token that
   * has ended would be taken for seconds more. It counts where the two contradict each other: then a clock was set.
   */
  async #ask(pool: Pick<Pool, 'query'>): Promise<void> {
    const before = performance.now()
    const { rows } = await pool.query<{ ms: string }>('select extract(epoch from clock_timestamp()) * 1000 as ms')
    const after = performance.now()
    const offsetMs = Number(rows[0]?.ms) - (before + after) / 2
    const errorMs = (after - before) / 2
    const knownErrorMs = this.#errorMs + ((after - this.#readAt) / 1_000) * driftMsPerS
    if (errorMs > knownErrorMs && Math.abs(offsetMs - this.#offsetMs) <= errorMs + knownErrorMs) return
    this.#offsetMs = offsetMs
    this.#errorMs = errorMs
    this.#readAt = after
  }
}
