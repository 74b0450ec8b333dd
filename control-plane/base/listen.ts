import type pg from 'pg'
import type { Logger } from 'pino'
import { TimeoutClient } from './db-timeouts.ts'

type Receive = (payload: string) => void

/**
 * Notices between processes by PostgreSQL's LISTEN. After a reconnect, listeners are called as they may have missed
 * notices.
 */
export class Listener {
  readonly #url: string
  readonly #log: Logger
  readonly #receivers = new Map<string, Set<Receive>>()
  readonly #missed = new Set<() => void>()
  readonly #sessions: ((client: pg.Client) => Promise<void>)[] = []
  #client: pg.Client | undefined
  #queue: Promise<unknown> = Promise.resolve()
  #isStopped = false

  constructor(url: string, log: Logger) {
    this.#url = url
    this.#log = log
  }

  get isConnected(): boolean {
    return this.#client !== undefined
  }

  async start(): Promise<void> {
    if (!this.#client) await this.#connect()
  }

  /** Receives the notices of one channel until the returned function is called. */
  on(channel: string, receive: Receive): () => void {
    const listeners = this.#receivers.get(channel) ?? new Set()
    this.#receivers.set(channel, listeners)
    listeners.add(receive)
    if (listeners.size === 1) this.#listen(channel)
    return () => {
      listeners.delete(receive)
    }
  }

  /** Calls the task after each reconnect, as earlier notices are lost, until the returned function is called. */
  onMissed(task: () => void): () => void {
    this.#missed.add(task)
    return () => this.#missed.delete(task)
  }

  /** Sets up this connection, for example with a lock: now, and again after every reconnect. */
  async session(task: (client: pg.Client) => Promise<void>): Promise<void> {
    this.#sessions.push(task)
    const done = this.#queue.then(() => this.#client && task(this.#client))
    this.#queue = done.catch(() => undefined)
    await done
  }

  /** Runs a statement on this connection, if it is connected. */
  async query(text: string, values: unknown[]): Promise<void> {
    const done = this.#queue.then(() => this.#client?.query(text, values))
    this.#queue = done.catch(() => undefined)
    await done
  }

  async stop(): Promise<void> {
    this.#isStopped = true
    await this.#client?.end().catch(() => undefined)
  }

  /** Statements run one after the other, as the connection requires. */
  #listen(channel: string): void {
    this.#queue = this.#queue.then(() => this.#client?.query(`listen "${channel}"`)).catch(() => undefined)
  }

  async #connect(): Promise<void> {
    const client = new TimeoutClient({
      connectionString: this.#url,
      keepAlive: true,
      keepAliveInitialDelayMillis: 10_000,
      application_name: 'vedette-listen',
    })
    client.on('notification', ({ channel, payload }) => {
      for (const receive of this.#receivers.get(channel) ?? []) receive(payload ?? '')
    })
    try {
      await client.connect()
      await this.#setUp(client)
    } catch (error) {
      await client.end().catch(() => undefined)
      throw error
    }
    if (this.#isStopped) await client.end()
  }

  /**
   * Listens to all channels and sets up all sessions. None can be added between the last one and the moment the
   * connection is set.
   */
  async #setUp(client: pg.Client): Promise<void> {
    const listened = new Set<string>()
    for (let done = 0; ; ) {
      const channel = [...this.#receivers.keys()].find(name => !listened.has(name))
      const task = this.#sessions[done]
      if (channel !== undefined) {
        listened.add(channel)
        await client.query(`listen "${channel}"`)
      } else if (task) {
        done++
        await task(client)
      } else break
    }
    // only a connection that was established is made again here: the caller repeats a failed attempt
    client.once('end', () => {
      if (this.#client === client) this.#client = undefined
      if (!this.#isStopped) this.#reconnect()
    })
    this.#client = client
  }

  #reconnect(): void {
    setTimeout(async () => {
      if (this.#isStopped) return
      try {
        await this.#connect()
        this.#log.info('database listener reconnected')
        for (const task of this.#missed) task()
      } catch {
        this.#reconnect()
      }
    }, 500).unref()
  }
}
