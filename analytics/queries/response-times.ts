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

const params = z.object({ tenant: z.uuid(), monitors: z.array(z.uuid()).max(200) }).and(Window)
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

/** Single results after the closed hours. To merge doubles away costs three times as much as to see whether there are any. */
const openTimes = (final: '' | 'FINAL') =>
  query({
    params,
    row: row.extend({ single: z.int() }),
    sql: `
      SELECT monitor_id, check_id, count() AS total_checks, uniqExact(cityHash64(region, due, attempt)) AS single,
             countIf(response_ms IS NOT NULL AND NOT suspect) AS timed,
             sumIf(toUInt64(round(ifNull(response_ms, 0) * 1000)), response_ms IS NOT NULL AND NOT suspect) AS time_us
      FROM check_results ${final}
      WHERE ${where} AND due >= {closed: DateTime64(3)} AND due < {to: DateTime64(3)}
      GROUP BY monitor_id, check_id`,
  })
const openAsStored = openTimes('')
const openMerged = openTimes('FINAL')

interface Asked {
  tenant: string
  monitors: readonly string[]
  from: Date
  now: Date
}

/** Closed hours change only when something comes very late or the reconciler, every five minutes, finds a difference. */
const keptMs = 300_000
const keptAtMost = 50_000

/**
 * How many looks the checks of some monitors got from all regions until now, and how long the good ones took.
 * What was closed is kept for five minutes; what is still open is at most five seconds old.
 */
export class RecentTimes {
  readonly #clickhouse: ClickHouseClient
  readonly #open = new Lately<ResponseTimes[]>()
  readonly #closed = new LRUCache<string, { times: ResponseTimes[]; until: number; hour: number; from: number }>({ max: keptAtMost })

  constructor(clickhouse: ClickHouseClient) {
    this.#clickhouse = clickhouse
  }

  async of({ tenant, monitors, from, now }: Asked): Promise<Map<string, ResponseTimes[]>> {
    const window = { tenant, from, to: now, now }
    const hour = closedBefore(now).getTime()
    const [open, closed] = await Promise.all([
      this.#open.of(`${tenant} ${hour}`, monitors, some => this.#countOpen({ ...window, monitors: some })),
      this.#closedOf({ tenant, monitors, from, now }, hour),
    ])
    return new Map(monitors.map(monitor => [monitor, summed([...(closed.get(monitor) ?? []), ...(open.get(monitor) ?? [])])]))
  }

  async #countOpen(asked: z.input<typeof params>): Promise<Map<string, ResponseTimes[]>> {
    const stored = await openAsStored(this.#clickhouse, asked)
    return byMonitor(stored.some(row => row.single !== row.total_checks) ? await openMerged(this.#clickhouse, asked) : stored)
  }

  async #closedOf({ tenant, monitors, from, now }: Asked, hour: number): Promise<Map<string, ResponseTimes[]>> {
    const start = Math.floor(from.getTime() / 3_600_000)
    const nowMs = now.getTime()
    // the tenant is part of the key: an id somebody else asked for must never be answered from here
    const keyOf = (monitor: string) => `${tenant} ${monitor}`
    const missing = monitors.filter(monitor => {
      const kept = this.#closed.get(keyOf(monitor))
      return !kept || kept.until <= nowMs || kept.hour !== hour || kept.from !== start
    })
    if (missing.length > 0) {
      const found = byMonitor(await closedTimes(this.#clickhouse, { tenant, monitors: missing, from, to: now, now }))
      for (const monitor of missing) this.#closed.set(keyOf(monitor), { times: found.get(monitor) ?? [], until: nowMs + keptMs, hour, from: start })
    }
    return new Map(monitors.map(monitor => [monitor, this.#closed.get(keyOf(monitor))?.times ?? []]))
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
