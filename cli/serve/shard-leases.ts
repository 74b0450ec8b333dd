import { randomInt } from 'node:crypto'
import { once } from 'node:events'
import type { Logger } from 'pino'
import type { TimeoutClient } from '#control-plane/base/patience.ts'
import { everyShard, OwnedShards } from '#control-plane/base/shards.ts'
import { type Lead, type LockConnection, LockLoop, pause } from './lock-loop.ts'

/** First keys of the locks: of a process that takes part, and of a shard. */
const [memberLock, shardLock] = [764_001, 764_002]
const notice = 'ingest_members'
/** How often the members are counted: one that was killed gives no notice. */
const countMs = 1_000
/** Processes that start or stop together are counted once. */
const settleMs = 250
/** How long a shard whose owner does not give it back is waited for, before the others are decided on without it. */
const waitMs = 3_000
const askMs = 100

interface Options {
  url: string
  log: Logger
  /** Starts to decide on these shards; the returned `stop` ends it, before the shards are given back. */
  lead(shards: OwnedShards): Promise<Lead>
}

/**
 * Shares the shards among the processes that take part. Each has its own connection with a lock for itself and one for
 * each shard it owns, which PostgreSQL frees when the connection ends. A shard belongs to the process whose place among
 * the members is its number modulo their count, so all of them come to the same division by themselves.
 *
 * | Another process | What follows |
 * |---|---|
 * | starts | each stops, gives back what is no longer its own, and goes on with the rest |
 * | stops | its shards are free at once; the others are notified |
 * | is killed | PostgreSQL ends its connection; the others find out within a second |
 * | vanishes with its machine | keepalives end its connection within 7 s |
 */
export class ShardLeases {
  readonly #options: Options
  readonly #loop: LockLoop
  /** What is decided on at present, or null. */
  #term: { shards: OwnedShards; lead: Lead } | null = null

  constructor(options: Options) {
    this.#options = options
    this.#loop = new LockLoop({
      ...options,
      name: 'vedette-shards',
      keepalives: { idle: 3, interval: 2, count: 2 },
      work: (connection, tried) => this.#takePart(connection, tried),
    })
  }

  /** Why this process decides on nothing, or null. */
  get whyNot(): string | null {
    return this.#term ? null : this.#loop.why
  }

  /** Resolves after the first attempt: the process decides on its shards, stands by, or retries. */
  start(): Promise<void> {
    return this.#loop.start()
  }

  stop(): Promise<void> {
    return this.#loop.stop()
  }

  async #takePart(connection: LockConnection, tried: () => void): Promise<void> {
    const { client, over } = connection
    const locks = new Locks(client)
    try {
      while (!over.aborted && !(await locks.join())) {
        this.#loop.why = 'stands by: a process without INGEST_URL decides alone'
        tried()
        await pause(countMs, over)
      }
      while (!over.aborted) {
        const isWhole = await this.#divide(locks, over, tried)
        await locks.change(over, isWhole)
      }
      if (connection.isLost) this.#options.log.warn('ingest shard locks lost')
    } finally {
      await this.#end(connection.isLost)
      await locks.leave().catch(() => undefined)
    }
  }

  /**
   * Comes to own exactly what the present members leave to this process. False: a shard is still owned by another.
   */
  async #divide(locks: Locks, over: AbortSignal, tried: () => void): Promise<boolean> {
    const wanted = await locks.wanted()
    const surplus = [...locks.locked].filter(shard => !wanted.has(shard))
    if (surplus.length > 0) {
      await this.#end(false)
      await locks.unlock(surplus)
    }
    const missing = () => [...wanted].filter(shard => !locks.locked.has(shard))
    for (const end = performance.now() + waitMs; missing().length > 0 && !over.aborted; ) {
      await locks.lock(missing())
      if (missing().length === 0 || locks.isChanged || performance.now() > end) break
      await pause(askMs, over)
    }
    // another division is due already
    if (locks.isChanged || over.aborted) return false
    await this.#begin(locks.locked, over)
    tried()
    return missing().length === 0
  }

  async #begin(locked: ReadonlySet<number>, over: AbortSignal): Promise<void> {
    if (this.#term && isSame(this.#term.shards.numbers, locked)) return
    await this.#end(false)
    this.#loop.why = locked.size === 0 ? 'stands by: there are more processes than shards' : 'is starting'
    if (locked.size === 0 || over.aborted) return
    const shards = new OwnedShards([...locked])
    const lead = await this.#options.lead(shards)
    this.#term = { shards, lead }
    this.#options.log.info({ shards: shards.numbers.length }, 'ingest shards owned')
  }

  async #end(isLost: boolean): Promise<void> {
    const term = this.#term
    if (!term) return
    this.#term = null
    this.#loop.why = 'is taking shards'
    await term.lead.stop(isLost)
  }
}

const isSame = (numbers: readonly number[], locked: ReadonlySet<number>) =>
  numbers.length === locked.size && numbers.every(shard => locked.has(shard))

/** The locks of one connection. */
class Locks {
  readonly locked = new Set<number>()
  readonly #client: TimeoutClient
  readonly #member = randomInt(1, 2 ** 31 - 1)
  #members = ''
  /** Whether the members have changed since `wanted`. */
  isChanged = false

  constructor(client: TimeoutClient) {
    this.#client = client
    client.on('notification', () => {
      this.isChanged = true
      client.emit('members')
    })
  }

  /** False while a process without an address decides alone: it holds this lock for itself. */
  async join(): Promise<boolean> {
    const { rows } = await this.#client.query<{ is_free: boolean }>(
      `select pg_try_advisory_lock_shared(hashtext('vedette-ingest')) as is_free`,
    )
    if (!rows[0]?.is_free) return false
    await this.#client.query(`listen ${notice}`)
    await this.#client.query('select pg_advisory_lock($1, $2)', [memberLock, this.#member])
    await this.#client.query(`notify ${notice}`)
    return true
  }

  /** The shards that are this process's own among the members of now. */
  async wanted(): Promise<Set<number>> {
    this.isChanged = false
    const members = await this.#list()
    this.#members = members.join()
    const place = members.indexOf(this.#member)
    return new Set(everyShard.filter(shard => shard % members.length === place))
  }

  async lock(shards: readonly number[]): Promise<void> {
    const { rows } = await this.#client.query<{ shard: number; is_ours: boolean }>(
      'select shard, pg_try_advisory_lock($1, shard) as is_ours from unnest($2::int[]) as shard',
      [shardLock, shards],
    )
    for (const { shard, is_ours } of rows) if (is_ours) this.locked.add(shard)
  }

  async unlock(shards: readonly number[]): Promise<void> {
    await this.#client.query('select pg_advisory_unlock($1, shard) from unnest($2::int[]) as shard', [
      shardLock,
      shards,
    ])
    for (const shard of shards) this.locked.delete(shard)
  }

  /** Resolves when the members have changed, or soon if shards are missing. */
  async change(over: AbortSignal, isWhole: boolean): Promise<void> {
    while (!this.isChanged && !over.aborted) {
      const patience = AbortSignal.any([over, AbortSignal.timeout(countMs)])
      await once(this.#client, 'members', { signal: patience }).catch(() => undefined)
      if (!isWhole) break
      if (!over.aborted && (await this.#list()).join() !== this.#members) this.isChanged = true
    }
    await pause(settleMs, over)
  }

  async leave(): Promise<void> {
    this.locked.clear()
    await this.#client.query(`select pg_advisory_unlock_all(); notify ${notice}`)
  }

  async #list(): Promise<number[]> {
    const { rows } = await this.#client.query<{ member: number }>({
      name: 'ingest-members',
      text: `select objid::int8::int as member from pg_locks
        where locktype = 'advisory' and classid = $1 and granted
          and database = (select oid from pg_database where datname = current_database())
        order by 1`,
      values: [memberLock],
    })
    return rows.map(({ member }) => member)
  }
}
