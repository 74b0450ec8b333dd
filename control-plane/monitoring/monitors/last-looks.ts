import { LRUCache } from 'lru-cache'
import type { ClickHouseClient } from '#analytics/client.ts'
import { lastLooked } from '#analytics/queries/last-looked.ts'

interface Kept {
  /** null: never looked at. */
  atMs: number | null
  askedAtMs: number
}

/** What was asked longer ago is asked again, but not waited for; what is older than `keptMs` is. */
const freshMs = 1_000
const keptMs = 5_000
const keptAtMost = 50_000

/**
 * When monitors of a list were looked at last, at most five seconds old: a list that is shown to somebody is read again and again, and to ask
 * ClickHouse costs more than all the rest of it.
 */
export class LastLooks {
  readonly #clickhouse: ClickHouseClient
  readonly #kept = new LRUCache<string, Kept>({ max: keptAtMost })
  readonly #asking = new Set<string>()

  constructor(clickhouse: ClickHouseClient) {
    this.#clickhouse = clickhouse
  }

  async of(tenant: string, monitors: readonly string[]): Promise<Map<string, number>> {
    const nowMs = performance.now()
    const ageOf = (monitor: string) => nowMs - (this.#kept.get(keyOf(tenant, monitor))?.askedAtMs ?? Number.NEGATIVE_INFINITY)
    const missing = monitors.filter(monitor => ageOf(monitor) > keptMs)
    if (missing.length > 0) await this.#ask(tenant, missing)
    const found = new Map<string, number>()
    for (const monitor of monitors) {
      const atMs = this.#kept.get(keyOf(tenant, monitor))?.atMs
      if (atMs != null) found.set(monitor, atMs)
    }
    const old = monitors.filter(monitor => ageOf(monitor) > freshMs && !this.#asking.has(keyOf(tenant, monitor)))
    // should it fail, they grow old and are waited for
    if (old.length > 0) this.#ask(tenant, old).catch(() => undefined)
    return found
  }

  async #ask(tenant: string, monitors: readonly string[]): Promise<void> {
    const keys = monitors.map(monitor => keyOf(tenant, monitor))
    const askedAtMs = performance.now()
    for (const key of keys) this.#asking.add(key)
    try {
      const rows = await lastLooked(this.#clickhouse, { tenant, monitors: [...monitors] })
      const at = new Map(rows.map(row => [keyOf(tenant, row.monitor_id), row.at_ms]))
      for (const key of keys) this.#kept.set(key, { atMs: at.get(key) ?? null, askedAtMs })
    } finally {
      for (const key of keys) this.#asking.delete(key)
    }
  }
}

/** The tenant is part of it: what somebody else asked for must never be answered from here. */
const keyOf = (tenant: string, monitor: string) => `${tenant} ${monitor}`
