import { LRUCache } from 'lru-cache'
import { z } from 'zod'
import type { ClickHouseClient } from '#analytics/client.ts'
import { Lately } from '#analytics/lately.ts'
import { query } from '#analytics/query.ts'
import { closedBefore } from '#analytics/rollup.ts'
import { closedCells, Window } from './window.ts'

export interface ResponseTimes {
  check_id: string
  total_checks: number
  /** How many of them have a response time, and the sum of these, in microseconds. */
  timed: number
  time_us: number
}

const ofMonitors = { tenant: z.uuid(), monitors: z.array(z.uuid()).max(200) }
const params = z.object(ofMonitors).and(Window)
const row = z.object({ monitor_id: z.uuid(), check_id: z.uuid(), total_checks: z.int(), timed: z.int(), time_us: z.int() })
const where = 'tenant_id = {tenant: UUID} AND monitor_id IN {monitors: Array(UUID)}'

const closedTimes = query({
  params,
  row,
  sql: `
      SELECT monitor_id, check_id, sum(total) AS total_checks, sum(response_count) AS timed, sum(response_us_sum) AS time_us
      FROM (${closedCells(where, ['total', 'response_count', 'response_us_sum'])})
      GROUP BY monitor_id, check_id`,
})

/** Single results. To merge doubles away costs three times as much as to see whether there are any. */
const singleTimes = (final: '' | 'FINAL') =>
  query({
    params: z.object({ ...ofMonitors, from: z.date(), to: z.date() }),
    row: row.extend({ single: z.int() }),
    sql: `
      SELECT monitor_id, check_id, count() AS total_checks, uniqExact(cityHash64(region, due, attempt)) AS single,
             countIf(response_ms IS NOT NULL AND NOT suspect) AS timed,
             sumIf(toUInt64(round(ifNull(response_ms, 0) * 1000)), response_ms IS NOT NULL AND NOT suspect) AS time_us
      FROM check_results ${final}
      WHERE ${where} AND due >= {from: DateTime64(3)} AND due < {to: DateTime64(3)}
      GROUP BY monitor_id, check_id`,
  })
const singleAsStored = singleTimes('')
const singleMerged = singleTimes('FINAL')

interface Asked {
  tenant: string
  monitors: readonly string[]
  from: Date
  now: Date
}

const stepMs = 300_000
/** What was due before it has arrived, unless it comes very late: it is counted once in five minutes. */
const settledBefore = (now: Date) => (Math.floor(now.getTime() / stepMs) - 1) * stepMs
const keptAtMost = 50_000

/**
 * How many looks the checks of some monitors got from all regions until now, and how long the good ones took. At most five seconds old;
 * what arrives more than five minutes late is counted at most five minutes after that.
 */
export class RecentTimes {
  readonly #clickhouse: ClickHouseClient
  readonly #open = new Lately<ResponseTimes[]>()
  readonly #settled = new LRUCache<string, { times: ResponseTimes[]; before: number; from: number }>({ max: keptAtMost })

  constructor(clickhouse: ClickHouseClient) {
    this.#clickhouse = clickhouse
  }

  async of({ tenant, monitors, from, now }: Asked): Promise<Map<string, ResponseTimes[]>> {
    const before = settledBefore(now)
    const [open, settled] = await Promise.all([
      this.#open.of(`${tenant} ${before}`, monitors, some => this.#countSingle({ tenant, monitors: some, from: new Date(before), to: now })),
      this.#settledOf({ tenant, monitors, from, now }, before),
    ])
    return new Map(monitors.map(monitor => [monitor, summed([...(settled.get(monitor) ?? []), ...(open.get(monitor) ?? [])])]))
  }

  async #countSingle(asked: Parameters<typeof singleAsStored>[1]): Promise<Map<string, ResponseTimes[]>> {
    const stored = await singleAsStored(this.#clickhouse, asked)
    return byMonitor(stored.some(row => row.single !== row.total_checks) ? await singleMerged(this.#clickhouse, asked) : stored)
  }

  async #settledOf({ tenant, monitors, from, now }: Asked, before: number): Promise<Map<string, ResponseTimes[]>> {
    const start = Math.floor(from.getTime() / 3_600_000)
    // the tenant is part of the key: an id somebody else asked for must never be answered from here
    const keyOf = (monitor: string) => `${tenant} ${monitor}`
    const times = new Map<string, ResponseTimes[]>()
    const missing: string[] = []
    for (const monitor of monitors) {
      const kept = this.#settled.get(keyOf(monitor))
      if (kept?.before === before && kept.from === start) times.set(monitor, kept.times)
      else missing.push(monitor)
    }
    if (missing.length === 0) return times
    const [closed, single] = await Promise.all([
      closedTimes(this.#clickhouse, { tenant, monitors: missing, from, to: now, now }),
      this.#countSingle({ tenant, monitors: missing, from: closedBefore(now), to: new Date(before) }),
    ])
    const found = byMonitor(closed)
    for (const monitor of missing) {
      const own = summed([...(found.get(monitor) ?? []), ...(single.get(monitor) ?? [])])
      this.#settled.set(keyOf(monitor), { times: own, before, from: start })
      times.set(monitor, own)
    }
    return times
  }
}

function byMonitor(rows: readonly z.output<typeof row>[]): Map<string, ResponseTimes[]> {
  const found = new Map<string, ResponseTimes[]>()
  for (const { monitor_id, check_id, total_checks, timed, time_us } of rows)
    found.set(monitor_id, [...(found.get(monitor_id) ?? []), { check_id, total_checks, timed, time_us }])
  return found
}

/** One entry for each check. */
function summed(parts: readonly ResponseTimes[]): ResponseTimes[] {
  const sums = new Map<string, ResponseTimes>()
  for (const part of parts) {
    const sum = sums.get(part.check_id)
    if (!sum) sums.set(part.check_id, { ...part })
    else {
      sum.total_checks += part.total_checks
      sum.timed += part.timed
      sum.time_us += part.time_us
    }
  }
  return [...sums.values()]
}
