import { FairSlots } from '#contract/fair-queue.ts'
import type { Registration } from './registration.ts'

export interface Known {
  registration: Registration
  source: 'rdap' | 'whois'
  server: string
  /** When the registry said so, in the server's milliseconds. */
  at: number
}

/** An answer of this age stands for a new one: a look that confirms, or a second monitor of the domain, asks nobody. */
export const freshMs = 600_000
/** An answer is no longer told once it is this old: who has been silent for a month may have changed its mind. */
const keptMs = 30 * 86_400_000

/** Questions to one server at once: who asks more is soon refused, and with it every tenant of this region. One tenant alone has half. */
const questionsAtOnce = 16

/** What the registries said last, and whom of them not to ask for a while. Shared by all checks of an agent. */
export class RegistryMemory {
  readonly #known = new Map<string, Known>()
  readonly #restUntil = new Map<string, number>()
  readonly #referrals = new Map<string, { server: string | null; until: number }>()
  readonly #slots = new Map<string, FairSlots>()
  readonly #max: number

  constructor(max = 20_000) {
    this.#max = max
  }

  get(domain: string, now: number): Known | undefined {
    const known = this.#known.get(domain)
    return known && now - known.at < keptMs ? known : undefined
  }

  note(domain: string, known: Known) {
    bounded(this.#known, domain, known, this.#max)
  }

  /** Another answer has come that makes this one worthless. */
  forget(domain: string) {
    this.#known.delete(domain)
  }

  rests(server: string, now: number): boolean {
    return now < (this.#restUntil.get(server) ?? 0)
  }

  rest(server: string, until: number) {
    bounded(this.#restUntil, server, until, 1_000)
  }

  /** Asks a server once it is this tenant's turn. */
  async ask<Answer>(
    server: string,
    { tenant = '', signal }: { tenant?: string | undefined; signal: AbortSignal },
    ask: () => Promise<Answer>,
  ): Promise<Answer> {
    const slots = this.#slots.get(server) ?? new FairSlots(questionsAtOnce)
    bounded(this.#slots, server, slots, 1_000)
    const release = await slots.take(tenant, signal)
    try {
      return await ask()
    } finally {
      release()
    }
  }

  /** The WHOIS server IANA named for a zone; null when it named none, undefined when it has not been asked of late. */
  referral(zone: string, now: number): string | null | undefined {
    const known = this.#referrals.get(zone)
    return known && now < known.until ? known.server : undefined
  }

  refer(zone: string, server: string | null, now: number) {
    bounded(this.#referrals, zone, { server, until: now + 86_400_000 }, 2_000)
  }
}

/** The youngest stay. */
function bounded<T>(map: Map<string, T>, key: string, value: T, max: number) {
  map.delete(key)
  map.set(key, value)
  if (map.size > max) map.delete(map.keys().next().value ?? '')
}
