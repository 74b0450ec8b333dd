import { LRUCache } from 'lru-cache'
import { rateKeyOfIp } from './rate.ts'
import { perServices } from './services.ts'

/** Senders who tried too many names that nobody has: they are not looked up again for a while. Names that worked lately still do for everybody. */
class Strangers {
  readonly #welcome = new LRUCache<string, true>({ max: 50_000 })
  readonly #refused = new LRUCache<string, number>({ max: 10_000 })

  isRefused(name: string, ip: string, nowMs: number): boolean {
    const until = this.#refused.get(rateKeyOfIp(ip))
    return until !== undefined && nowMs < until && this.#welcome.get(name) === undefined
  }

  retryAfterS(ip: string, nowMs: number): number {
    return Math.max(1, Math.ceil(((this.#refused.get(rateKeyOfIp(ip)) ?? nowMs) - nowMs) / 1_000))
  }

  welcome(name: string): void {
    this.#welcome.set(name, true)
  }

  refuse(ip: string, untilMs: number): void {
    this.#refused.set(rateKeyOfIp(ip), untilMs)
  }
}

/** By the addresses of pings that were tried. */
export const unknownPingSendersOf = perServices(() => new Strangers())
/** By the tokens that were tried, or their hashes. */
export const unknownTokenSendersOf = perServices(() => new Strangers())
