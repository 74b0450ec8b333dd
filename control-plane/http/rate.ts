import { Refusal } from '#control-plane/base/refusal.ts'
import type { RateClass } from './endpoint.ts'

/** Requests a minute. `auth` is also counted per account. */
export const rateLimits: Record<RateClass, number> = {
  public: 60,
  auth: 10,
  badge: 120,
  ping: 120,
  vitals: 600,
  docs: 60,
  tenant: 300,
  'tenant-context': 600,
  reseller: 120,
  'smtp-test': 5,
  'server-agent': 120,
}

/** Most callers ask a few times and leave. */
const firstPlaces = 4

interface Ring {
  times: Float64Array
  next: number
}

export interface Counted {
  limit: number
  remaining: number
  /** Seconds until one more request is allowed; 0 while some remain. */
  retryAfterS: number
  isRefused: boolean
}

/** Counts a request and says whether it may pass. At once where this process knows by itself. */
export interface RateCounter {
  count(key: string, limit: number, nowMs: number): Counted | Promise<Counted>
}

/**
 * Exact sliding window: in no 60 seconds are more than `limit` requests let through, wherever they begin.
 * Each key keeps the times of what it was granted in a ring that grows to `limit` places; refused requests cost nothing.
 * Keys live in two generations, of which the older is dropped whole: a flood of new keys costs no more than any other request.
 */
export class SlidingWindow implements RateCounter {
  #young = new Map<string, Ring>()
  #old = new Map<string, Ring>()
  readonly #maxKeys: number
  readonly #windowMs: number
  #turnedAt = 0

  constructor(maxKeys = 100_000, windowMs = 60_000) {
    this.#maxKeys = maxKeys
    this.#windowMs = windowMs
  }

  /** Keys held; one of both generations counts twice. */
  get size(): number {
    return this.#young.size + this.#old.size
  }

  count(key: string, limit: number, nowMs: number): Counted {
    const windowMs = this.#windowMs
    const ring = this.#ringOf(key, limit, nowMs)
    // the place about to be overwritten holds the oldest grant kept; one still inside the window must stay
    const oldest = ring.times[ring.next]!
    if (oldest > nowMs - windowMs) {
      if (ring.times.length >= limit)
        return {
          limit,
          remaining: 0,
          retryAfterS: Math.max(1, Math.ceil((oldest + windowMs - nowMs) / 1000)),
          isRefused: true,
        }
      grow(ring, limit)
    }
    ring.times[ring.next] = nowMs
    ring.next = (ring.next + 1) % ring.times.length
    return {
      limit,
      remaining: limit - ring.times.length + free(ring, nowMs - windowMs),
      retryAfterS: 0,
      isRefused: false,
    }
  }

  /** Whether the next request of this key would be refused. Counts nothing, and keeps nothing of a key that it does not know. */
  isSpent(key: string, limit: number, nowMs: number): boolean {
    const ring = this.#young.get(key) ?? this.#old.get(key)
    return ring !== undefined && ring.times.length >= limit && ring.times[ring.next]! > nowMs - this.#windowMs
  }

  /** Each key with the moments, later than the one given, at which it was let through. */
  *grants(sinceMs: number): Generator<[key: string, times: number[]]> {
    const rings = new Map([...this.#old, ...this.#young])
    for (const [key, { times }] of rings) {
      const live = [...times].filter(time => time > sinceMs)
      if (live.length > 0) yield [key, live]
    }
  }

  #ringOf(key: string, limit: number, nowMs: number): Ring {
    const known = this.#young.get(key)
    if (known) return known
    // whoever asked within the window is in one of the last two generations, unless so many others came since
    if (nowMs - this.#turnedAt >= this.#windowMs || this.#young.size >= this.#maxKeys / 2) {
      this.#old = this.#young
      this.#young = new Map()
      this.#turnedAt = nowMs
    }
    const ring = this.#old.get(key) ?? {
      times: new Float64Array(Math.min(firstPlaces, limit)).fill(-Infinity),
      next: 0,
    }
    this.#young.set(key, ring)
    return ring
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
function free({ times, next }: Ring, sinceMs: number): number {
  let low = 0
  let high = times.length
  while (low < high) {
    const middle = (low + high) >> 1
    if (times[(next + middle) % times.length]! > sinceMs) high = middle
    else low = middle + 1
  }
  return low
}

export const tooMany = (counted: Counted) =>
  new Refusal(429, 'rate_limited', 'Too many requests.', {
    headers: { ...rateHeaders(counted), 'Retry-After': String(counted.retryAfterS) },
  })

export const rateHeaders = (counted: Counted): Record<string, string> => ({
  'X-RateLimit-Limit': String(counted.limit),
  'X-RateLimit-Remaining': String(counted.remaining),
})

/** Names and values in turn. */
export const rateHeaderList = (counted: Counted): string[] => [
  'X-RateLimit-Limit',
  String(counted.limit),
  'X-RateLimit-Remaining',
  String(counted.remaining),
]

/** IPv6 callers are counted by their /64: a home has as many addresses as it likes. */
export function rateKeyOfIp(ip: string): string {
  if (!ip.includes(':') || ip.startsWith('::ffff:')) return ip.replace('::ffff:', '')
  const [head = '', tail] = ip.split('::')
  const groups = head.split(':').filter(Boolean)
  const rest = tail === undefined ? [] : tail.split(':').filter(Boolean)
  while (groups.length + rest.length < 8) groups.push('0')
  return [...groups, ...rest].slice(0, 4).join(':')
}
