import type { Pool } from 'pg'
import type { Logger } from 'pino'
import { Loop } from './loop.ts'

/** The clock of the database: the current time of every process, whatever its own wall clock shows. */
export interface Clock {
  now(): Date
  nowMs(): number
}

export class DatabaseClock implements Clock {
  #offsetMs = Date.now() - performance.now()
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

  /** Reads the clock once, then every half minute. While the database is unavailable the last offset stays valid. */
  async start(pool: Pool): Promise<void> {
    await this.#ask(pool)
    const round = () => this.#ask(pool)
    this.#loop = new Loop({ everyMs: 30_000, round, log: this.#log, failure: 'clock read failure' })
    this.#loop.start({ atOnce: false })
  }

  async stop(): Promise<void> {
    await this.#loop?.stop()
  }

  async #ask(pool: Pool): Promise<void> {
    const before = performance.now()
    const { rows } = await pool.query<{ ms: string }>('select extract(epoch from clock_timestamp()) * 1000 as ms')
    const after = performance.now()
    this.#offsetMs = Number(rows[0]?.ms) - (before + after) / 2
  }
}
