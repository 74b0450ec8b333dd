import type { Socket } from 'node:net'
import pg from 'pg'

type Ask = (...given: unknown[]) => unknown

/**
 * A connection that is given up when an answer stays out for longer than its `query_timeout`: what was sent may still be done,
 * so nobody may go on in its transaction. A database that stands still then costs a 503, not a request that hangs.
 */
export class ImpatientClient extends pg.Client {
  constructor(config?: string | pg.ClientConfig) {
    super(config)
    // whoever asked hears of it from the question; between questions nobody listens
    this.on('error', () => undefined)
    const ask = this.query.bind(this) as Ask
    const impatient: Ask = (...given) => {
      const answer = given.at(-1)
      if (typeof answer === 'function')
        given[given.length - 1] = (error: unknown, result: unknown) => {
          this.#giveUpAfter(error)
          answer(error, result)
        }
      const asked = ask(...given)
      if (asked instanceof Promise) asked.catch((error: unknown) => this.#giveUpAfter(error))
      return asked
    }
    this.query = impatient as typeof this.query
  }

  #giveUpAfter(error: unknown): void {
    if (isTimeout(error)) (this as unknown as { connection: { stream: Socket } }).connection.stream.destroy()
  }
}

export const isTimeout = (error: unknown) => error instanceof Error && error.message === 'Query read timeout'

/** A question that is worth an answer only within so many milliseconds, whatever the pool allows. */
export const within = (milliseconds: number, question: pg.QueryConfig): pg.QueryConfig => Object.assign(question, { query_timeout: milliseconds })

/** For the API's transactions: the database cancels first, so that it says why; where it says nothing, we leave. */
export const requestPatience = { statement_timeout: 10_000, query_timeout: 12_000, connectionTimeoutMillis: 5_000, keepAlive: true } as const
/** For the platform's work, of which some is long. */
export const platformPatience = { statement_timeout: 60_000, query_timeout: 65_000, connectionTimeoutMillis: 5_000, keepAlive: true } as const
/** Whoever stands at the door does not wait long. */
export const doorPatienceMs = 4_000
export const doorPatience = { query_timeout: doorPatienceMs, connectionTimeoutMillis: 4_000, keepAlive: true } as const
