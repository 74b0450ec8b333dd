import type { Delivery } from './delivery.ts'

export const laneWidth = 6
const mostWaiting = 1_000
/** How long nothing is tried at once on a channel that has let us wait in vain. */
const brokenMs = 10_000

/** What one channel is being sent: some at a time, and about the same thing one after the other. */
export class Lane {
  #waiting: Delivery[] = []
  readonly #busy = new Set<string>()
  #running = 0
  #brokenUntil = 0

  /** Whether messages should go by without a first attempt: the channel hangs, or cannot keep up. */
  get isBroken(): boolean {
    return this.#brokenUntil > performance.now() || this.#waiting.length >= mostWaiting
  }

  get isIdle(): boolean {
    return this.#running === 0 && this.#waiting.length === 0 && this.#brokenUntil <= performance.now()
  }

  add(delivery: Delivery): void {
    this.#waiting.push(delivery)
  }

  /** The next to try, if there is room. */
  take(): Delivery | undefined {
    // what hangs is tried one at a time, so that many that hang together leave room for the others
    if (this.#running >= (this.#brokenUntil > performance.now() ? 1 : laneWidth)) return
    const index = this.#waiting.findIndex(({ subject }) => subject === null || !this.#busy.has(subject))
    if (index === -1) return
    const [next] = this.#waiting.splice(index, 1)
    this.#running++
    if (next?.subject) this.#busy.add(next.subject)
    return next
  }

  /** Answers what waits no longer: when the channel hangs, that is everything for a first time. */
  release({ subject }: Delivery, { hung, delivered }: { hung: boolean; delivered: boolean }): Delivery[] {
    this.#running--
    if (subject) this.#busy.delete(subject)
    if (delivered) this.#brokenUntil = 0
    if (!hung) return []
    this.#brokenUntil = performance.now() + brokenMs
    // a retry is not passed by: there are only three
    const passed = this.#waiting.filter(({ attempts }) => attempts === 0)
    this.#waiting = this.#waiting.filter(({ attempts }) => attempts > 0)
    return passed
  }
}
