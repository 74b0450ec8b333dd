import { LRUCache } from 'lru-cache'
import { rateKeyOfIp } from './rate.ts'
import { perServices } from './services.ts'

/**
 * Addresses from which too many unknown names were tried: they are refused for a while without a question to the
 * database. Names that were found lately are accepted from everywhere.
 */
class UnknownSenders {
  readonly #accepted = new LRUCache<string, true>({ max: 50_000 })
  readonly #refused = new LRUCache<string, number>({ max: 10_000 })

  isRefused(name: string, ip: string, nowMs: number): boolean {
    const until = this.#refused.get(rateKeyOfIp(ip))
    return until !== undefined && nowMs < until && this.#accepted.get(name) === undefined
  }

  retryAfterS(ip: string, nowMs: number): number {
    return Math.max(1, Math.ceil(((this.#refused.get(rateKeyOfIp(ip)) ?? nowMs) - nowMs) / 1_000))
  }

  accept(name: string): void {
    this.#accepted.set(name, true)
  }

  refuse(ip: string, untilMs: number): void {
    this.#refused.set(rateKeyOfIp(ip), untilMs)
  }
}

/** Names are the addresses of pings. */
export const unknownPingSendersOf = perServices(() => new UnknownSenders())
/** Names are hashes of tokens. */
export const unknownTokenSendersOf = perServices(() => new UnknownSenders())
