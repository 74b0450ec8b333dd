import { LRUCache } from 'lru-cache'

/** A count is cached for this many times as long as it took: a tenth of a second gives five seconds. */
const keepFactor = 50
const longestMs = 60_000
/** While a request counts, other requests get the old value for this time at most. */
const countingMs = 10_000

interface Counted<Value> {
  value: Value
  countedAt: number
  until: number
}

/**
 * Caches counts that are expensive and change little, by tenant: longer the more expensive they are, a minute at most.
 * While one request counts again, the others get the cached value. The number of tenants is bounded.
 */
export class CachedCounts<Value> {
  readonly #kept: LRUCache<string, Counted<Value>>
  readonly #now: () => number

  constructor({ most = 5_000, now = () => performance.now() } = {}) {
    this.#kept = new LRUCache({ max: most })
    this.#now = now
  }

  async of(tenant: string, count: () => Promise<Value>): Promise<Value> {
    const began = this.#now()
    const known = this.#kept.get(tenant)
    if (known && began < known.until && began - known.countedAt < longestMs) return known.value
    if (known) known.until = began + countingMs
    const value = await count()
    const now = this.#now()
    this.#kept.set(tenant, { value, countedAt: began, until: now + keepFactor * (now - began) })
    return value
  }
}
