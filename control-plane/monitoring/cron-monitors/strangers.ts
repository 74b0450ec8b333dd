import { LRUCache } from 'lru-cache'
import { rateKeyOfIp } from '#control-plane/kernel/rate.ts'
import { perServices } from '#control-plane/kernel/services.ts'

/** Senders who tried too many addresses that nobody has: they are not looked up again for a while. Addresses that worked lately still do for everybody. */
class Strangers {
  readonly #welcome = new LRUCache<string, true>({ max: 50_000 })
  readonly #refused = new LRUCache<string, number>({ max: 10_000 })

  isRefused(address: string, ip: string, nowMs: number): boolean {
    const until = this.#refused.get(rateKeyOfIp(ip))
    return until !== undefined && nowMs < until && this.#welcome.get(address) === undefined
  }

  retryAfterS(ip: string, nowMs: number): number {
    return Math.max(1, Math.ceil(((this.#refused.get(rateKeyOfIp(ip)) ?? nowMs) - nowMs) / 1_000))
  }

  welcome(address: string): void {
    this.#welcome.set(address, true)
  }

  refuse(ip: string, untilMs: number): void {
    this.#refused.set(rateKeyOfIp(ip), untilMs)
  }
}

export const strangersOf = perServices(() => new Strangers())
