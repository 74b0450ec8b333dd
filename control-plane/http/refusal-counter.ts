import type { IncomingMessage } from 'node:http'
import { rateKeyOfIp, SlidingWindow } from './rate.ts'
import { perServices, type Services } from './services.ts'
import { clientAddressOf } from './stages/address.ts'

/** Refused requests of one address in a minute. */
const refusedAtMost = 300

/**
 * Counts refused requests by address. An address beyond its number is still answered, but its connection is closed: a
 * new connection costs the caller more than the refusal costs us. Behind a proxy other callers share the connection.
 */
export class RefusalCounter {
  readonly #services: Pick<Services, 'config' | 'clock'>
  readonly #window = new SlidingWindow(20_000)

  constructor(services: Pick<Services, 'config' | 'clock'>) {
    this.#services = services
  }

  /** Counts one refusal. True when its connection must be closed. */
  isOneTooMany(request: IncomingMessage): boolean {
    const { config, clock } = this.#services
    if (config.trustedProxies > 0) return false
    return this.#window.count(rateKeyOfIp(clientAddressOf(request, 0)), refusedAtMost, clock.nowMs()).isRefused
  }
}

export const refusalCounterOf = perServices(services => new RefusalCounter(services))
