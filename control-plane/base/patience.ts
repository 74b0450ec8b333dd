import type { EventEmitter } from 'node:events'
import type { Socket } from 'node:net'
import pg from 'pg'
import { markAway } from '#analytics/away.ts'

type Ask = (...given: unknown[]) => unknown
type Told = (error: unknown, result?: unknown) => void

interface Cut {
  /** Once it is aborted nobody waits for the database any more. A function, as settings are copied on their way here and a signal cannot be. */
  cutOff?: () => AbortSignal
}

const farewellMs = 1_000

/**
 * A connection that is given up when an answer stays out for longer than its `query_timeout`: what was sent may still be done,
 * so nobody may go on in its transaction. A database that stands still then costs a 503, not a request that hangs.
 */
export class TimeoutClient extends pg.Client {
  constructor(config?: string | (pg.ClientConfig & Cut)) {
    super(config)
    const parts = this as unknown as { connectionParameters: { query_timeout: number | false } }
    const usual = parts.connectionParameters.query_timeout || 0
    // pg's own way to wait keeps all that a question brought alive until the next full collection, and old memory fills with it
    parts.connectionParameters.query_timeout = false
    // whoever asked hears of it from the question; between questions nobody listens
    this.on('error', () => undefined)
    // what the socket says is handed to whoever asked, with a code that another host's socket may have as well
    ;(this as unknown as { connection: EventEmitter }).connection.on('error', markAway)
    if (typeof config === 'object' && config.cutOff) this.#heed(config.cutOff())
    const end = this.end.bind(this) as Ask
    const leave: Ask = (...given) => {
      // a database that stands still says no goodbye
      const timer = setTimeout(() => this.#hangUp(), farewellMs)
      this.once('end', () => clearTimeout(timer))
      return end(...given)
    }
    this.end = leave as typeof this.end
    const ask = this.query.bind(this) as Ask
    const hangUp = () => this.#hangUp()
    const impatient: Ask = (question, values, told) => {
      if (isSubmittable(question)) return ask(question, values, told)
      const own = typeof question === 'object' ? (question as pg.QueryConfig & { query_timeout?: number }) : undefined
      const asked = own ? { ...own, query_timeout: 0 } : question
      const patienceMs = own?.query_timeout || usual
      if (typeof values === 'function') return ask(asked, undefined, hear(values as Told, patienceMs, hangUp))
      if (told) return ask(asked, values, hear(told as Told, patienceMs, hangUp))
      return promised(tell => ask(asked, values, hear(tell, patienceMs, hangUp)))
    }
    this.query = impatient as typeof this.query
  }

  #heed(cutOff: AbortSignal): void {
    const hangUp = () => this.#hangUp()
    cutOff.addEventListener('abort', hangUp)
    this.once('end', () => cutOff.removeEventListener('abort', hangUp))
    const connect = this.connect.bind(this) as Ask
    const tryOnce: Ask = (...given) => {
      const asked = connect(...given)
      if (cutOff.aborted) hangUp()
      return asked
    }
    this.connect = tryOnce as typeof this.connect
  }

  #hangUp(): void {
    ;(this as unknown as { connection: { stream: Socket } }).connection.stream.destroy()
  }
}

const isSubmittable = (question: unknown) => typeof question === 'object' && question !== null && 'submit' in question

/** Hands the answer on, or says that it stays out and hangs up. */
function hear(tell: Told, patienceMs: number, hangUp: () => void): Told {
  let isOver = false
  const timer = patienceMs > 0 ? setTimeout(giveUp, patienceMs) : undefined
  function giveUp() {
    isOver = true
    tell(new Error(tooLate))
    hangUp()
  }
  return (error, result) => {
    if (isOver) return
    isOver = true
    clearTimeout(timer)
    tell(error, result)
  }
}

const promised = (ask: (tell: Told) => void): Promise<unknown> =>
  new Promise((settle, fail) => {
    ask((error, result) => (error ? fail(error) : settle(result)))
  }).catch(error => {
    // leads back to whoever asked, not to the socket
    Error.captureStackTrace(error)
    throw error
  })

/**
 * A connection that dies in a transaction is given back by nobody: Kysely keeps it when its `begin` or `rollback` fails. Each would be
 * one less for good, until none is left and to end the pool waits for ever.
 */
export function reclaimDeadConnections(pool: pg.Pool): void {
  const held = new Set<pg.PoolClient>()
  pool.on('acquire', client => held.add(client))
  pool.on('release', (_, client) => held.delete(client))
  pool.on('connect', client => {
    client.once('end', () => {
      if (!held.has(client)) return
      client.release(true)
      client.release = () => undefined
    })
  })
}

const tooLate = 'Query read timeout'
export const isTimeout = (error: unknown) => error instanceof Error && error.message === tooLate

/** A question that is worth an answer only within so many milliseconds, whatever the pool allows. */
export const withQueryTimeout = (milliseconds: number, question: pg.QueryConfig): pg.QueryConfig =>
  Object.assign(question, { query_timeout: milliseconds })

/** For the API's transactions: the database cancels first, so that it says why; where it says nothing, we leave. */
export const requestPatience = {
  statement_timeout: 10_000,
  query_timeout: 12_000,
  connectionTimeoutMillis: 5_000,
  keepAlive: true,
} as const
/** For the platform's work, of which some is long. */
export const platformPatience = {
  statement_timeout: 60_000,
  query_timeout: 65_000,
  connectionTimeoutMillis: 5_000,
  keepAlive: true,
} as const
/** Whoever stands at the door does not wait long. */
export const accessPatienceMs = 4_000
export const accessPatience = {
  query_timeout: accessPatienceMs,
  connectionTimeoutMillis: 4_000,
  keepAlive: true,
} as const
