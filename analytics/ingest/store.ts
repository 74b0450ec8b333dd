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
 * wait for each other: many small inserts cost far more than a few large ones.
 */
export class Store {
  readonly #clickhouse: ClickHouseClient
  readonly #statement: string
  readonly #maxRows: number
  readonly #everyMs: number
  readonly #onRefused: StoreOptions['onRefused']
  /** Of a cluster, results are written one batch after the other, so that watermarks can be read behind all of them. */
  readonly #isInSequence: boolean
  readonly #waiting: Waiting[] = []
  #freeSlots: number
  #waitingRows = 0
  /** Until when the inserts made so far use up the allowed rate. */
  #rateUsedUntil = Number.NEGATIVE_INFINITY
  #timer: NodeJS.Timeout | undefined

  constructor({
    clickhouse,
    table = 'check_results',
    columns: names = columns,
    concurrency = 2,
    maxRows = 25_000,
    everyMs = insertRate.everyMs,
    onRefused,
  }: StoreOptions) {
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
    void this.#write(group).finally(() => {
      this.#freeSlots++
      this.#next()
    })
  }

  async #write(group: readonly Waiting[]): Promise<void> {
    try {
      await this.#send(group.flatMap(({ chunks }) => chunks))
      for (const { stored } of group) stored()
    } catch (error) {
      const [only] = group
      if (group.length === 1 && isRefused(error)) return this.#writeApart(only!)
      if (!(error instanceof ClickHouseError) || group.length === 1) {
        for (const { failed } of group) failed(error)
        return
      }
      for (const batch of group) await this.#write([batch]) // one failing batch must not block the others
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
