import { Heap } from '#contract/heap.ts'

/** A host is left at least so many runs at once: enough for the usual number of monitors of one host to be found well again in time. */
export const leastAtOnce = 50
/** From here on a host that answers has no bound any more. */
const mostAtOnce = 10_000

/**
 * How many runs of one tenant may be under way at one host (name and port). Unbounded while it answers; each round of runs that
 * hang halves the bound, each run that ends otherwise adds one (additive increase, multiplicative decrease, as TCP has it).
 * So a target that hangs again and again costs ever less, and after its recovery the bound doubles with every answer time.
 */
export class Host<Place extends { at: number }> {
  #bound = Infinity
  #shrunkAt = -Infinity
  readonly #parked = new Heap<Place>()
  inFlight = 0
  /** Checks of this host. */
  checks = 0

  get bound(): number {
    return this.#bound
  }

  /** How many more may begin, where its tenant leaves it room for so many. */
  room(left: number): number {
    return Math.min(this.#bound - this.inFlight, left - this.inFlight)
  }

  /** Waits until the host has room. */
  park(place: Place): void {
    this.#parked.push(place)
  }

  unpark(): Place | undefined {
    return this.#parked.pop()
  }

  /** A run ended. Runs that were under way when the bound was last halved do not halve it again. */
  note({ isHung, startedAt }: { isHung: boolean; startedAt: number }, now: number): void {
    if (!isHung) this.#bound = this.#bound >= mostAtOnce ? Infinity : this.#bound + 1
    else if (startedAt > this.#shrunkAt) {
      this.#bound = Math.max(leastAtOnce, Math.floor(Math.min(this.#bound, this.inFlight) / 2))
      this.#shrunkAt = now
    }
  }
}
