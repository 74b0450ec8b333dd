import { hash } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import type { Pool } from 'pg'
import type { Logger } from 'pino'
import type { Clock } from '#control-plane/base/clock.ts'
import { Loop } from '#control-plane/base/loop.ts'
import type { ProcessRegistry } from '#control-plane/base/process-registry.ts'
import { prepared, rows } from '#control-plane/db/queries.ts'
import { type Counted, type RateCounter, SlidingWindow } from './rate.ts'

export interface SharedRateOptions {
  platform: Pool
  processes: Pick<ProcessRegistry, 'join' | 'leave' | 'others' | 'share'>
  clock: Pick<Clock, 'nowMs'>
  log: Pick<Logger, 'info' | 'warn'>
  /** Shorter in tests. */
  windowMs?: number
}

/** A key that is counted together with other processes. */
interface KnownWindow {
  /** Grants taken ahead, good until `lentUntilMs`, counted by all until `lentSlot`. */
  left: number
  lentUntilMs: number
  lentSlot: number
  remaining: number
  /** Used since it was last asked for, and when that was. */
  spent: number
  askedAtMs: number
  refusedUntilMs: number
  freeAtMs: number
}

interface Waiter {
  settle(counted: Counted | Promise<Counted>): void
  fail(error: unknown): void
}

interface Asked {
  key: string
  limit: number
  waiters: Waiter[]
}

interface Granted {
  place: number
  granted: number
  good_until: number
  lent: number
  lent_until: number
  remaining: number
  free_at: number | null
}

/** The longest time from the database to the request that a grant is for; a slow machine gets more. */
const firstGoodMs = 500
const longestGoodMs = 4_000
const lendMs = 3_000
/** A refusal is valid for so long before the database is asked again: others may have returned grants. */
const believeMs = 5_000
const answerMs = 2_000
const pauseMs = 1_000
const tidyMs = 60_000
const joinMs = 5_000
const maxKeys = 50_000

/**
 * One count of each key's requests for all API processes. A process that is alone counts in its memory. Where there are
 * several, each takes grants from one table, those of a tick in one statement; callers well below their limit get some
 * in advance. A grant counts from the moment it is taken until a window after the last moment it can be used, so no
 * window has more than the limit. Refusals are remembered: an overload costs no statement. While PostgreSQL is
 * unavailable each process counts alone. No `Batch`: requests of one key are merged into one row, and one row answers
 * them.
 */
export class SharedRate implements RateCounter {
  readonly #options: SharedRateOptions
  readonly #windowMs: number
  readonly #own: SlidingWindow
  #known = new Map<string, KnownWindow>()
  #older = new Map<string, KnownWindow>()
  #asked = new Map<string, Asked>()
  #idle: { key: Buffer; slot: number; left: number }[] = []
  #asking: Promise<void> | undefined
  #goodMs = firstGoodMs
  #isAlone = true
  #aloneSinceMs = 0
  #sawOthersAtMs = 0
  #awaySinceMs = 0
  #pausedUntilMs = 0
  #checking: Promise<void> = Promise.resolve()
  #ready: Promise<void> = Promise.resolve()
  #loops: Loop[] = []

  constructor(options: SharedRateOptions) {
    this.#options = options
    this.#windowMs = options.windowMs ?? 60_000
    this.#own = new SlidingWindow(100_000, this.#windowMs)
  }

  get isAlone(): boolean {
    return this.#isAlone
  }

  /** Registers this process and waits until the others share their counts. */
  async join(): Promise<void> {
    const { processes, log, clock } = this.#options
    await processes.join(() => this.#check())
    for (const until = clock.nowMs() + joinMs; ; await sleep(25)) {
      await this.#check()
      if ((await processes.others()).every(peer => peer.shares)) break
      if (clock.nowMs() < until) continue
      log.warn('rate counts of another API process missing')
      break
    }
    if (this.#loops.length > 0) return
    this.#loops = [
      new Loop({ everyMs: 1_000, round: () => this.#returnGrants(), log, failure: 'rate grant return failure' }),
      new Loop({ everyMs: tidyMs, round: () => this.#tidy(), log, failure: 'rate count deletion failure' }),
    ].map(loop => loop.start({ atOnce: false }))
  }

  async leave(): Promise<void> {
    await Promise.all(this.#loops.map(loop => loop.stop()))
    this.#options.processes.leave()
    await this.#asking
    await this.#returnGrants(true)
  }

  count(key: string, limit: number, nowMs: number): Counted | Promise<Counted> {
    if (this.#isAlone) return this.#own.count(key, limit, nowMs)
    const known = this.#knownOf(key)
    if (known) {
      if (nowMs < known.refusedUntilMs) return refused(limit, known.freeAtMs, nowMs)
      if (known.left > 0 && nowMs < known.lentUntilMs) return this.#acceptLent(key, limit, known, nowMs)
    }
    if (nowMs < this.#pausedUntilMs) return this.#own.count(key, limit, nowMs)
    return new Promise((settle, fail) => this.#ask(key, limit, { settle, fail }))
  }

  #knownOf(key: string): KnownWindow | undefined {
    return this.#known.get(key) ?? this.#older.get(key)
  }

  #remember(key: string, known: KnownWindow): void {
    const before = this.#knownOf(key)
    if (before && before.left > 0) this.#idle.push({ key: hashOf(key), slot: before.lentSlot, left: before.left })
    if (this.#known.size >= maxKeys / 2) {
      this.#older = this.#known
      this.#known = new Map()
    }
    this.#known.set(key, known)
  }

  #acceptLent(key: string, limit: number, known: KnownWindow, nowMs: number): Counted {
    known.left--
    known.spent++
    return this.#accept(key, limit, known.remaining + known.left, nowMs)
  }

  /** Counts in memory too: that count decides once this process is alone, or PostgreSQL is unavailable. */
  #accept(key: string, limit: number, remaining: number, nowMs: number): Counted {
    this.#own.count(key, limit, nowMs)
    return { limit, remaining: Math.max(0, remaining), retryAfterS: 0, isRefused: false }
  }

  #ask(key: string, limit: number, waiter: Waiter): void {
    const asked = this.#asked.get(key)
    if (asked) asked.waiters.push(waiter)
    else this.#asked.set(key, { key, limit, waiters: [waiter] })
    this.#asking ??= this.#askAll()
  }

  /** One statement at a time: requests that arrive meanwhile are in the next one. */
  async #askAll(): Promise<void> {
    while (this.#asked.size > 0) {
      // after all other requests of this tick
      await new Promise(setImmediate)
      const batch = [...this.#asked.values()].filter(asked => this.#useLent(asked))
      this.#asked = new Map()
      try {
        await this.#ready
        await this.#take(batch)
      } catch (error) {
        this.#countAlone(batch, error)
      }
    }
    // in the same step as the last check, so that a request that comes a moment later is not left waiting
    this.#asking = undefined
  }

  /**
   * Requests that waited for the statement before may have been granted in advance by it: another statement for them
   * would leave those grants unused. Returns whether any request still waits.
   */
  #useLent({ key, limit, waiters }: Asked): boolean {
    const known = this.#knownOf(key)
    const nowMs = this.#options.clock.nowMs()
    while (known && known.left > 0 && nowMs < known.lentUntilMs && waiters.length > 0)
      waiters.shift()?.settle(this.#acceptLent(key, limit, known, nowMs))
    return waiters.length > 0
  }

  async #take(batch: Asked[]): Promise<void> {
    const { platform, clock } = this.#options
    if (this.#awaySinceMs > 0) await this.#recover()
    for (let attempt = 0; batch.length > 0 && attempt < 4; attempt++) {
      const asked = batch.map(({ key, limit, waiters }) => ({
        key,
        hash: hashOf(key),
        limit,
        wants: waiters.length,
        spare: this.#advanceFor(key, limit),
      }))
      const absent = asked.filter(({ key }) => attempt > 0 || !this.#knownOf(key))
      if (absent.length > 0)
        await rows(
          platform,
          addWindows(
            absent.map(({ hash }) => hash),
            Math.ceil(clock.nowMs()) + this.#windowMs,
          ),
        )
      const granted = await rows(
        platform,
        takeGrants(
          asked.map(({ hash }) => hash),
          asked.map(({ limit }) => limit),
          asked.map(({ wants }) => wants),
          asked.map(({ spare }) => spare),
          this.#windowMs,
          this.#goodMs,
        ),
      )
      const nowMs = clock.nowMs()
      const isLate = granted.filter(row => !this.#settle(batch[row.place - 1]!, row, nowMs)).length > 0
      this.#goodMs = isLate
        ? Math.min(longestGoodMs, this.#goodMs * 2)
        : Math.max(firstGoodMs, Math.floor(this.#goodMs * 0.9))
      // late, or their row was deleted meanwhile
      batch = batch.filter(({ waiters }) => waiters.length > 0)
    }
    for (const { key, limit, waiters } of batch)
      for (const waiter of waiters) waiter.settle(this.#own.count(key, limit, clock.nowMs()))
  }

  /** False when the grants arrived too late. */
  #settle(asked: Asked, row: Granted, nowMs: number): boolean {
    const { key, limit, waiters } = asked
    const goodUntilMs = Number(row.good_until)
    const freeAtMs = row.free_at === null ? 0 : Number(row.free_at)
    if (row.granted > 0 && nowMs > goodUntilMs) return false
    this.#remember(key, {
      left: row.lent,
      lentUntilMs: Number(row.lent_until) - this.#windowMs,
      lentSlot: Number(row.lent_until),
      remaining: row.remaining,
      spent: row.granted,
      askedAtMs: nowMs,
      refusedUntilMs: row.granted < waiters.length ? Math.min(freeAtMs, nowMs + believeMs) : 0,
      freeAtMs,
    })
    waiters.forEach((waiter, index) => {
      if (index < row.granted)
        waiter.settle(this.#accept(key, limit, row.remaining + row.lent + row.granted - index - 1, nowMs))
      else waiter.settle(refused(limit, freeAtMs, nowMs))
    })
    asked.waiters = []
    return true
  }

  /** Grants in advance for a key that is used often and is far from its limit. */
  #advanceFor(key: string, limit: number): number {
    const known = this.#knownOf(key)
    if (!known || this.#options.clock.nowMs() - known.askedAtMs > lendMs) return 0
    return Math.min(Math.floor(limit / 20), 2 * known.spent + 1)
  }

  #countAlone(batch: Asked[], error: unknown): void {
    const nowMs = this.#options.clock.nowMs()
    if (this.#awaySinceMs === 0) {
      this.#awaySinceMs = nowMs - 1
      this.#options.log.warn({ err: error }, 'shared rate count failure')
    }
    this.#pausedUntilMs = nowMs + pauseMs
    for (const { key, limit, waiters } of batch)
      for (const waiter of waiters) waiter.settle(this.#own.count(key, limit, nowMs))
  }

  async #recover(): Promise<void> {
    await this.#publish(this.#awaySinceMs)
    this.#awaySinceMs = 0
    this.#options.log.info('shared rate count recovery')
  }

  /** Stores the grants of this process where all others count them. */
  async #publish(sinceMs: number): Promise<void> {
    const grants: { key: Buffer; until: number }[] = []
    const put = async () => {
      await rows(
        this.#options.platform,
        putGrants(
          grants.map(({ key }) => key),
          grants.map(({ until }) => until),
        ),
      )
      grants.length = 0
    }
    for (const [key, times] of this.#own.grants(Math.max(sinceMs, this.#options.clock.nowMs() - this.#windowMs))) {
      const digest = hashOf(key)
      for (const time of times) grants.push({ key: digest, until: Math.ceil(time) + this.#windowMs })
      if (grants.length > 5_000) await put()
    }
    if (grants.length > 0) await put()
  }

  /** One check at a time. */
  #check(): Promise<void> {
    this.#checking = this.#checking
      .then(() => this.#checkOnce())
      .catch(error => this.#options.log.warn({ err: error }, 'API process registry read failure'))
    return this.#checking
  }

  async #checkOnce(): Promise<void> {
    const { processes, clock, log } = this.#options
    const others = await processes.others()
    if (others.length > 0) {
      this.#sawOthersAtMs = clock.nowMs()
      if (this.#isAlone) await this.#share()
      return
    }
    // until the grants of the others have left the window
    if (this.#isAlone || clock.nowMs() - this.#sawOthersAtMs < this.#windowMs + longestGoodMs) return
    await processes.share(false)
    // a process that has joined since waits for this one to share
    if ((await processes.others()).length > 0) return this.#share()
    await this.#asking
    this.#aloneSinceMs = clock.nowMs() - 1
    this.#isAlone = true
    log.info('rate counts in memory: no other API process')
  }

  async #share(): Promise<void> {
    const { processes, log } = this.#options
    if (this.#isAlone) {
      this.#isAlone = false
      this.#ready = this.#publish(this.#aloneSinceMs)
      await this.#ready.catch(error => {
        this.#isAlone = true
        this.#ready = Promise.resolve()
        throw error
      })
      log.info('rate counts shared with other API processes')
    }
    await processes.share(true)
  }

  /** Returns unused grants. */
  async #returnGrants(isLeaving = false): Promise<void> {
    if (this.#isAlone) return
    const nowMs = this.#options.clock.nowMs()
    const back = this.#idle
    this.#idle = []
    for (const [key, known] of [...this.#known, ...this.#older]) {
      if (known.left === 0 || (!isLeaving && known.lentUntilMs > nowMs)) continue
      back.push({ key: hashOf(key), slot: known.lentSlot, left: known.left })
      known.left = 0
    }
    if (back.length === 0) return
    await rows(
      this.#options.platform,
      returnGrants(
        back.map(({ key }) => key),
        back.map(({ slot }) => slot),
        back.map(({ left }) => left),
      ),
    ).catch(() => undefined) // they expire by themselves
  }

  async #tidy(): Promise<void> {
    const nowMs = this.#options.clock.nowMs()
    this.#older = this.#known
    this.#known = new Map()
    if (this.#isAlone) return
    await rows(
      this.#options.platform,
      sql`delete from rate_windows where key in (select key from rate_windows
        where ends_at < ${nowMs} limit 10000 for update skip locked)`,
    )
  }
}

/** Keys contain addresses, which must not be stored. */
const hashOf = (key: string) => Buffer.from(hash('sha256', key, 'hex').slice(0, 32), 'hex')

const refused = (limit: number, freeAtMs: number, nowMs: number): Counted => ({
  limit,
  remaining: 0,
  retryAfterS: Math.max(1, Math.ceil((freeAtMs - nowMs) / 1_000)),
  isRefused: true,
})

/** Rows for keys that have none yet: apart from `takeGrants`, which sees and locks only what was there before it. */
const addWindows = prepared(
  'add-windows',
  (keys: readonly Buffer[], endsAt: number) => sql`
    insert into rate_windows (key, ends_at) select k, ${endsAt}::bigint from unnest(${keys}::bytea[]) as k order by k
    on conflict (key) do nothing`,
)

/** Rows are locked in the order of their keys, so that no two processes wait for each other. */
const takeGrants = prepared(
  'take-grants',
  (
    keys: readonly Buffer[],
    limits: readonly number[],
    wants: readonly number[],
    spares: readonly number[],
    windowMs: number,
    goodMs: number,
  ) => sql<Granted>`
    with asked as (
      select a.*, ${windowMs}::int as span, ${goodMs}::int as good
      from unnest(${keys}::bytea[], ${limits}::int[], ${wants}::int[], ${spares}::int[])
        with ordinality as a(key, max, wants, spare, place)
    ), locked as materialized (
      select w.key, w.slots, w.counts from rate_windows w
      where w.key in (select key from asked) order by w.key for update
    ), timed as materialized (
      select locked.*, floor(extract(epoch from clock_timestamp()) * 1000)::bigint as now from locked
    ), used as (
      select a.*, t.now, l.slots, l.counts, l.used, least(a.wants, greatest(0, a.max - l.used)) as granted
      from asked a join timed t using (key) cross join lateral (
        select coalesce(array_agg(s.slot order by s.slot), '{}') as slots,
          coalesce(array_agg(s.n order by s.slot), '{}') as counts, coalesce(sum(s.n), 0)::int as used
        from (select u.slot, sum(u.n)::int as n from unnest(t.slots, t.counts) as u(slot, n)
          where u.slot > t.now group by u.slot having sum(u.n) > 0) s
      ) l
    ), taken as (
      select u.*, (ceil((now + good + span) / 100.0) * 100)::bigint as slot,
        (ceil((now + ${sql.lit(lendMs)} + span) / 100.0) * 100)::bigint as lent_until,
        case when granted = wants and used + granted + spare <= max / 2 then spare else 0 end as lent
      from used u
    ), stored as (
      update rate_windows w set slots = t.slots || array[t.slot, t.lent_until],
        counts = t.counts || array[t.granted, t.lent],
        ends_at = greatest(w.ends_at, t.slot, t.lent_until)
      from taken t where w.key = t.key and t.granted > 0
    )
    select place::int, granted, slot - span as good_until, lent, lent_until,
      greatest(0, max - used - granted - lent) as remaining,
      case when granted < wants then (
        select min(c.slot) from (
          select n.slot, sum(n.n) over (order by n.slot) as freed
          from unnest(t.slots || t.slot, t.counts || t.granted) as n(slot, n)
        ) c where used + granted - c.freed < max
      ) end as free_at
    from taken t`,
  { timeoutMs: answerMs },
)

const putGrants = prepared(
  'put-grants',
  (keys: readonly Buffer[], until: readonly number[]) => sql`
    insert into rate_windows as w (key, slots, counts, ends_at)
    select u.key, array_agg(u.until), array_agg(1), max(u.until)
    from unnest(${keys}::bytea[], ${until}::bigint[]) as u(key, until) group by u.key order by u.key
    on conflict (key) do update set slots = w.slots || excluded.slots, counts = w.counts || excluded.counts,
      ends_at = greatest(w.ends_at, excluded.ends_at)`,
)

const returnGrants = prepared(
  'return-grants',
  (keys: readonly Buffer[], slots: readonly number[], left: readonly number[]) => sql`
    with back as (
      select u.key, array_agg(u.slot) as slots, array_agg(-u.n) as counts
      from unnest(${keys}::bytea[], ${slots}::bigint[], ${left}::int[]) as u(key, slot, n) group by u.key
    ), locked as materialized (
      select w.key from rate_windows w where w.key in (select key from back) order by w.key for update
    )
    update rate_windows w set slots = w.slots || b.slots, counts = w.counts || b.counts
    from locked join back b using (key) where w.key = locked.key and w.slots @> b.slots`,
)
