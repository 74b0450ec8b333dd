import type { RateClass } from './endpoint.ts'
import { Refusal } from './refusal.ts'

/** Requests a minute. `auth` is also counted per account. */
export const rateLimits: Record<RateClass, number> = {
  public: 60,
  auth: 10,
  badge: 120,
  tenant: 300,
  'tenant-context': 600,
  reseller: 120,
}

const windowMs = 60_000
/** Most callers ask a few times and leave. */
const firstPlaces = 4

interface Ring {
  times: Float64Array
  next: number
  newest: number
}

export interface Counted {
  limit: number
  remaining: number
  /** Seconds until one more request is allowed; 0 while some remain. */
  retryAfterS: number
  isRefused: boolean
}

/**
 * Exact sliding window: in no 60 seconds are more than `limit` requests let through, wherever they begin.
 * Each key keeps the times of what it was granted in a ring that grows to `limit` places; refused requests cost nothing.
 */
export class SlidingWindow {
  readonly #rings = new Map<string, Ring>()
  readonly #maxKeys: number
  #sweptAt = 0

  constructor(maxKeys = 50_000) {
    this.#maxKeys = maxKeys
  }

  get size(): number {
    return this.#rings.size
  }

  count(key: string, limit: number, nowMs: number): Counted {
    this.#sweep(nowMs)
    let ring = this.#rings.get(key)
    if (!ring) {
      ring = { times: new Float64Array(Math.min(firstPlaces, limit)).fill(-Infinity), next: 0, newest: nowMs }
      this.#rings.set(key, ring)
    }
    // the place about to be overwritten holds the oldest grant kept; one still inside the window must stay
    const oldest = ring.times[ring.next]!
    if (oldest > nowMs - windowMs) {
      if (ring.times.length >= limit) return { limit, remaining: 0, retryAfterS: Math.max(1, Math.ceil((oldest + windowMs - nowMs) / 1000)), isRefused: true }
      grow(ring, limit)
    }
    ring.times[ring.next] = nowMs
    ring.next = (ring.next + 1) % ring.times.length
    ring.newest = nowMs
    return { limit, remaining: limit - ring.times.length + free(ring, nowMs), retryAfterS: 0, isRefused: false }
  }

  #sweep(nowMs: number): void {
    if (nowMs - this.#sweptAt < windowMs && this.#rings.size < this.#maxKeys) return
    this.#sweptAt = nowMs
    for (const [key, ring] of this.#rings) if (ring.newest <= nowMs - windowMs) this.#rings.delete(key)
    // under a flood of new keys the oldest go first: memory stays bounded
    for (const key of this.#rings.keys()) {
      if (this.#rings.size < this.#maxKeys) break
      this.#rings.delete(key)
    }
  }
}

/** Twice the places, the new ones as the oldest. */
function grow(ring: Ring, limit: number): void {
  const { times, next } = ring
  const grown = new Float64Array(Math.min(limit, times.length * 2)).fill(-Infinity)
  const empty = grown.length - times.length
  grown.set(times.subarray(next), empty)
  grown.set(times.subarray(0, next), empty + times.length - next)
  ring.times = grown
  ring.next = 0
}

/** Grants are in order around the ring, so the first still inside the window is found by halving. */
function free({ times, next }: Ring, nowMs: number): number {
  let low = 0
  let high = times.length
  while (low < high) {
    const middle = (low + high) >> 1
    if (times[(next + middle) % times.length]! > nowMs - windowMs) high = middle
    else low = middle + 1
  }
  return low
}

export const tooMany = (counted: Counted) =>
  new Refusal(429, 'rate_limited', 'Too many requests.', { headers: { ...rateHeaders(counted), 'Retry-After': String(counted.retryAfterS) } })

export const rateHeaders = (counted: Counted): Record<string, string> => ({
  'X-RateLimit-Limit': String(counted.limit),
  'X-RateLimit-Remaining': String(counted.remaining),
})

/** IPv6 callers are counted by their /64: a home has as many addresses as it likes. */
export function rateKeyOfIp(ip: string): string {
  if (!ip.includes(':') || ip.startsWith('::ffff:')) return ip.replace('::ffff:', '')
  const [head = '', tail] = ip.split('::')
  const groups = head.split(':').filter(Boolean)
  const rest = tail === undefined ? [] : tail.split(':').filter(Boolean)
  while (groups.length + rest.length < 8) groups.push('0')
  return [...groups, ...rest].slice(0, 4).join(':')
}
