import type { End } from '#control-plane/base/queue/end.ts'
import type { Sequence } from '#control-plane/base/queue/queue.ts'
import type { Delivery } from './delivery.ts'
import type { Sent } from './send.ts'

export const queueWidth = 6
const mostWaiting = 1_000
/** How long first attempts are skipped on a channel whose last attempt timed out. */
const brokenMs = 10_000

/**
 * The deliveries of one channel that are claimed: a few are sent at a time, those about the same subject one after the
 * other.
 */
export class ChannelQueue<Item extends Delivery = Delivery> implements Sequence<Item, Sent> {
  #waiting: Item[] = []
  readonly #busy = new Set<string>()
  #running = 0
  #brokenUntil = 0

  /** Whether new deliveries skip the first attempt: the channel hangs, or cannot keep up. */
  get isBroken(): boolean {
    return this.#brokenUntil > performance.now() || this.#waiting.length >= mostWaiting
  }

  get isEmpty(): boolean {
    return this.#waiting.length === 0
  }

  get isIdle(): boolean {
    return this.#running === 0 && this.isEmpty && this.#brokenUntil <= performance.now()
  }

  /** false: it skips its first attempt. */
  add(delivery: Item): boolean {
    if (delivery.attempts === 0 && this.isBroken) return false
    this.#waiting.push(delivery)
    return true
  }

  /** The next delivery to attempt, if there is room. */
  take(): Item | undefined {
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
  release({ subject }: Item, end: End<Sent>): Item[] {
    this.#running--
    if (subject) this.#busy.delete(subject)
    if (end.how === 'done') this.#brokenUntil = 0
    if (end.how !== 'retry' && end.how !== 'dead') return []
    if (end.outcome?.error !== 'timeout') return []
    this.#brokenUntil = performance.now() + brokenMs
    // a retry is never skipped: there are only three
    const skipped = this.#waiting.filter(({ attempts }) => attempts === 0)
    this.#waiting = this.#waiting.filter(({ attempts }) => attempts > 0)
    return skipped
  }
}
