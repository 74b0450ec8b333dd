import { FairQueue } from '#contract/fair-queue.ts'
import { busy } from './refusal.ts'

interface Bounds {
  /** Calls that run side by side. */
  atOnce: number
  /** Calls that may wait. */
  waiting: number
  /** Calls of one key that run side by side, and that may wait: by default as many as of all keys. */
  atOnceOfKey?: number
  waitingOfKey?: number
}

interface Waiting {
  key: string
  begin(): void
}

/**
 * Runs a few expensive calls at a time. Keys, such as tenants, take turns; calls of one key run in order of arrival.
 * Calls beyond those that may wait are refused at once: 503, or 429 where only those of the key are too many.
 */
export class ConcurrencyLimit {
  readonly #bounds: Required<Bounds>
  readonly #queue = new FairQueue<Waiting>()
  readonly #waitingBy = new Map<string, number>()
  readonly #runningBy = new Map<string, number>()
  #waiting = 0
  #running = 0

  constructor({ atOnce, waiting, atOnceOfKey = atOnce, waitingOfKey = waiting }: Bounds) {
    this.#bounds = { atOnce, waiting, atOnceOfKey, waitingOfKey }
  }

  async run<Value>(work: () => Promise<Value>, key = ''): Promise<Value> {
    if (this.#mayRun(key)) this.#begin(key)
    else await this.#wait(key)
    try {
      return await work()
    } finally {
      this.#running--
      add(this.#runningBy, key, -1)
      this.#next()
    }
  }

  #mayRun(key: string): boolean {
    return this.#running < this.#bounds.atOnce && (this.#runningBy.get(key) ?? 0) < this.#bounds.atOnceOfKey
  }

  #begin(key: string): void {
    this.#running++
    add(this.#runningBy, key, 1)
  }

  #wait(key: string): Promise<void> {
    if (this.#waiting >= this.#bounds.waiting) throw busy({ isOwn: false })
    if ((this.#waitingBy.get(key) ?? 0) >= this.#bounds.waitingOfKey) throw busy({ isOwn: true })
    this.#waiting++
    add(this.#waitingBy, key, 1)
    return new Promise(begin => this.#queue.push(key, { key, begin }))
  }

  /** In the same step as the end of a call, so that no later call takes its place. */
  #next(): void {
    while (this.#running < this.#bounds.atOnce) {
      const [next] = this.#queue.take(key => this.#mayRun(key))
      if (!next) return
      this.#waiting--
      add(this.#waitingBy, next.key, -1)
      this.#begin(next.key)
      next.begin()
    }
  }
}

function add(counts: Map<string, number>, key: string, by: 1 | -1): void {
  const count = (counts.get(key) ?? 0) + by
  if (count === 0) counts.delete(key)
  else counts.set(key, count)
}
