import type { Context } from 'koa'
import type { Caller } from '#control-plane/base/caller.ts'
import { Refusal } from '#control-plane/base/refusal.ts'
import type { RateClass } from '#control-plane/http/rate.ts'
import { type Counted, rateHeaderList, rateKeyOfIp, rateLimits, tooMany } from '#control-plane/http/rate.ts'
import type { Services } from '#control-plane/http/services.ts'
import { unknownTokenSendersOf } from '#control-plane/http/unknown-senders.ts'

/** What access checks count. */
export type AccessRate = Pick<
  RequestRate,
  'count' | 'countAddress' | 'countTenant' | 'refuseUnknownSender' | 'acceptSender' | 'countRefusals'
>

/** Counts nothing: for a caller who is admitted again while an answer is open. */
export const uncounted: AccessRate = {
  count: () => undefined,
  countAddress: () => undefined,
  countTenant: async () => undefined,
  refuseUnknownSender: () => undefined,
  acceptSender: () => undefined,
  countRefusals: (_, admit) => admit(),
}

/** Counts one request against its limits. A request beyond one of them is refused with 429. */
export class RequestRate {
  readonly #context: Context
  readonly #services: Services
  readonly #addressKey: string

  constructor(context: Context, services: Services) {
    this.#context = context
    this.#services = services
    this.#addressKey = `ip:${rateKeyOfIp(context.state.ip)}`
  }

  count(rateClass: RateClass, key: string): void | Promise<void> {
    const { rate, clock } = this.#services
    const counted = rate.count(`${rateClass}:${key}`, rateLimits[rateClass], clock.nowMs())
    return counted instanceof Promise
      ? counted.then(later => this.#apply(rateClass, later))
      : this.#apply(rateClass, counted)
  }

  countAddress(rateClass: RateClass): void | Promise<void> {
    return this.count(rateClass, this.#addressKey)
  }

  /** Counts all tokens of a tenant together. An impersonator counts for their own tenant. */
  async countTenant({ tenant, impersonator }: Caller): Promise<void> {
    const { rate, clock, config } = this.#services
    const key = `tenant-total:${impersonator?.tenantId ?? tenant.id}`
    this.#refuse('tenant-total', await rate.count(key, config.tenantRate, clock.nowMs()))
  }

  /** Refuses an address that has used up its failed attempts, before the database is asked. */
  refuseUnknownSender(tokenHash: string): void {
    const { ip } = this.#context.state
    const senders = unknownTokenSendersOf(this.#services)
    const now = this.#services.clock.nowMs()
    if (!senders.isRefused(tokenHash, ip, now)) return
    const retryAfterS = senders.retryAfterS(ip, now)
    this.#apply('public', { limit: rateLimits.public, remaining: 0, retryAfterS, isRefused: true })
  }

  acceptSender(tokenHash: string): void {
    unknownTokenSendersOf(this.#services).accept(tokenHash)
  }

  /** Counts a caller who is not admitted, by their token, and by their address once for each token. */
  async countRefusals<Found>(tokenHash: () => string, admit: () => Promise<Found>): Promise<Found> {
    try {
      return await admit()
    } catch (error) {
      if (error instanceof Refusal && (error.status === 401 || error.status === 403))
        await this.#countFailure(tokenHash())
      throw error
    }
  }

  async #countFailure(tokenHash: string): Promise<void> {
    const { rate, clock } = this.#services
    const { ip } = this.#context.state
    const now = clock.nowMs()
    const senders = unknownTokenSendersOf(this.#services)
    const ofToken = senders.count(tokenHash, ip, now)
    if (!ofToken.isFirst) return this.#apply('public', ofToken)
    const counted = await rate.count(`public:${this.#addressKey}`, rateLimits.public, now)
    if (counted.isRefused) senders.refuse(ip, now + counted.retryAfterS * 1_000)
    this.#apply('public', counted)
  }

  #apply(rateClass: RateClass, counted: Counted): void {
    this.#context.state.responseHeaders.push(...rateHeaderList(counted))
    this.#refuse(rateClass, counted)
  }

  #refuse(rateClass: string, counted: Counted): void {
    if (!counted.isRefused) return
    this.#services.metrics.rateRefusals.inc({ class: rateClass })
    throw tooMany(counted)
  }
}
