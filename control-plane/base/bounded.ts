import { unavailable } from './refusal.ts'

interface Bounds {
  /** Pieces of work that run side by side. */
  atOnce: number
  /** Pieces of work that may wait for their turn. */
  waiting: number
}

/** Runs dear work a few pieces at a time, in the order of arrival. Work beyond what may wait is refused at once with a 503. */
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
      // whoever ends hands its place on, so that nobody who comes meanwhile takes it
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
