import { rateKeyOfIp } from '#control-plane/kernel/rate.ts'
import type { Services } from '#control-plane/kernel/services.ts'
import { Recent } from '#control-plane/monitoring/badges/cache.ts'

/** Senders who tried too many addresses that nobody has: they are not looked up again for a while. Addresses that worked lately still do for everybody. */
class Strangers {
  readonly #welcome = new Recent<true>(50_000)
  readonly #refused = new Recent<number>(10_000)

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

const kept = new WeakMap<Services, Strangers>()

export function strangersOf(services: Services): Strangers {
  const known = kept.get(services) ?? new Strangers()
  kept.set(services, known)
  return known
}
