import { LRUCache } from 'lru-cache'
import { z } from 'zod'
import type { ClickHouseClient } from '#analytics/client.ts'
import { query } from '#analytics/query.ts'
import { RecentValues } from '#analytics/recent-values.ts'
import { closedBefore } from '#analytics/rollup.ts'
import { closedCells, Window } from './window.ts'

export interface ResponseTimes {
  check_id: string
  total_checks: number
  /** Number of results with a response time, and the sum of these times in microseconds. */
  timed: number
  time_us: number
}

const ofMonitors = { tenants: z.array(z.uuid()).max(200), monitors: z.array(z.uuid()).max(200) }
const params = z.object(ofMonitors).and(Window)
const row = z.object({
  monitor_id: z.uuid(),
  check_id: z.uuid(),
  total_checks: z.int(),
  timed: z.int(),
  time_us: z.int(),
})
const where = 'tenant_id IN {tenants: Array(UUID)} AND monitor_id IN {monitors: Array(UUID)}'

const closedTimes = query({
  params,
  row,
  sql: `
      SELECT monitor_id, check_id, sum(total) AS total_checks, sum(response_count) AS timed, sum(response_us_sum) AS time_us
      FROM (${closedCells(where, ['total', 'response_count', 'response_us_sum'])})
      GROUP BY monitor_id, check_id`,
})

/** Raw results. Merging duplicates (FINAL) costs three times as much as detecting whether there are any. */
const singleTimes = (final: '' | 'FINAL') =>
  query({
    params: z.object({ ...ofMonitors, from: z.date(), to: z.date() }),
    row: row.extend({ single: z.int() }),
    sql: `
      SELECT monitor_id, check_id, count() AS total_checks, uniqExact(cityHash64(region, due, attempt)) AS single,
             countIf(response_ms IS NOT NULL AND NOT is_unreliable) AS timed,
             sumIf(toUInt64(round(ifNull(response_ms, 0) * 1000)), response_ms IS NOT NULL AND NOT is_unreliable) AS time_us
      FROM check_results ${final}
      WHERE ${where} AND due >= {from: DateTime64(3)} AND due < {to: DateTime64(3)}
      GROUP BY monitor_id, check_id`,
  })
const singleAsStored = singleTimes('')
const singleMerged = singleTimes('FINAL')

interface Owners {
  /** The monitors, each with its tenant. */
  owners: ReadonlyMap<string, string>
  from: Date
  now: Date
}

const stepMs = 300_000
/** Results due before this have arrived, except very late ones, which are counted every five minutes. */
const settledBefore = (now: Date) => (Math.floor(now.getTime() / stepMs) - 1) * stepMs
const maxEntries = 50_000

/**
 * Number of results of monitors over all regions until now, and the total time of the successful ones. At most five
 * seconds old; results that arrive more than five minutes late are counted at most five minutes after that.
 */
export class RecentTimes {
  readonly #clickhouse: ClickHouseClient
  readonly #open = new RecentValues<ResponseTimes[]>()
  readonly #settled = new LRUCache<string, { times: ResponseTimes[]; before: number; from: number }>({
    max: maxEntries,
  })

  constructor(clickhouse: ClickHouseClient) {
    this.#clickhouse = clickhouse
  }

  async of({ owners, from, now }: Owners): Promise<Map<string, ResponseTimes[]>> {
    const before = settledBefore(now)
    // the tenant is part of the key, so that no value is returned to another tenant
    const keys = new Map([...owners].map(([monitor, tenant]) => [monitor, `${tenant} ${monitor}`]))
    const [open, settled] = await Promise.all([
      this.#open.of(String(before), [...keys.values()], some => this.#countSingle(some, new Date(before), now)),
      this.#settledOf([...keys.values()], from, now, before),
    ])
    const times = new Map<string, ResponseTimes[]>()
    for (const [monitor, key] of keys)
      times.set(monitor, summed([...(settled.get(key) ?? []), ...(open.get(key) ?? [])]))
    return times
  }

  async #countSingle(keys: readonly string[], from: Date, to: Date): Promise<Map<string, ResponseTimes[]>> {
    const asked = { ...named(keys), from, to }
    const stored = await singleAsStored(this.#clickhouse, asked)
    const hasDoubles = stored.some(row => row.single !== row.total_checks)
    return byKey(keys, hasDoubles ? await singleMerged(this.#clickhouse, asked) : stored)
  }

  async #settledOf(keys: readonly string[], from: Date, now: Date, before: number) {
    const start = Math.floor(from.getTime() / 3_600_000)
    const times = new Map<string, ResponseTimes[]>()
    const missing: string[] = []
    for (const key of keys) {
      const kept = this.#settled.get(key)
      if (kept?.before === before && kept.from === start) times.set(key, kept.times)
      else missing.push(key)
    }
    if (missing.length === 0) return times
    const [closed, single] = await Promise.all([
      closedTimes(this.#clickhouse, { ...named(missing), from, to: now, now }),
      this.#countSingle(missing, closedBefore(now), new Date(before)),
    ])
    const found = byKey(missing, closed)
    for (const key of missing) {
      const own = summed([...(found.get(key) ?? []), ...(single.get(key) ?? [])])
      this.#settled.set(key, { times: own, before, from: start })
      times.set(key, own)
    }
    return times
  }
}

const pairOf = (key: string) => key.split(' ') as [tenant: string, monitor: string]
function named(keys: readonly string[]) {
  const pairs = keys.map(pairOf)
  return { tenants: [...new Set(pairs.map(([tenant]) => tenant))], monitors: pairs.map(([, monitor]) => monitor) }
}

function byKey(keys: readonly string[], rows: readonly z.output<typeof row>[]): Map<string, ResponseTimes[]> {
  const keyOf = new Map(keys.map(key => [pairOf(key)[1], key]))
  const found = new Map<string, ResponseTimes[]>()
  for (const { monitor_id, check_id, total_checks, timed, time_us } of rows) {
    const key = keyOf.get(monitor_id)!
    found.set(key, [...(found.get(key) ?? []), { check_id, total_checks, timed, time_us }])
  }
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
