import { FairSlots } from '#contract/fair-queue.ts'
import type { Registration } from './registration.ts'

export interface StoredAnswer {
  registration: Registration
  source: 'rdap' | 'whois'
  server: string
  /** When the registry answered, in milliseconds of the server's clock. */
  at: number
}

/** An answer of at most this age is reused: confirmation runs, and other monitors of the domain, send no query. */
export const freshMs = 600_000
/** Answers older than this are dropped: after a month without contact they may be wrong. */
const maxAgeMs = 30 * 86_400_000

/**
 * Concurrent queries to one server: more would get the region blocked for every tenant. One tenant may have at most
 * half.
 */
const maxConcurrent = 16

/**
 * The last answers of registries, and servers that must not be queried for a while. Shared by all checks of an agent.
 */
export class RegistryMemory {
  readonly #known = new Map<string, StoredAnswer>()
  readonly #pausedUntil = new Map<string, number>()
  readonly #referrals = new Map<string, { server: string | null; until: number }>()
  readonly #slots = new Map<string, FairSlots>()
  readonly #max: number

  constructor(max = 20_000) {
    this.#max = max
  }

  get(domain: string, now: number): StoredAnswer | undefined {
    const known = this.#known.get(domain)
    return known && now - known.at < maxAgeMs ? known : undefined
  }

  store(domain: string, known: StoredAnswer) {
    bounded(this.#known, domain, known, this.#max)
  }

  /** Another source disproved this answer. */
  forget(domain: string) {
    this.#known.delete(domain)
  }

  isPaused(server: string, now: number): boolean {
    return now < (this.#pausedUntil.get(server) ?? 0)
  }

  pause(server: string, until: number) {
    bounded(this.#pausedUntil, server, until, 1_000)
  }

  /** Queries a server once the tenant has a slot. */
  async query<Answer>(
    server: string,
    { tenant = '', signal }: { tenant?: string | undefined; signal: AbortSignal },
    query: () => Promise<Answer>,
  ): Promise<Answer> {
    const slots = this.#slots.get(server) ?? new FairSlots(maxConcurrent)
    bounded(this.#slots, server, slots, 1_000)
    const release = await slots.take(tenant, signal)
    try {
      return await query()
    } finally {
      release()
    }
  }

  /** The WHOIS server IANA names for a zone; null when there is none, undefined when not recently queried. */
  referral(zone: string, now: number): string | null | undefined {
    const known = this.#referrals.get(zone)
    return known && now < known.until ? known.server : undefined
  }

  setReferral(zone: string, server: string | null, now: number) {
    bounded(this.#referrals, zone, { server, until: now + 86_400_000 }, 2_000)
  }
}

/** Keeps the newest entries. */
function bounded<T>(map: Map<string, T>, key: string, value: T, max: number) {
  map.delete(key)
  map.set(key, value)
  if (map.size > max) map.delete(map.keys().next().value ?? '')
}
