import { Refusal } from '#control-plane/base/refusal.ts'

/** Requests a minute. `auth` is also counted per account. */
export const rateLimits = {
  public: 60,
  auth: 10,
  badge: 120,
  ping: 120,
  vitals: 600,
  docs: 60,
  // the session of a browser: a page of the app is four to eight calls
  app: 600,
  tenant: 300,
  'tenant-context': 600,
  reseller: 120,
  'smtp-test': 5,
  'domain-check': 10,
  subscribe: 10,
  // a proxy has one address, and asks for each name that visitors come with
  'domain-ask': 600,
  // a payment provider sends from few addresses
  'payment-events': 1_200,
  'server-agent': 120,
  // Entra ID asks for 25 a second
  scim: 1_500,
} as const satisfies Record<string, number>
export type RateClass = keyof typeof rateLimits

/** Most keys are used a few times only. */
const firstPlaces = 4

interface Ring {
  times: Float64Array
  next: number
}

export interface Counted {
  limit: number
  remaining: number
  /** Seconds until one more request is allowed; 0 while requests remain. */
  retryAfterS: number
  isRefused: boolean
}

/** Counts a request and returns whether it may pass: at once where this process can decide alone. */
export interface RateCounter {
  count(key: string, limit: number, nowMs: number): Counted | Promise<Counted>
}

/**
 * Exact sliding window: no 60 seconds, wherever they begin, have more than `limit` granted requests. Each key keeps the
 * times of its grants in a ring that grows to `limit` places; refused requests cost nothing. Keys live in two
 * generations, of which the older is dropped as a whole, so a flood of new keys costs no more than other requests.
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

  /** Keys in memory. A key in both generations counts twice. */
  get size(): number {
    return this.#young.size + this.#old.size
  }

  count(key: string, limit: number, nowMs: number): Counted {
    const windowMs = this.#windowMs
    const ring = this.#ringOf(key, limit, nowMs)
    // the next place has the oldest grant; inside the window it must not be overwritten
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

  /** Whether the next request of this key would be refused. Counts nothing. */
  isSpent(key: string, limit: number, nowMs: number): boolean {
    const ring = this.#young.get(key) ?? this.#old.get(key)
    return ring !== undefined && ring.times.length >= limit && ring.times[ring.next]! > nowMs - this.#windowMs
  }

  /** Each key with the times of its grants since a moment. */
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
    // a key used within the window is in one of the last two generations, unless too many others came since
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

/** Doubles the places; the new ones count as the oldest. */
function grow(ring: Ring, limit: number): void {
  const { times, next } = ring
  const grown = new Float64Array(Math.min(limit, times.length * 2)).fill(-Infinity)
  const empty = grown.length - times.length
  grown.set(times.subarray(next), empty)
  grown.set(times.subarray(0, next), empty + times.length - next)
  ring.times = grown
  ring.next = 0
}

/** Grants are in order around the ring, so a binary search finds the first one inside the window. */
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

/**
 * IPv6 callers are counted by their /64: one household has that many addresses. By hand, as it runs for each request:
 * ipaddr.js takes twice as long.
 */
export function rateKeyOfIp(ip: string): string {
  if (!ip.includes(':') || ip.startsWith('::ffff:')) return ip.replace('::ffff:', '')
  const [head = '', tail] = ip.split('::')
  const groups = head.split(':').filter(Boolean)
  const rest = tail === undefined ? [] : tail.split(':').filter(Boolean)
  while (groups.length + rest.length < 8) groups.push('0')
  return [...groups, ...rest].slice(0, 4).join(':')
}
