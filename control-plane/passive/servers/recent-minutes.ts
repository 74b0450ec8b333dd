import { sql } from 'kysely'
import type { Pool } from 'pg'
import type { ClickHouseClient } from '#analytics/client.ts'
import { serverMinutes } from '#analytics/queries/server-minutes.ts'
import { prepared, type Row, rows } from '#control-plane/db/queries.ts'
import { readWaitingSamples, type WaitingSample } from './waiting-samples.ts'

/** The mean of one metric with one label in one minute. */
export interface MinuteMean {
  monitor_id: string
  metric: string
  of: string
  minute_ms: number
  /** The moment of its first value. */
  first_ms: number
  mean: number
}

interface Asked {
  tenants: readonly string[]
  monitors: readonly string[]
  metrics: readonly string[]
  from: Date
  to: Date
}

interface Deps {
  platform: Pool
  clickhouse: ClickHouseClient
  log: { warn(fields: object, text: string): void }
}

const minuteMs = 60_000
/** Longer than any threshold must last. */
const keptMs = 90 * minuteMs

/**
 * The last minutes of servers, for judging thresholds: from ClickHouse, and from what waits to be stored there. While
 * it is away the means that were read last go on to count.
 */
export class RecentMinutes {
  readonly #deps: Deps
  /** As ClickHouse had them last, by server, the server that was read longest ago first. */
  readonly #stored = new Map<string, { readAt: number; means: MinuteMean[] }>()
  /** Of what waits, by server: the sums of each minute, and the last report that was read. */
  readonly #waiting = new Map<string, { last: string; minutes: Map<string, MinuteSum> }>()
  #isAway = false

  constructor(deps: Deps) {
    this.#deps = deps
  }

  async read(asked: Asked): Promise<MinuteMean[]> {
    await this.#readStored(asked)
    await this.#readWaiting(asked.monitors)
    const isWanted = ({ metric, minute_ms }: MinuteMean) =>
      asked.metrics.includes(metric) && minute_ms >= asked.from.getTime() && minute_ms < asked.to.getTime()
    return asked.monitors.flatMap(monitor => {
      const waiting = this.#waiting.get(monitor)?.minutes
      const stored = (this.#stored.get(monitor)?.means ?? []).filter(
        mean => isWanted(mean) && !waiting?.has(keyOf(mean.metric, mean.of, mean.minute_ms)),
      )
      const others = [...(waiting?.values() ?? [])].map(({ sum, count, ...mean }) => ({ ...mean, mean: sum / count }))
      return [...stored, ...others.filter(isWanted)].sort((a, b) => a.minute_ms - b.minute_ms)
    })
  }

  async #readStored(asked: Asked): Promise<void> {
    const { clickhouse, log } = this.#deps
    try {
      const means = Map.groupBy(
        await serverMinutes(clickhouse, {
          ...asked,
          tenants: [...asked.tenants],
          monitors: [...asked.monitors],
          metrics: [...asked.metrics],
        }),
        ({ monitor_id }) => monitor_id,
      )
      const readAt = Date.now()
      for (const monitor of asked.monitors) {
        this.#stored.delete(monitor)
        this.#stored.set(monitor, { readAt, means: means.get(monitor) ?? [] })
      }
      // servers that are deleted or report no more
      for (const [monitor, stored] of this.#stored) {
        if (stored.readAt > readAt - keptMs) break
        this.#stored.delete(monitor)
      }
      this.#isAway = false
    } catch (error) {
      if (!this.#isAway) log.warn({ err: error }, 'server minutes read failure, judging by what waits')
      this.#isAway = true
    }
  }

  async #readWaiting(monitors: readonly string[]): Promise<void> {
    const found = await rows(this.#deps.platform, waitingServerSamplesFirst(monitors))
    const first = new Map(found.map(row => [row.monitor_id, row.first]))
    // what is stored by now is read from there
    for (const monitor of monitors) if (!first.has(monitor)) this.#waiting.delete(monitor)
    if (first.size === 0) return
    const after = new Map([...first.keys()].map(monitor => [monitor, this.#waiting.get(monitor)?.last ?? '0']))
    const { samples, last } = await readWaitingSamples(this.#deps.platform, after)
    for (const [monitor, id] of last) {
      const known = this.#waiting.get(monitor)
      this.#waiting.set(monitor, { last: id, minutes: known?.minutes ?? new Map() })
    }
    for (const sample of samples) add(this.#waiting.get(sample.monitor)?.minutes, sample)
    const oldest = Date.now() - keptMs
    for (const { minutes } of this.#waiting.values())
      for (const [key, { minute_ms }] of minutes) if (minute_ms < oldest) minutes.delete(key)
  }
}

interface MinuteSum extends Omit<MinuteMean, 'mean'> {
  sum: number
  count: number
}

const keyOf = (metric: string, of: string, minute: number) => `${metric} ${of} ${minute}`

/** Cores are averaged. */
function add(minutes: Map<string, MinuteSum> | undefined, { monitor, metric, label, at, value }: WaitingSample): void {
  const of = metric === 'cpu' ? '' : label
  const minute_ms = Math.floor(at / minuteMs) * minuteMs
  const key = keyOf(metric, of, minute_ms)
  const known = minutes?.get(key)
  if (known) {
    known.sum += value
    known.count++
    known.first_ms = Math.min(known.first_ms, at)
  } else minutes?.set(key, { monitor_id: monitor, metric, of, minute_ms, first_ms: at, sum: value, count: 1 })
}

const waitingServerSamplesFirst = prepared(
  'waiting-server-samples-first',
  (monitors: readonly string[]) => sql<Row<'waiting_server_samples', 'monitor_id'> & { first: string }>`
        select monitor_id, min(id)::text as first from waiting_server_samples
        where monitor_id = any(${monitors}::uuid[]) group by monitor_id`,
)
