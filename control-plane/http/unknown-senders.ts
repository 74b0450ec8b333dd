import { LRUCache } from 'lru-cache'
import { type Counted, rateKeyOfIp, rateLimits, SlidingWindow } from './rate.ts'
import { perServices } from './services.ts'

/** Refusals of one name from one address in a minute that ask the database. */
const ofOneName = rateLimits.public

/**
 * Addresses from which too many unknown names were tried: they are refused for a while without a question to the
 * database. Names that were found lately are accepted from everywhere. One name counts once a minute for its address,
 * however often it is tried: a program with a dead token does not lock out others behind the same address.
 */
class UnknownSenders {
  readonly #accepted = new LRUCache<string, true>({ max: 50_000 })
  readonly #refused = new LRUCache<string, number>({ max: 10_000 })
  readonly #names = new SlidingWindow(20_000)

  isRefused(name: string, ip: string, nowMs: number): boolean {
    if (this.#accepted.get(name) !== undefined) return false
    const until = this.#refused.get(rateKeyOfIp(ip))
    return (until !== undefined && nowMs < until) || this.#names.isSpent(keyOf(name, ip), ofOneName, nowMs)
  }

  retryAfterS(ip: string, nowMs: number): number {
    const until = this.#refused.get(rateKeyOfIp(ip)) ?? nowMs
    return until > nowMs ? Math.ceil((until - nowMs) / 1_000) : 60
  }

  accept(name: string): void {
    this.#accepted.set(name, true)
  }

  /** Counts a name that was not found. `isFirst`: it is to be counted for its address as well. */
  count(name: string, ip: string, nowMs: number): Counted & { isFirst: boolean } {
    const counted = this.#names.count(keyOf(name, ip), ofOneName, nowMs)
    return { ...counted, isFirst: !counted.isRefused && counted.remaining === ofOneName - 1 }
  }

  refuse(ip: string, untilMs: number): void {
    this.#refused.set(rateKeyOfIp(ip), untilMs)
  }
}

const keyOf = (name: string, ip: string) => `${rateKeyOfIp(ip)} ${name}`

/** Names are the addresses of pings. */
export const unknownPingSendersOf = perServices(() => new UnknownSenders())
/** Names are hashes of tokens. */
export const unknownTokenSendersOf = perServices(() => new UnknownSenders())
