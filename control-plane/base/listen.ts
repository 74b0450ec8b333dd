import type pg from 'pg'
import type { Logger } from 'pino'
import { TimeoutClient } from './patience.ts'

type Heard = (payload: string) => void

/** Notices between processes over PostgreSQL's LISTEN. A lost connection is made again, and listeners are told that they may have missed something. */
export class Listener {
  readonly #url: string
  readonly #log: Logger
  readonly #heard = new Map<string, Set<Heard>>()
  readonly #missed = new Set<() => void>()
  readonly #sessions: ((client: pg.Client) => Promise<void>)[] = []
  #client: pg.Client | undefined
  #asked: Promise<unknown> = Promise.resolve()
  #stopped = false

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

  /** Hears one channel until the returned function is called. */
  on(channel: string, heard: Heard): () => void {
    const listeners = this.#heard.get(channel) ?? new Set()
    this.#heard.set(channel, listeners)
    listeners.add(heard)
    if (listeners.size === 1) this.#listen(channel)
    return () => {
      listeners.delete(heard)
    }
  }

  /** Called after a reconnect: what was said meanwhile is lost. Gives back what ends it. */
  onMissed(task: () => void): () => void {
    this.#missed.add(task)
    return () => this.#missed.delete(task)
  }

  /** What this connection must hold, such as a lock: done now, and again after every reconnect. */
  async session(task: (client: pg.Client) => Promise<void>): Promise<void> {
    this.#sessions.push(task)
    const asked = this.#asked.then(() => this.#client && task(this.#client))
    this.#asked = asked.catch(() => undefined)
    await asked
  }

  /** A statement for this very connection. One that is away has nothing to be told. */
  async query(text: string, values: unknown[]): Promise<void> {
    const asked = this.#asked.then(() => this.#client?.query(text, values))
    this.#asked = asked.catch(() => undefined)
    await asked
  }

  async stop(): Promise<void> {
    this.#stopped = true
    await this.#client?.end().catch(() => undefined)
  }

  /** One after the other, as a connection wants to be asked. */
  #listen(channel: string): void {
    this.#asked = this.#asked.then(() => this.#client?.query(`listen "${channel}"`)).catch(() => undefined)
  }

  async #connect(): Promise<void> {
    const client = new TimeoutClient({
      connectionString: this.#url,
      keepAlive: true,
      keepAliveInitialDelayMillis: 10_000,
      application_name: 'vedette-listen',
    })
    client.on('notification', ({ channel, payload }) => {
      for (const heard of this.#heard.get(channel) ?? []) heard(payload ?? '')
    })
    try {
      await client.connect()
      await this.#takeUp(client)
    } catch (error) {
      await client.end().catch(() => undefined)
      throw error
    }
    if (this.#stopped) await client.end()
  }

  /** Listens and holds what there is to be. Nobody can ask for more between the last of it and the moment the connection is ours. */
  async #takeUp(client: pg.Client): Promise<void> {
    const listened = new Set<string>()
    for (let held = 0; ; ) {
      const channel = [...this.#heard.keys()].find(name => !listened.has(name))
      const task = this.#sessions[held]
      if (channel !== undefined) {
        listened.add(channel)
        await client.query(`listen "${channel}"`)
      } else if (task) {
        held++
        await task(client)
      } else break
    }
    // only a connection that stood is made again from here: a failed attempt is its caller's to repeat
    client.once('end', () => {
      if (this.#client === client) this.#client = undefined
      if (!this.#stopped) this.#again()
    })
    this.#client = client
  }

  #again(): void {
    setTimeout(async () => {
      if (this.#stopped) return
      try {
        await this.#connect()
        this.#log.info('listening to the database again')
        for (const task of this.#missed) task()
      } catch {
        this.#again()
      }
    }, 500).unref()
  }
}
