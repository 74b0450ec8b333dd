import { unavailable } from './refusal.ts'

interface Bounds {
  /** Calls that run side by side. */
  atOnce: number
  /** Calls that may wait. */
  waiting: number
}

/**
 * Runs a few expensive calls at a time, in order of arrival. Calls beyond those that may wait are refused at once with
 * a 503.
 */
export class ConcurrencyLimit {
  readonly #bounds: Bounds
  readonly #queue: (() => void)[] = []
  #running = 0

  constructor(bounds: Bounds) {
    this.#bounds = bounds
  }

  async run<Value>(work: () => Promise<Value>): Promise<Value> {
    if (this.#running >= this.#bounds.atOnce) {
      if (this.#queue.length >= this.#bounds.waiting) throw unavailable('Too many such requests are in work.')
      // a call that ends passes its place on, so that no later call can take it
      await new Promise<void>(resolve => this.#queue.push(resolve))
    } else this.#running++
    try {
      return await work()
    } finally {
      const next = this.#queue.shift()
      if (next) next()
      else this.#running--
    }
  }
}
