import { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { ClickHouseError } from '@clickhouse/client'
import type { ClickHouseClient } from '#analytics/client.ts'
import { clusterOf, inSequence } from '#analytics/cluster.ts'
import { columns } from './rows.ts'

interface Waiting {
  chunks: readonly Buffer[]
  rows: number
  /** Until when it waits for batches of other regions. */
  until: number
  stored: () => void
  failed: (error: unknown) => void
}

export interface StoreOptions {
  clickhouse: ClickHouseClient
  /** Target table and columns of the JSONCompactEachRow rows; by default the results. */
  table?: string
  columns?: readonly string[]
  /** Most concurrent inserts. */
  concurrency?: number
  /** Most rows in one insert, unless a single batch has more. */
  maxRows?: number
  /** Milliseconds between two small inserts that can go on for ever: more where several processes insert. */
  everyMs?: number
  /** How long the inserts in progress may take before the store counts as stalled. */
  stalledAfterMs?: number
  /** Most rows that wait in memory; more are rejected at once. */
  maxWaitingRows?: number
  /** Called for a row that ClickHouse refuses because of its values. The other rows of its batch are stored. */
  onRefused?: ((row: unknown[], error: unknown) => void) | undefined
}

/**
 * Error codes of ClickHouse for a row that it cannot parse (invalid or out-of-range text, numbers, dates, ids, arrays,
 * enumerations) or that violates a constraint of its table. Any other error is not the row's fault.
 */
const refusals = new Set(
  '6 25 26 27 33 36 38 41 53 69 70 72 117 130 131 190 321 349 376 407 467 469 675 676 691'.split(' '),
)
export const isRefused = (error: unknown): boolean => error instanceof ClickHouseError && refusals.has(error.code)

/** Nothing was sent to the store: it does not keep up, or does not answer. */
export class StoreBusy extends Error {
  override readonly name = 'StoreBusy'
}

/**
 * Two inserts a second are sustainable, four may start at once after a pause: each creates a part of the table that is
 * merged again and again. A large insert does not wait.
 */
export const insertRate = { everyMs: 500, atOnce: 4, largeInsertRows: 10_000 } as const

const statementFor = (table: string, names: readonly string[]) =>
  `INSERT INTO ${table} (${names.join(', ')}) SETTINGS async_insert = 0, input_format_parallel_parsing = 0 FORMAT ` +
  'JSONCompactEachRow'

/**
 * Writes batches to ClickHouse. Batches that arrive during an insert are combined in the next one, and under load they
 * wait for each other: many small inserts cost far more than a few large ones. While all inserts in progress stall, the
 * batches behind them are rejected: what waits in memory stays bounded, and their senders keep them.
 */
export class Store {
  readonly #clickhouse: ClickHouseClient
  readonly #statement: string
  readonly #maxRows: number
  readonly #everyMs: number
  readonly #stalledAfterMs: number
  readonly #maxWaitingRows: number
  readonly #onRefused: StoreOptions['onRefused']
  /** Of a cluster, results are written one batch after the other, so that watermarks can be read behind all of them. */
  readonly #isInSequence: boolean
  readonly #waiting: Waiting[] = []
  #freeSlots: number
  #waitingRows = 0
  /** Until when the inserts made so far use up the allowed rate. */
  #rateUsedUntil = Number.NEGATIVE_INFINITY
  #timer: NodeJS.Timeout | undefined
  /** Runs while every slot is taken. */
  #stallTimer: NodeJS.Timeout | undefined
  #isStalled = false

  constructor({
    clickhouse,
    table = 'check_results',
    columns: names = columns,
    concurrency = 2,
    maxRows = 25_000,
    everyMs = insertRate.everyMs,
    stalledAfterMs = 5_000,
    maxWaitingRows = 100_000,
    onRefused,
  }: StoreOptions) {
    this.#stalledAfterMs = stalledAfterMs
    this.#maxWaitingRows = maxWaitingRows
    this.#onRefused = onRefused
    this.#clickhouse = clickhouse
    this.#statement = statementFor(table, names)
    this.#isInSequence = table === 'check_results' && clusterOf(clickhouse) !== undefined
    // a second write in sequence would be refused
    this.#freeSlots = this.#isInSequence ? 1 : concurrency
    this.#maxRows = maxRows
    this.#everyMs = everyMs
  }

  /**
   * Resolves when the rows are on disk. After a rejection they may be stored or not, and may be sent again.
   * `gatherMs`: so long they may wait for others, with which they are stored.
   */
  insert(chunks: readonly Buffer[], rows: number, gatherMs = 0): Promise<void> {
    if (this.#isStalled) return Promise.reject(new StoreBusy('The store does not answer.'))
    if (this.#waitingRows > 0 && this.#waitingRows + rows > this.#maxWaitingRows)
      return Promise.reject(new StoreBusy('Too many results wait to be stored.'))
    return new Promise((resolve, reject) => {
      const until = performance.now() + gatherMs
      this.#waiting.push({ chunks, rows, until, stored: resolve, failed: reject })
      this.#waitingRows += rows
      this.#next()
    })
  }

  #next() {
    if (this.#freeSlots === 0 || this.#waiting.length === 0) return
    const now = performance.now()
    const mayAt = this.#rateUsedUntil - (insertRate.atOnce - 1) * this.#everyMs
    // all are stored with the first that no longer waits for others
    const waitMs = Math.max(mayAt, Math.min(...this.#waiting.map(({ until }) => until))) - now
    clearTimeout(this.#timer)
    if (waitMs > 0 && this.#waitingRows < insertRate.largeInsertRows) {
      this.#timer = setTimeout(() => this.#next(), waitMs)
      return
    }
    this.#rateUsedUntil = Math.min(
      Math.max(this.#rateUsedUntil, now) + this.#everyMs,
      now + insertRate.atOnce * this.#everyMs,
    )
    const group: Waiting[] = []
    for (let rows = 0; this.#waiting[0] && (rows === 0 || rows + this.#waiting[0].rows <= this.#maxRows); ) {
      const batch = this.#waiting.shift() as Waiting
      rows += batch.rows
      this.#waitingRows -= batch.rows
      group.push(batch)
    }
    this.#freeSlots--
    if (this.#freeSlots === 0) this.#stallTimer = setTimeout(() => this.#stall(), this.#stalledAfterMs)
    void this.#write(group).finally(() => {
      this.#freeSlots++
      clearTimeout(this.#stallTimer)
      this.#isStalled = false
      this.#next()
    })
  }

  #stall() {
    this.#isStalled = true
    this.#waitingRows = 0
    for (const { failed } of this.#waiting.splice(0)) failed(new StoreBusy('The store does not answer.'))
  }

  /** Returns the code of the error for which the store refused a single batch. */
  async #write(group: readonly Waiting[]): Promise<string | undefined> {
    try {
      await this.#send(group.flatMap(({ chunks }) => chunks))
      for (const { stored } of group) stored()
      return undefined
    } catch (error) {
      const [only] = group
      if (group.length === 1 && isRefused(error)) {
        await this.#writeApart(only!)
        return undefined
      }
      if (!(error instanceof ClickHouseError) || group.length === 1) {
        for (const { failed } of group) failed(error)
        return error instanceof ClickHouseError ? error.code : undefined
      }
      await this.#writeEach(group, error)
      return undefined
    }
  }

  /** One failing batch must not block the others. Where two fail alike, the fault is the store's. */
  async #writeEach(group: readonly Waiting[], error: ClickHouseError): Promise<void> {
    let alike = 0
    for (const batch of group) {
      if (alike === 2) batch.failed(error)
      else if ((await this.#write([batch])) === error.code) alike++
    }
  }

  /** A batch with a refused row would be sent again and again, so the row is left out. */
  async #writeApart({ chunks, stored, failed }: Waiting): Promise<void> {
    try {
      await this.#sendApart(linesOf(chunks))
      stored()
    } catch (error) {
      failed(error)
    }
  }

  async #sendApart(lines: readonly string[]): Promise<void> {
    if (lines.length === 0) return
    try {
      await this.#send([Buffer.from(`${lines.join('\n')}\n`)])
    } catch (error) {
      if (!isRefused(error)) throw error
      if (lines.length === 1) return this.#onRefused?.(JSON.parse(lines[0]!), error)
      const half = lines.length >> 1
      await this.#sendApart(lines.slice(0, half))
      await this.#sendApart(lines.slice(half))
    }
  }

  async #send(chunks: readonly Buffer[]): Promise<void> {
    const { stream } = await this.#clickhouse.exec({
      query: this.#statement,
      values: Readable.from(chunks, { objectMode: false }),
      ...(this.#isInSequence && { clickhouse_settings: inSequence }),
    })
    await text(stream)
  }
}

const linesOf = (chunks: readonly Buffer[]) => Buffer.concat(chunks).toString().split('\n').filter(Boolean)
