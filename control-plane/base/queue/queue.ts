import type { Pool } from 'pg'
import type { Logger } from 'pino'
import { FairQueue, Shares } from '#contract/fair-queue.ts'
import { isTransient } from '#control-plane/base/away.ts'
import { Batch } from '#control-plane/base/batch.ts'
import type { Listener } from '#control-plane/base/listen.ts'
import { Loop } from '#control-plane/base/loop.ts'
import { putOffS, Quarantine } from '#control-plane/base/quarantine/quarantine.ts'
import { type Span, untraced, within } from '#control-plane/base/tracing.ts'
import type { Claimed, End, Ended } from './end.ts'
import { type Claim, putOff, type QueueTable, type Settle } from './table.ts'

/** Seconds to wait after the first, second and third attempt. The fourth is the last. */
export const retryAfterS = [10, 60, 300] as const
/** How long to wait while a store is unavailable; no attempt is counted. */
const awayS = 5
const defaultSweepMs = 2_000

export interface Pace {
  /** Rows that are handled side by side. */
  atOnce: number
  /** Rows of one key that this process has claimed. */
  ofKey: number
  /**
   * Rows that this process has claimed: more than are handled at once, where one claim is to serve many. Left out:
   * rows are claimed when a notice comes, as long as a slot is free.
   */
  claimed?: number
  /** Whether one key alone has at most half of the slots, so that a new key always finds one. */
  isShared?: boolean
}

/** Rows that are handled in an order of their own, such as those of one receiver. */
export interface Sequence<Item, Outcome> {
  readonly isEmpty: boolean
  /** false: the row is settled as skipped. */
  add(item: Item): boolean
  /** The next row that may be handled now. */
  take(): Item | undefined
  /** Ends the handling of a row. Returns rows that are settled as skipped. */
  release(item: Item, end: End<Outcome>): readonly Item[]
}

interface Options<Item extends Claimed, Outcome, Result> {
  platform: Pool
  listener: Pick<Listener, 'on' | 'onMissed'>
  log: Logger
  /** For log messages: `mail`. */
  name: string
  /** The notice of the database about new rows. */
  notice: string
  /** How often rows are claimed without a notice. */
  sweepMs?: number
  table: QueueTable
  pace: Pace
  claim: Claim<Item>
  /** Seconds until a row is attempted again; undefined: the attempt was the last. */
  retryAfter?(item: Item): number | undefined
  /** A row whose handler throws is attempted again soon if a store is unavailable, else quarantined for an hour. */
  handle(item: Item): Promise<End<Outcome>>
  /** Whether a row waited for so long that it is given up instead of being quarantined. */
  isLate?(item: Item): boolean
  /** undefined: a row is handled as soon as there is a slot. */
  sequenceOf?(item: Item): Sequence<Item, Outcome> | undefined
  /** How a row ends that its sequence skips. */
  skip?(item: Item): End<Outcome>
  settle: Settle<Item, Outcome, Result>
  /** Called once the end is written. `retry` and `dead` are as decided. */
  onSettled?(item: Item, end: End<Outcome>, result: Result): void
  /** Each row is handled in a span of its own. */
  beginSpan?(item: Item): Span | undefined
}

/**
 * Hands open rows of a table to a handler: each at least once, by one process at a time, tenants or hosts in turn.
 *
 * A claim moves `next_at` by the time that it lasts, and is written before the row is handled; the end of the attempt
 * is written afterwards, with others of the moment in one statement. A process that is killed in between loses nothing:
 * its claims expire, and what it was handling is handled again. A failed attempt is made again after 10, 60 and 300
 * seconds; then the row is dead: it stays, with the reason, as the record that the API lists.
 *
 * Of libraries, graphile-worker puts a failed job behind the later ones of its queue, so that the end of an incident
 * could be sent before its beginning, and pg-boss (`key_strict_fifo`) keeps the order, but blocks a key for as long as
 * a job of it that failed for good is kept. Both keep jobs in tables of their own, outside of row security and of the
 * records that the API lists, and neither shares the slots of one queue fairly among thousands of tenants.
 */
export class Queue<Item extends Claimed, Outcome, Result = undefined> {
  readonly #options: Options<Item, Outcome, Result>
  readonly #claimed = new Map<string, Item>()
  readonly #begun = new Set<string>()
  readonly #waiting = new FairQueue<Sequence<Item, Outcome>>()
  readonly #isWaiting = new Set<Sequence<Item, Outcome>>()
  readonly #slots: Shares
  readonly #underWay = new Set<Promise<void>>()
  readonly #settling: Batch<Ended<Item, Outcome>, Result>
  readonly #loop: Loop
  readonly #quarantine: Quarantine

  constructor(options: Options<Item, Outcome, Result>) {
    const { listener, log, name, notice, pace, settle, sweepMs = defaultSweepMs } = options
    this.#options = options
    this.#slots = new Shares(pace.atOnce)
    this.#quarantine = new Quarantine(options)
    this.#settling = new Batch(settle, { largest: 500, atOnce: 1, everyMs: 20 })
    this.#loop = new Loop({
      everyMs: sweepMs,
      round: () => this.#round(),
      log,
      failure: `${name} read failure`,
      wake: { listener, notice },
    })
  }

  start(): void {
    this.#loop.start()
  }

  wake(): void {
    this.#loop.wake()
  }

  /** Ids of the rows that this process has claimed. */
  get claimed(): string[] {
    return [...this.#claimed.keys()]
  }

  /** Waits for the rows that are being handled. Others are handled by the next process at once. */
  async stop(): Promise<void> {
    await this.#loop.stop()
    const left = this.claimed.filter(id => !this.#begun.has(id))
    if (left.length > 0) await putOff(this.#options.platform, this.#options.table, left, 0).catch(() => undefined)
    await Promise.all(this.#underWay)
  }

  /** Takes a row that this process has claimed. */
  take(item: Item): void {
    if (this.#loop.isStopped) return
    this.#add(item)
    // also starts rows other than the caller's
    untraced(() => this.#startHandling())
  }

  /**
   * Makes quarantined rows due again: of this queue, or of others of its table. They leave the quarantine once they are
   * handled.
   */
  async retry(ids: readonly string[], ...others: readonly Queue<Item, Outcome, Result>[]): Promise<void> {
    let closed = ids
    for (const queue of [this, ...others]) closed = await queue.#makeDue(closed)
    await this.#release(closed)
  }

  /** Returns the ids of rows that are not open in this queue. */
  async #makeDue(ids: readonly string[]): Promise<string[]> {
    const closed = await putOff(this.#options.platform, this.#options.table, ids, 0)
    this.#loop.wake()
    return closed
  }

  async #round(): Promise<void> {
    const { pace, claim } = this.#options
    for (let places = this.#places; places > 0 && !this.#loop.isStopped; places = this.#places) {
      const items = await claim(places, pace.ofKey, this.#busyKeys())
      if (items.length === 0) return
      for (const item of items) this.#add(item)
      this.#startHandling()
    }
  }

  /** How many more rows are to be claimed: one claim serves many, but no slot is left free. */
  get #places(): number {
    const { free } = this.#slots
    const { claimed } = this.#options.pace
    if (claimed === undefined) return free
    return free > 0 || this.#claimed.size <= claimed / 2 ? claimed - this.#claimed.size : 0
  }

  #busyKeys(): string[] {
    const counts = new Map<string, number>()
    for (const { key } of this.#claimed.values()) counts.set(key, (counts.get(key) ?? 0) + 1)
    return [...counts].filter(([, count]) => count >= this.#options.pace.ofKey / 2).map(([key]) => key)
  }

  #add(item: Item): void {
    this.#claimed.set(item.id, item)
    const sequence = this.#options.sequenceOf?.(item) ?? sequenceOfOne(item)
    if (sequence.add(item)) this.#wait(sequence, item.key)
    else this.#skip(item)
  }

  #wait(sequence: Sequence<Item, Outcome>, key: string): void {
    if (sequence.isEmpty || this.#isWaiting.has(sequence)) return
    this.#isWaiting.add(sequence)
    this.#waiting.push(key, sequence)
  }

  #skip(item: Item): void {
    this.#begun.add(item.id)
    const end = this.#options.skip?.(item)
    if (end) this.#track(this.#end(item, this.#planned(item, end)))
  }

  /** Starts rows of the waiting sequences, keys in turn, as far as there are slots. */
  #startHandling(): void {
    if (this.#slots.free < 1 || this.#loop.isStopped) return
    const { pace, beginSpan } = this.#options
    for (const sequence of this.#waiting.take(key => !pace.isShared || this.#slots.mayTake(key))) {
      this.#isWaiting.delete(sequence)
      const item = sequence.take()
      if (!item) continue
      this.#slots.take(item.key)
      this.#begun.add(item.id)
      this.#track(within(beginSpan?.(item), () => this.#run(item, sequence)))
      this.#wait(sequence, item.key)
      if (this.#slots.free < 1) return
    }
  }

  #track(work: Promise<void>): void {
    const tracked: Promise<void> = work.finally(() => this.#underWay.delete(tracked))
    this.#underWay.add(tracked)
  }

  async #run(item: Item, sequence: Sequence<Item, Outcome>): Promise<void> {
    const end = await this.#attempt(item)
    this.#slots.release(item.key)
    for (const skipped of sequence.release(item, end)) this.#skip(skipped)
    this.#wait(sequence, item.key)
    untraced(() => this.#startHandling())
    await this.#end(item, end)
  }

  async #attempt(item: Item): Promise<End<Outcome>> {
    const { handle, isLate } = this.#options
    try {
      return this.#planned(item, await handle(item))
    } catch (error) {
      if (isTransient(error)) return { how: 'wait', seconds: awayS }
      this.#warn(error, item, 'handling failed')
      if (isLate?.(item)) return { how: 'dead', why: 'unreadable' }
      await this.#putOff(item, error)
      return { how: 'left' }
    }
  }

  /** A failed attempt is made again as planned, or was the last. */
  #planned(item: Item, end: End<Outcome>): End<Outcome> {
    if (end.how !== 'retry') return end
    const { retryAfter = ({ attempts }) => retryAfterS[attempts] } = this.#options
    const waitS = retryAfter(item)
    return waitS === undefined ? { ...end, how: 'dead' } : { ...end, afterS: Math.max(waitS, end.afterS ?? 0) }
  }

  /** Writes how a row ended. If that fails, its claim expires and it is handled again. */
  async #end(item: Item, end: End<Outcome>): Promise<void> {
    try {
      if (end.how === 'left') return
      const result = await this.#settling.add({ item, end })
      const againS = end.how === 'retry' ? (end.afterS ?? 0) : end.how === 'wait' ? end.seconds : null
      if (againS !== null) this.#loop.wakeIn(againS * 1_000 + 20)
      if (end.how !== 'wait' && item.is_quarantined) await this.#release([item.id])
      this.#options.onSettled?.(item, end, result)
    } catch (error) {
      this.#warn(error, item, 'outcome write failed')
      // where its row is at fault, not before an hour has passed
      if (!isTransient(error)) await this.#putOff(item, error)
    } finally {
      this.#claimed.delete(item.id)
      this.#begun.delete(item.id)
      // a row that waited for this one may be due
      if (this.#options.pace.claimed !== undefined && this.#places > 0) this.#loop.wake()
    }
  }

  async #putOff({ id, tenant_id }: Item, error: unknown): Promise<void> {
    const { table } = this.#options
    if (table.kind === null) return
    await this.#quarantine.putOff(table.kind, [{ key: id, tenant: tenant_id, error }], client =>
      putOff(client, table, [id], putOffS),
    )
  }

  async #release(ids: readonly string[]): Promise<void> {
    const { kind } = this.#options.table
    if (kind !== null) await this.#quarantine.release(kind, ids)
  }

  #warn(error: unknown, { id, tenant_id }: Item, what: string): void {
    const { log, name } = this.#options
    log.warn({ err: error, tenant_id, id }, `${name} ${what}`)
  }
}

function sequenceOfOne<Item>(item: Item): Sequence<Item, never> {
  let left: Item | undefined = item
  return {
    get isEmpty() {
      return left === undefined
    },
    add: () => true,
    take: () => {
      const taken = left
      left = undefined
      return taken
    },
    release: () => [],
  }
}
