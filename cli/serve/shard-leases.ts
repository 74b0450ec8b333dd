import { randomInt, randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { sql } from 'kysely'
import type { Logger } from 'pino'
import type { TimeoutClient } from '#control-plane/base/db-timeouts.ts'
import { everyShard, OwnedShards } from '#control-plane/base/shards.ts'
import { prepared, rows } from '#control-plane/db/queries.ts'
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
/** A process that no agent has reached for so long, while another one is reached, gives its shards up. */
const unreachedMs = 20_000
/** For how long at least: so long the first time, twice as long each further time, until it is reached again. */
const asideMs = { first: unreachedMs, most: 600_000 } as const
/** Where no other is reached for so long either, it takes part again. */
const othersUnreachedMs = 1.5 * unreachedMs
/** What another member says of itself counts for so long: less than `unreachedMs`, so that two never give up at once. */
const saidMs = unreachedMs / 2

/** What decides on shards. */
export interface ShardLead extends Lead {
  /** Milliseconds since an agent's last message; null: there was none. */
  readonly reachedMsAgo: number | null
  /** Why results of the shards are not judged, or null. */
  whyNotJudging(): string | null
}

interface Options {
  url: string
  log: Logger
  /** How agents reach this process. */
  address: string
  /** When an agent asked this process for something last, by `performance.now()`, also while it decides on nothing. */
  askedAt(): number | null
  /** Called every second: the seconds since an agent's last message. */
  onUnreached?(seconds: number): void
  /** Starts to decide on these shards; the returned `stop` ends it, before the shards are given back. */
  lead(shards: OwnedShards): Promise<ShardLead>
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
 * | is reached by no agent for 20 s, another is | it gives its shards up, until an agent asks it or none is reached |
 */
export class ShardLeases {
  readonly #options: Options
  readonly #loop: LockLoop
  /** What is decided on at present, or null. */
  #term: { shards: OwnedShards; lead: ShardLead; since: number } | null = null
  readonly #id = randomUUID()
  #whyAside: string | null = null
  /** How often in a row it gave its shards up. */
  #asides = 0

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
    // it is ready for the agents by which it finds out that it is reached again
    return this.#term || this.#whyAside !== null ? null : this.#loop.why
  }

  /** Why this process gave its shards up, or null. */
  get whyAside(): string | null {
    return this.#whyAside
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
      while (!over.aborted) {
        while (!over.aborted && !(await locks.join())) {
          this.#loop.why = 'stands by: a process without INGEST_URL decides alone'
          tried()
          await pause(countMs, over)
        }
        let isUnreached = false
        const watch = async () => {
          isUnreached = await this.#isUnreachedAlone(client)
          return isUnreached
        }
        while (!over.aborted && !isUnreached) {
          const isWhole = await this.#divide(locks, over, tried)
          await locks.change(over, isWhole, watch)
        }
        if (isUnreached && !over.aborted) await this.#standAside(client, locks, over)
      }
      if (connection.isLost) this.#options.log.warn('ingest shard locks lost')
    } finally {
      this.#whyAside = null
      await this.#end(connection.isLost)
      await rows(client)`delete from ingest_members where id = ${this.#id}`.catch(() => undefined)
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
    this.#term = { shards, lead, since: performance.now() }
    this.#options.log.info({ shards: shards.numbers.length }, 'ingest shards owned')
  }

  /** Whether no agent reaches this process, while another is reached. Says of itself what the others ask for. */
  async #isUnreachedAlone(client: TimeoutClient): Promise<boolean> {
    const term = this.#term
    if (!term) return false
    const reachedMsAgo = term.lead.reachedMsAgo
    if (reachedMsAgo !== null && reachedMsAgo < unreachedMs) this.#asides = 0
    const unreached = reachedMsAgo ?? performance.now() - term.since
    this.#options.onUnreached?.(unreached / 1_000)
    await this.#note(client, { shards: term.shards.numbers, reachedMsAgo, lacks: term.lead.whyNotJudging() })
    return unreached > unreachedMs && (await this.#isAnotherReached(client))
  }

  /** Gives the shards up, and waits until taking part is worth a try. */
  async #standAside(client: TimeoutClient, locks: Locks, over: AbortSignal): Promise<void> {
    const since = performance.now()
    const leastMs = Math.min(asideMs.most, asideMs.first * 2 ** this.#asides++)
    this.#whyAside = 'no agent reaches this process, and others are reached: its shards are theirs'
    this.#options.log.error(
      { alarm: 'agent', seconds: leastMs / 1_000 },
      'ingest shards given up: no agent reaches this process',
    )
    await this.#end(false)
    await locks.leave()
    let othersReachedAt = since
    for (let now = since; !over.aborted; now = performance.now()) {
      this.#options.onUnreached?.((now - since + unreachedMs) / 1_000)
      await this.#note(client, { shards: [], reachedMsAgo: null, lacks: null, standsAside: true })
      if (await this.#isAnotherReached(client)) othersReachedAt = now
      if (now - othersReachedAt > Math.max(othersUnreachedMs, leastMs)) break
      if (now - since >= leastMs && (this.#options.askedAt() ?? 0) > since) break
      await pause(countMs, over)
    }
    this.#whyAside = null
    if (!over.aborted) this.#options.log.info('ingest takes part again')
  }

  async #note(
    client: TimeoutClient,
    {
      shards,
      reachedMsAgo,
      lacks,
      standsAside = false,
    }: { shards: readonly number[]; reachedMsAgo: number | null; lacks: string | null; standsAside?: boolean },
  ): Promise<void> {
    await rows(client, noteMember(this.#id, this.#options.address, shards, reachedMsAgo, standsAside, lacks))
  }

  async #isAnotherReached(client: TimeoutClient): Promise<boolean> {
    const [found] = await rows(client, othersReached(this.#id))
    return found!.is_reached
  }

  async #end(isLost: boolean): Promise<void> {
    const term = this.#term
    if (!term) return
    this.#term = null
    this.#loop.why = 'is taking shards'
    await term.lead.stop(isLost)
  }
}

// those of processes that were killed are deleted by the others
const noteMember = prepared(
  'note-ingest-member',
  (
    id: string,
    address: string,
    shards: readonly number[],
    reachedMsAgo: number | null,
    standsAside: boolean,
    lacks: string | null,
  ) => sql`
  with killed as (
    delete from ingest_members where noted_at < clock_timestamp() - interval '1 hour'
  )
  insert into ingest_members (id, url, shards, reached_at, stands_aside, lacks, noted_at)
  values (${id}, ${address}, ${shards}, clock_timestamp() - ${reachedMsAgo}::float8 * interval '1 millisecond',
    ${standsAside}, ${lacks}, clock_timestamp())
  on conflict (id) do update set url = excluded.url, shards = excluded.shards, reached_at = excluded.reached_at,
    stands_aside = excluded.stands_aside, lacks = excluded.lacks, noted_at = excluded.noted_at`,
)

const othersReached = prepared(
  'reached-ingest-members',
  (id: string) => sql<{ is_reached: boolean }>`
    select exists (select 1 from ingest_members where id <> ${id} and not stands_aside
      and least(reached_at, noted_at) > clock_timestamp() - ${saidMs}::float8 * interval '1 millisecond'
      and reached_at is not null) as is_reached`,
)

const presentMembers = prepared(
  'ingest-members',
  () => sql<{ member: number }>`
    select objid::int8::int as member from pg_locks
    where locktype = 'advisory' and classid = ${memberLock} and granted
      and database = (select oid from pg_database where datname = current_database())
    order by 1`,
)

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
    const [lock] = await rows(this.#client)<{ is_free: boolean }>`
      select pg_try_advisory_lock_shared(hashtext('vedette-ingest')) as is_free`
    if (!lock?.is_free) return false
    await rows(this.#client)`listen ${sql.id(notice)}`
    await rows(this.#client)`select pg_advisory_lock(${memberLock}, ${this.#member})`
    await rows(this.#client)`notify ${sql.id(notice)}`
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
    const tried = await rows(this.#client)<{ shard: number; is_ours: boolean }>`
      select shard, pg_try_advisory_lock(${shardLock}, shard) as is_ours from unnest(${shards}::int[]) as shard`
    for (const { shard, is_ours } of tried) if (is_ours) this.locked.add(shard)
  }

  async unlock(shards: readonly number[]): Promise<void> {
    await rows(this.#client)`select pg_advisory_unlock(${shardLock}, shard) from unnest(${shards}::int[]) as shard`
    for (const shard of shards) this.locked.delete(shard)
  }

  /** Resolves when the members have changed or `isDue`, or soon if shards are missing. */
  async change(over: AbortSignal, isWhole: boolean, isDue: () => Promise<boolean>): Promise<void> {
    while (!this.isChanged && !over.aborted) {
      const deadline = AbortSignal.any([over, AbortSignal.timeout(countMs)])
      await once(this.#client, 'members', { signal: deadline }).catch(() => undefined)
      if (over.aborted || (await isDue()) || !isWhole) break
      if (!over.aborted && (await this.#list()).join() !== this.#members) this.isChanged = true
    }
    await pause(settleMs, over)
  }

  async leave(): Promise<void> {
    this.locked.clear()
    await rows(this.#client)`select pg_advisory_unlock_all(), pg_notify(${notice}, '')`
  }

  async #list(): Promise<number[]> {
    return (await rows(this.#client, presentMembers())).map(({ member }) => member)
  }
}
