import { randomInt } from 'node:crypto'
import type { Pool } from 'pg'
import type { Listener } from './listen.ts'

/**
 * A group of processes. Each holds advisory locks under a number of its own, which PostgreSQL releases when the process
 * ends.
 */
interface Group {
  channel: string
  present: number
  sharing: number
  pollMs: number
}
export const apis: Group = { channel: 'api_peers', present: 0x7ede77, sharing: 0x7ede78, pollMs: 5_000 }
export const deliverers: Group = { channel: 'deliverer_peers', present: 0x7ede79, sharing: 0x7ede7a, pollMs: 1_000 }

const others = `
  select objid::int8::text as id, bool_or(classid = $3) as shares from pg_locks
  where locktype = 'advisory' and classid in ($2, $3) and objsubid = 2 and granted
    and database = (select oid from pg_database where datname = current_database()) and objid <> $1
  group by objid having bool_or(classid = $2)`

export interface RegisteredProcess {
  id: string
  /** Whether it shares its counts. */
  shares: boolean
}

/** The other processes of a group, as PostgreSQL knows them. */
export class ProcessRegistry {
  readonly #id = randomInt(1, 0x7fffffff)
  readonly #platform: Pool
  readonly #listener: Pick<Listener, 'on' | 'session' | 'query'>
  readonly #group: Group
  #hasJoined = false
  #isSharing = false
  #timer: NodeJS.Timeout | undefined
  #stopListening: () => void = () => undefined

  constructor(platform: Pool, listener: Pick<Listener, 'on' | 'session' | 'query'>, group = apis) {
    this.#platform = platform
    this.#listener = listener
    this.#group = group
  }

  /** Makes this process visible to others. `onChange` is called when processes may have come or gone. */
  async join(onChange: () => void): Promise<void> {
    if (this.#hasJoined) return
    this.#hasJoined = true
    const { channel, present, sharing, pollMs } = this.#group
    this.#stopListening = this.#listener.on(channel, onChange)
    await this.#listener.session(async client => {
      await client.query(`select pg_advisory_lock(${present}, $1)`, [this.#id])
      if (this.#isSharing) await client.query(`select pg_advisory_lock(${sharing}, $1)`, [this.#id])
    })
    await this.#platform.query(`select pg_notify('${channel}', '')`)
    this.#timer = setInterval(onChange, pollMs)
    this.#timer.unref()
  }

  leave(): void {
    clearInterval(this.#timer)
    this.#stopListening()
  }

  async others(): Promise<RegisteredProcess[]> {
    const { present, sharing } = this.#group
    return (
      await this.#platform.query<RegisteredProcess>({
        name: 'peers',
        text: others,
        values: [this.#id, present, sharing],
      })
    ).rows
  }

  /** Publishes whether this process shares its counts. */
  async share(isSharing: boolean): Promise<void> {
    if (isSharing === this.#isSharing) return
    this.#isSharing = isSharing
    await this.#listener.query(`select pg_advisory_${isSharing ? 'lock' : 'unlock'}(${this.#group.sharing}, $1)`, [
      this.#id,
    ])
  }
}
