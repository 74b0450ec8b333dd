import type { ClickHouseClient } from '#analytics/client.ts'
import type { AssignedCheck } from '#analytics/ingest/observation.ts'
import { pack, resultOf, rows, timedOut } from './given.ts'

/** Pseudo-random numbers, the same for the same seed. */
export function chance(seed: number) {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

const hourMs = 3_600_000

export interface Account {
  acknowledged: number
  /** Acknowledged and not there. */
  lost: number
  /** There more than once. */
  doubled: number
  /** There though never sent. */
  unexpected: number
  /** There though never acknowledged: allowed. */
  recovered: number
}

/** What regions sent and what was acknowledged, to be compared with what is stored. */
export class Ledger {
  readonly #checks: readonly AssignedCheck[]
  readonly #random: () => number
  readonly #start = Math.floor(Date.now() / hourMs) * hourMs - 6 * hourMs
  readonly #sent = new Set<string>()
  readonly #acknowledged = new Set<string>()

  constructor(checks: readonly AssignedCheck[], random: () => number) {
    this.#checks = checks
    this.#random = random
  }

  /** A region’s next batch: of each check one result, due seven seconds after the last. */
  batch(region: string, number: number): { packed: Buffer; keys: string[] } {
    const due = this.#start + number * 7_000
    const results = this.#checks.map((check, index) =>
      resultOf(check, due + index, this.#random() < 0.1 ? timedOut : {}),
    )
    const keys = results.map(result => `${result.check} ${region} ${result.due}`)
    for (const key of keys) this.#sent.add(key)
    return { packed: pack(results), keys }
  }

  acknowledge(keys: readonly string[]) {
    for (const key of keys) this.#acknowledged.add(key)
  }

  async stored(clickhouse: ClickHouseClient, { isFinal = true } = {}): Promise<Map<string, number>> {
    const found = await rows<{ key: string; times: number }>(
      clickhouse,
      `SELECT concat(toString(check_id), ' ', region, ' ', toString(toUnixTimestamp64Milli(due))) AS key, count() AS times FROM check_results ${isFinal ? 'FINAL' : ''} GROUP BY key`,
    )
    return new Map(found.map(({ key, times }) => [key, times]))
  }

  account(stored: ReadonlyMap<string, number>): Account {
    return {
      acknowledged: this.#acknowledged.size,
      lost: [...this.#acknowledged].filter(key => !stored.has(key)).length,
      doubled: [...stored.values()].filter(times => times > 1).length,
      unexpected: [...stored.keys()].filter(key => !this.#sent.has(key)).length,
      recovered: [...stored.keys()].filter(key => !this.#acknowledged.has(key)).length,
    }
  }
}
