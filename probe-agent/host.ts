import { Heap } from '#contract/heap.ts'

/**
 * Each host may have at least this many concurrent runs: enough for the usual number of monitors of one host to recover
 * in time.
 */
export const minBound = 50
/** From this bound on, a responsive host is unlimited. */
const maxBound = 10_000

/**
 * How many runs of one tenant may be in progress at one host (name and port). Unlimited while the host responds; each
 * round of runs that hang halves the bound, and each other run adds one (additive increase, multiplicative decrease, as
 * in TCP). So a target that hangs repeatedly costs ever less, and after its recovery the bound doubles with every
 * response time.
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

  /** How many more runs may start, if its tenant has that many slots left. */
  room(left: number): number {
    return Math.min(this.#bound - this.inFlight, left - this.inFlight)
  }

  /** Queues a run until the host has room. */
  park(place: Place): void {
    this.#parked.push(place)
  }

  unpark(): Place | undefined {
    return this.#parked.pop()
  }

  /** Records the end of a run. Runs that were in progress when the bound was last halved do not halve it again. */
  record({ isHung, startedAt }: { isHung: boolean; startedAt: number }, now: number): void {
    if (!isHung) this.#bound = this.#bound >= maxBound ? Infinity : this.#bound + 1
    else if (startedAt > this.#shrunkAt) {
      this.#bound = Math.max(minBound, Math.floor(Math.min(this.#bound, this.inFlight) / 2))
      this.#shrunkAt = now
    }
  }
}
