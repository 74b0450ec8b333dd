import { LRUCache } from 'lru-cache'

interface CachedValue<Value> {
  /** undefined: the monitor has no value. */
  value: Value | undefined
  loadedAtMs: number
}

type Load<Value> = (monitors: string[]) => Promise<ReadonlyMap<string, Value>>

/** Older values are refreshed in the background; values older than `keptMs` are waited for. */
const freshMs = 4_000
const maxAgeMs = 5_000
const maxEntries = 50_000

/**
 * Caches a value of many monitors for at most five seconds: lists are read again and again, and the query to ClickHouse
 * is the most expensive part of them.
 */
export class RecentValues<Value> {
  readonly #cache = new LRUCache<string, CachedValue<Value>>({ max: maxEntries })
  readonly #loading = new Set<string>()

  /** `scope` contains the tenant, so that no value is returned to another tenant. */
  async of(scope: string, monitors: readonly string[], load: Load<Value>): Promise<Map<string, Value>> {
    const nowMs = performance.now()
    const found = new Map<string, Value>()
    const missing: string[] = []
    const old: string[] = []
    for (const monitor of monitors) {
      const cached = this.#cache.get(`${scope} ${monitor}`)
      if (!cached || nowMs - cached.loadedAtMs > maxAgeMs) {
        missing.push(monitor)
        continue
      }
      if (cached.value !== undefined) found.set(monitor, cached.value)
      if (nowMs - cached.loadedAtMs > freshMs && !this.#loading.has(`${scope} ${monitor}`)) old.push(monitor)
    }
    // if the refresh fails, the values expire and the next caller waits
    if (old.length > 0) this.#load(scope, old, load).catch(() => undefined)
    if (missing.length > 0)
      for (const [monitor, value] of await this.#load(scope, missing, load)) found.set(monitor, value)
    return found
  }

  async #load(scope: string, monitors: string[], load: Load<Value>): Promise<ReadonlyMap<string, Value>> {
    const loadedAtMs = performance.now()
    for (const monitor of monitors) this.#loading.add(`${scope} ${monitor}`)
    try {
      const found = await load(monitors)
      for (const monitor of monitors) this.#cache.set(`${scope} ${monitor}`, { value: found.get(monitor), loadedAtMs })
      return found
    } finally {
      for (const monitor of monitors) this.#loading.delete(`${scope} ${monitor}`)
    }
  }
}
