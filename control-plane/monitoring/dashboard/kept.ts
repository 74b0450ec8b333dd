import { LRUCache } from 'lru-cache'

/** Counting takes at most such a share of anybody's time: what took a tenth of a second is kept for five seconds. */
const restTimes = 50
const longestMs = 60_000
/** Whoever counts is waited for so long before another does. */
const countsForMs = 10_000

interface Kept<Value> {
  value: Value
  countedAt: number
  until: number
}

/**
 * What is dear to count and changes little, by tenant: kept the longer the dearer it was, a minute at most. While one request counts
 * anew, the others are told what is known. Bounded, and asked with a key only, so nothing of one tenant reaches another.
 */
export class KeptCounts<Value> {
  readonly #kept: LRUCache<string, Kept<Value>>
  readonly #now: () => number

  constructor({ most = 5_000, now = () => performance.now() } = {}) {
    this.#kept = new LRUCache({ max: most })
    this.#now = now
  }

  async of(tenant: string, count: () => Promise<Value>): Promise<Value> {
    const began = this.#now()
    const known = this.#kept.get(tenant)
    if (known && began < known.until && began - known.countedAt < longestMs) return known.value
    if (known) known.until = began + countsForMs
    const value = await count()
    const now = this.#now()
    this.#kept.set(tenant, { value, countedAt: began, until: now + restTimes * (now - began) })
    return value
  }
}
