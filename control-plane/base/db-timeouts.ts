import type { EventEmitter } from 'node:events'
import type { Socket } from 'node:net'
import pg from 'pg'
import { markAway } from '#analytics/away.ts'

type Query = (...values: unknown[]) => unknown
type Callback = (error: unknown, result?: unknown) => void

interface CutOff {
  /**
   * Once it is aborted no query waits any longer. A function, as settings are copied on their way here and a signal
   * cannot be copied.
   */
  cutOff?: () => AbortSignal
  /**
   * A pooler in transaction mode (PgBouncer) is in between: another transaction may be on another connection of the
   * database, so that no statement is kept by its name.
   */
  isPooled?: boolean
}

const endMs = 1_000

/**
 * A connection that closes when an answer takes longer than its `query_timeout`. The statement may still be executed,
 * so its transaction must not go on. A frozen database then costs a 503, and no request hangs.
 */
export class TimeoutClient extends pg.Client {
  constructor(config?: string | (pg.ClientConfig & CutOff)) {
    super(config)
    const parts = this as unknown as { connectionParameters: { query_timeout: number | false } }
    const byDefault = parts.connectionParameters.query_timeout || 0
    // pg's own timeout keeps the data of each query alive until the next full garbage collection
    parts.connectionParameters.query_timeout = false
    // a failed query rejects; between queries no one handles the event
    this.on('error', () => undefined)
    // errors of the socket have codes that sockets to other hosts have too
    ;(this as unknown as { connection: EventEmitter }).connection.on('error', markAway)
    if (typeof config === 'object' && config.cutOff) this.#closeOn(config.cutOff())
    const end = this.end.bind(this) as Query
    const leave: Query = (...values) => {
      // a frozen database does not answer the end of the connection
      const timer = setTimeout(() => this.#close(), endMs)
      this.once('end', () => clearTimeout(timer))
      return end(...values)
    }
    this.end = leave as typeof this.end
    const isPooled = typeof config === 'object' && config.isPooled === true
    const ask = this.query.bind(this) as Query
    const close = () => this.#close()
    const query: Query = (question, values, callback) => {
      if (isSubmittable(question)) return ask(question, values, callback)
      const own = typeof question === 'object' ? (question as pg.QueryConfig & { query_timeout?: number }) : undefined
      const asked = own ? { ...own, query_timeout: 0, ...(isPooled && { name: undefined }) } : question
      const timeoutMs = own?.query_timeout || byDefault
      if (typeof values === 'function') return ask(asked, undefined, withTimeout(values as Callback, timeoutMs, close))
      if (callback) return ask(asked, values, withTimeout(callback as Callback, timeoutMs, close))
      return promised(settle => ask(asked, values, withTimeout(settle, timeoutMs, close)))
    }
    this.query = query as typeof this.query
  }

  #closeOn(cutOff: AbortSignal): void {
    const close = () => this.#close()
    cutOff.addEventListener('abort', close)
    this.once('end', () => cutOff.removeEventListener('abort', close))
    const connect = this.connect.bind(this) as Query
    const connectUnlessCut: Query = (...values) => {
      const query = connect(...values)
      if (cutOff.aborted) close()
      return query
    }
    this.connect = connectUnlessCut as typeof this.connect
  }

  #close(): void {
    ;(this as unknown as { connection: { stream: Socket } }).connection.stream.destroy()
  }
}

const isSubmittable = (question: unknown) => typeof question === 'object' && question !== null && 'submit' in question

/** Passes the answer on, or after a timeout an error, and closes the connection. */
function withTimeout(settle: Callback, timeoutMs: number, close: () => void): Callback {
  let isSettled = false
  const timer = timeoutMs > 0 ? setTimeout(giveUp, timeoutMs) : undefined
  function giveUp() {
    isSettled = true
    settle(new Error('Query read timeout'))
    close()
  }
  return (error, result) => {
    if (isSettled) return
    isSettled = true
    clearTimeout(timer)
    settle(error, result)
  }
}

const promised = (ask: (settle: Callback) => void): Promise<unknown> =>
  new Promise((settle, fail) => {
    ask((error, result) => (error ? fail(error) : settle(result)))
  }).catch(error => {
    // the stack trace of the caller, not of the socket
    Error.captureStackTrace(error)
    throw error
  })

/**
 * Releases connections that die in a transaction: Kysely keeps one when its `begin` or `rollback` fails. The pool would
 * lose each of them, until none is left and its end waits for ever.
 */
export function reclaimDeadConnections(pool: pg.Pool): void {
  const inUse = new Set<pg.PoolClient>()
  pool.on('acquire', client => inUse.add(client))
  pool.on('release', (_, client) => inUse.delete(client))
  pool.on('connect', client => {
    client.once('end', () => {
      if (!inUse.has(client)) return
      client.release(true)
      client.release = () => undefined
    })
  })
}

/**
 * How connections are opened: as they are, or through a pooler in transaction mode, which refuses settings of a whole
 * session. There the role's own `statement_timeout` holds, and the API's transactions set theirs.
 */
export function throughPooler<Settings extends { statement_timeout?: number; options?: string }>(
  settings: Settings,
  isPooled: boolean,
): Settings | (Omit<Settings, 'statement_timeout' | 'options'> & { isPooled: true }) {
  if (!isPooled) return settings
  const { statement_timeout: _, options: __, ...others } = settings
  return { ...others, isPooled }
}

/** For transactions of the API: the database cancels first and states why; a frozen one meets the second timeout. */
export const requestTimeouts = {
  statement_timeout: 10_000,
  query_timeout: 12_000,
  connectionTimeoutMillis: 5_000,
  keepAlive: true,
} as const
/** For work of the platform, of which some takes long. */
export const platformTimeouts = {
  statement_timeout: 60_000,
  query_timeout: 65_000,
  connectionTimeoutMillis: 5_000,
  keepAlive: true,
} as const
/** For access checks. */
export const accessTimeoutMs = 4_000
export const accessTimeouts = {
  query_timeout: accessTimeoutMs,
  connectionTimeoutMillis: 4_000,
  keepAlive: true,
} as const
