import type { IncomingMessage } from 'node:http'
import { rateKeyOfIp, SlidingWindow } from './rate.ts'
import { clientAddressOf } from './sender.ts'
import { perServices, type Services } from './services.ts'

/** Refused requests of one address in a minute. */
const refusedAtMost = 300

/**
 * Counts refused requests by address. An address beyond its number is answered all the same, and its connection closed: to come again
 * costs it more than to be refused costs us. Behind a proxy the connection is the proxy's, which others use.
 */
export class RefusalCounter {
  readonly #services: Pick<Services, 'config' | 'clock'>
  readonly #window = new SlidingWindow(20_000)

  constructor(services: Pick<Services, 'config' | 'clock'>) {
    this.#services = services
  }

  /** Counts one; whether its connection is to be closed. */
  isOneTooMany(request: IncomingMessage): boolean {
    const { config, clock } = this.#services
    if (config.trustedProxies > 0) return false
    return this.#window.count(rateKeyOfIp(clientAddressOf(request, 0)), refusedAtMost, clock.nowMs()).isRefused
  }
}

export const refusalCounterOf = perServices(services => new RefusalCounter(services))
