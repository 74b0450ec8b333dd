import { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { ClickHouseError } from '@clickhouse/client'
import type { ClickHouseClient } from '#analytics/client.ts'
import { columns } from './rows.ts'

interface Waiting {
  chunks: readonly Buffer[]
  rows: number
  stored: () => void
  failed: (error: unknown) => void
}

export interface StoreOptions {
  clickhouse: ClickHouseClient
  /** Where the rows go, as JSONCompactEachRow: by default to the results. */
  table?: string
  columns?: readonly string[]
  /** Inserts under way at once. */
  lanes?: number
  /** Rows in one insert, unless a single batch has more. */
  maxRows?: number
  /** A row that ClickHouse refuses for what it is, as its columns. The others of its batch are stored. */
  onRefused?: ((row: unknown[], error: unknown) => void) | undefined
}

/**
 * What ClickHouse says of a row that it cannot read: text, numbers, dates, ids, arrays or enumerations that are none, or out of range;
 * and of one that breaks a constraint of its table. Whatever else it says is no row's fault.
 */
const refusals = new Set(
  '6 25 26 27 33 36 38 41 53 69 70 72 117 130 131 190 321 349 376 407 467 469 675 676 691'.split(' '),
)
export const isRefused = (error: unknown): boolean => error instanceof ClickHouseError && refusals.has(error.code)

/**
 * Two inserts a second go on for ever, four may begin at once after a rest: each is a part of a table that is merged again and again.
 * One that is large enough waits for nobody.
 */
const pace = { everyMs: 500, atOnce: 4, enoughRows: 10_000 } as const

const statementFor = (table: string, names: readonly string[]) =>
  `INSERT INTO ${table} (${names.join(', ')}) SETTINGS async_insert = 0, input_format_parallel_parsing = 0 FORMAT JSONCompactEachRow`

/**
 * Writes batches to ClickHouse. What arrives while inserts are under way goes into the next one together, and where many arrive they
 * wait for each other: many small inserts cost far more than a few large ones.
 */
export class Store {
  readonly #clickhouse: ClickHouseClient
  readonly #statement: string
  readonly #maxRows: number
  readonly #onRefused: StoreOptions['onRefused']
  readonly #waiting: Waiting[] = []
  #freeLanes: number
  #waitingRows = 0
  /** Up to when the inserts made so far have used up the pace. */
  #pacedUntil = Number.NEGATIVE_INFINITY
  #timer: NodeJS.Timeout | undefined

  constructor({
    clickhouse,
    table = 'check_results',
    columns: names = columns,
    lanes = 2,
    maxRows = 25_000,
    onRefused,
  }: StoreOptions) {
    this.#onRefused = onRefused
    this.#clickhouse = clickhouse
    this.#statement = statementFor(table, names)
    this.#freeLanes = lanes
    this.#maxRows = maxRows
  }

  /** Resolves when the rows are on disk. A rejection says nothing: they may be stored or not, and may be sent again. */
  insert(chunks: readonly Buffer[], rows: number): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ chunks, rows, stored: resolve, failed: reject })
      this.#waitingRows += rows
      this.#next()
    })
  }

  #next() {
    if (this.#freeLanes === 0 || this.#waiting.length === 0) return
    const now = performance.now()
    const waitMs = this.#pacedUntil - (pace.atOnce - 1) * pace.everyMs - now
    if (waitMs > 0 && this.#waitingRows < pace.enoughRows) {
      this.#timer ??= setTimeout(() => {
        this.#timer = undefined
        this.#next()
      }, waitMs)
      return
    }
    this.#pacedUntil = Math.min(Math.max(this.#pacedUntil, now) + pace.everyMs, now + pace.atOnce * pace.everyMs)
    const group: Waiting[] = []
    for (let rows = 0; this.#waiting[0] && (rows === 0 || rows + this.#waiting[0].rows <= this.#maxRows); ) {
      const batch = this.#waiting.shift() as Waiting
      rows += batch.rows
      this.#waitingRows -= batch.rows
      group.push(batch)
    }
    this.#freeLanes--
    void this.#write(group).finally(() => {
      this.#freeLanes++
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
      for (const batch of group) await this.#write([batch]) // what one batch brought must not hold up the others
    }
  }

  /** A batch with a row that is refused would be sent again and again: the row is left out. */
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
    })
    await text(stream)
  }
}

const linesOf = (chunks: readonly Buffer[]) => Buffer.concat(chunks).toString().split('\n').filter(Boolean)
