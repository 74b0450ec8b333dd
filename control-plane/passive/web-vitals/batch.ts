import type { Logger } from 'pino'
import { markAway } from '#analytics/away.ts'
import { bucketBase } from '#analytics/cells.ts'
import type { ClickHouseClient } from '#analytics/client.ts'
import { isRefused } from '#analytics/ingest/store.ts'
import { Shares } from '#contract/fair-queue.ts'
import { splitIsolated } from '#control-plane/base/each-isolated.ts'
import { Quarantine } from '#control-plane/base/quarantine/quarantine.ts'
import { perServices, type Services } from '#control-plane/http/services.ts'
import { type Metric, rate, scaleOf } from './metrics.ts'

const everyMs = 5_000
const mostCells = 20_000
/** Pages of one monitor that one process counts separately in a day; all further pages are counted as one. */
const mostPages = 200
const otherPages = '(other)'

export interface Measurement {
  tenant: string
  monitor: string
  metric: Metric
  value: number
  page: string
  connection: string
}

interface Cell {
  key: [tenant: string, monitor: string, metric: Metric, day: string, page: string, connection: string]
  counts: Record<'good' | 'needs_improvement' | 'poor', number>
  buckets: Map<number, number>
}

export const bucketOf = (metric: Metric, value: number) =>
  Math.max(0, Math.min(255, Math.ceil(Math.log(Math.max(value * scaleOf(metric), 1)) / Math.log(bucketBase) - 1e-9)))

/** Adds up measurements of browsers and writes the sums every few seconds. A killed process loses its last seconds. */
export class VitalsBatch {
  readonly #clickhouse: ClickHouseClient
  readonly #log: Pick<Logger, 'warn'>
  readonly #quarantine: Quarantine
  #cells = new Map<string, Cell>()
  /** Limits what one tenant adds to the waiting cells to as many as it leaves to others. */
  #shares = new Shares(mostCells)
  #pages = new Map<string, Set<string>>()
  #pagesOf = ''
  #timer: NodeJS.Timeout | undefined
  #writing: Promise<void> = Promise.resolve()

  constructor({ clickhouse, platform, log }: Pick<Services, 'clickhouse' | 'platform' | 'log'>) {
    this.#clickhouse = clickhouse
    this.#log = log
    this.#quarantine = new Quarantine({ platform, log })
  }

  /** False when too much of this tenant waits to be written. */
  add({ tenant, monitor, metric, value, page, connection }: Measurement, now: Date): boolean {
    const day = now.toISOString().slice(0, 10)
    const known = this.#pageOf(monitor, page, day)
    const key: Cell['key'] = [tenant, monitor, metric, day, known, connection]
    const name = key.join('\0')
    let cell = this.#cells.get(name)
    if (!cell) {
      if (!this.#shares.mayTake(tenant)) return false
      this.#shares.take(tenant)
      cell = { key, counts: { good: 0, needs_improvement: 0, poor: 0 }, buckets: new Map() }
      this.#cells.set(name, cell)
    }
    cell.counts[rate(metric, value)]++
    const bucket = bucketOf(metric, value)
    cell.buckets.set(bucket, (cell.buckets.get(bucket) ?? 0) + 1)
    this.#timer ??= setTimeout(() => void this.flush(), everyMs).unref()
    return true
  }

  /** Writes the sums so far. Sums that cannot be written are lost. */
  flush(): Promise<void> {
    clearTimeout(this.#timer)
    this.#timer = undefined
    const cells = [...this.#cells.values()]
    this.#cells = new Map()
    this.#shares = new Shares(mostCells)
    if (cells.length > 0) this.#writing = this.#writing.then(() => this.#write(cells))
    return this.#writing
  }

  /** A cell that is refused is lost alone. */
  async #write(cells: readonly Cell[]): Promise<void> {
    const lost = (error: unknown) => this.#log.warn({ err: error, cells: cells.length }, 'web vitals write failure')
    const insert = (some: readonly Cell[]) =>
      this.#insert(some).catch(error => Promise.reject(isRefused(error) ? error : markAway(error)))
    const refused = ({ key: [tenant, monitor] }: Cell, error: unknown) =>
      this.#quarantine.note('web_vitals', [{ key: monitor, tenant, error }])
    await splitIsolated(cells, insert, refused).catch(lost)
  }

  async #insert(cells: readonly Cell[]): Promise<void> {
    await this.#clickhouse.insert({
      table: 'web_vitals_by_day',
      columns: [
        'tenant_id',
        'monitor_id',
        'metric',
        'day',
        'path',
        'connection',
        'good',
        'needs_improvement',
        'poor',
        'buckets',
      ],
      values: cells.map(({ key, counts, buckets }) => [
        ...key,
        counts.good,
        counts.needs_improvement,
        counts.poor,
        [[...buckets.keys()], [...buckets.values()]],
      ]),
      format: 'JSONCompactEachRow',
      clickhouse_settings: { async_insert: 0 },
    })
  }

  #pageOf(monitor: string, page: string, day: string): string {
    if (this.#pagesOf !== day) {
      this.#pagesOf = day
      this.#pages = new Map()
    }
    let pages = this.#pages.get(monitor)
    if (!pages) {
      pages = new Set()
      this.#pages.set(monitor, pages)
    }
    if (pages.has(page)) return page
    if (pages.size >= mostPages) return otherPages
    pages.add(page)
    return page
  }
}

export const vitalsBatchOf = perServices(services => new VitalsBatch(services))
