import type { Delivery } from './delivery.ts'

export const queueWidth = 6
const mostWaiting = 1_000
/** How long first attempts are skipped on a channel whose last attempt timed out. */
const brokenMs = 10_000

/**
 * The deliveries of one channel that are claimed: a few are sent at a time, those about the same subject one after the
 * other.
 */
export class ChannelQueue {
  #waiting: Delivery[] = []
  readonly #busy = new Set<string>()
  #running = 0
  #brokenUntil = 0

  /** Whether new deliveries skip the first attempt: the channel hangs, or cannot keep up. */
  get isBroken(): boolean {
    return this.#brokenUntil > performance.now() || this.#waiting.length >= mostWaiting
  }

  get isIdle(): boolean {
    return this.#running === 0 && this.#waiting.length === 0 && this.#brokenUntil <= performance.now()
  }

  add(delivery: Delivery): void {
    this.#waiting.push(delivery)
  }

  /** The next delivery to attempt, if there is room. */
  take(): Delivery | undefined {
    // a channel that hangs gets one attempt at a time: many such channels leave slots for the others
    if (this.#running >= (this.#brokenUntil > performance.now() ? 1 : queueWidth)) return
    const index = this.#waiting.findIndex(({ subject }) => subject === null || !this.#busy.has(subject))
    if (index === -1) return
    const [next] = this.#waiting.splice(index, 1)
    this.#running++
    if (next?.subject) this.#busy.add(next.subject)
    return next
  }

  /** Ends an attempt. If it hung, returns all deliveries that waited for a first attempt, which they skip. */
  release({ subject }: Delivery, { hung, delivered }: { hung: boolean; delivered: boolean }): Delivery[] {
    this.#running--
    if (subject) this.#busy.delete(subject)
    if (delivered) this.#brokenUntil = 0
    if (!hung) return []
    this.#brokenUntil = performance.now() + brokenMs
    // a retry is never skipped: there are only three
    const skipped = this.#waiting.filter(({ attempts }) => attempts === 0)
    this.#waiting = this.#waiting.filter(({ attempts }) => attempts > 0)
    return skipped
  }
}
