import { ConcurrencyLimit } from '#control-plane/base/concurrency-limit.ts'
import { tooMany } from './rate.ts'
import type { Services } from './services.ts'

interface Bounds {
  /** In the keys of rates. */
  name: string
  /** Of one tenant. */
  aMinute: number
  /** Of all tenants side by side: each is in memory as a whole. */
  atOnce: number
}

/** Large bodies: one at a time and a few a minute for each tenant. Their bytes are not read before their turn. */
export class UploadLimit {
  readonly #bounds: Bounds
  readonly #limit: ConcurrencyLimit

  constructor(bounds: Bounds) {
    this.#bounds = bounds
    const { atOnce } = bounds
    this.#limit = new ConcurrencyLimit({ atOnce, waiting: 4 * atOnce, atOnceOfKey: 1, waitingOfKey: 0 })
  }

  /** Throws 429 beyond what is allowed of the tenant, 503 beyond what is of all. */
  async run<Value>(
    { rate, clock, metrics }: Pick<Services, 'rate' | 'clock' | 'metrics'>,
    tenantId: string,
    work: () => Promise<Value>,
  ): Promise<Value> {
    const { name, aMinute } = this.#bounds
    const counted = await rate.count(`${name}:${tenantId}`, aMinute, clock.nowMs())
    if (counted.isRefused) {
      metrics.rateRefusals.inc({ class: name })
      throw tooMany(counted)
    }
    return this.#limit.run(work, tenantId)
  }
}
