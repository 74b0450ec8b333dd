/** An upper bound of the drift between two good clocks per second: 100 ppm. */
const driftPerMs = 1e-4

/**
 * The server's time, derived from this machine's monotonic clock. A server timestamp was taken at some time between
 * request and response, so each gives bounds, and the narrowest recent one is used. The wall clock is compared, never
 * used.
 */
export class ServerClock {
  readonly #monotonic: () => number
  readonly #wall: () => number
  #offset: number | undefined
  /** Half the width of the interval the offset was taken from, and when it was taken. */
  #uncertainty = Infinity
  #readAt = 0
  #drift = 0

  constructor(monotonic: () => number = () => performance.now(), wall: () => number = Date.now) {
    this.#monotonic = monotonic
    this.#wall = wall
  }

  get isSet() {
    return this.#offset !== undefined
  }

  monotonic() {
    return this.#monotonic()
  }

  now() {
    if (this.#offset === undefined) throw new Error('The time of the server is not known yet.')
    return this.#monotonic() + this.#offset
  }

  /** The wall clock, used only for the first request, before the server's time is known. */
  estimate() {
    return this.#offset === undefined ? this.#wall() : this.now()
  }

  /**
   * `askedAt` and `heardAt` are monotonic; an unsolicited timestamp has no `askedAt`. `grain`: resolution of the
   * timestamp.
   */
  sync(serverNow: number, receivedAt: number, requestedAt?: number, grain = 0) {
    const low = serverNow - receivedAt
    const high = requestedAt === undefined ? Infinity : serverNow + grain - requestedAt
    if (this.#offset === undefined) {
      if (requestedAt !== undefined) this.#settle((low + high) / 2, (high - low) / 2, receivedAt)
      else this.#settle(low, 1_000, receivedAt)
      return
    }
    const known = this.#uncertainty + (receivedAt - this.#readAt) * driftPerMs
    const outside = this.#offset < low ? low - this.#offset : this.#offset > high ? high - this.#offset : 0
    this.#drift = outside
    const half = (high - low) / 2
    if (half <= known) this.#settle((low + high) / 2, half, receivedAt)
    else if (outside) this.#settle(this.#offset + outside, Math.max(known, Math.abs(outside)), receivedAt)
  }

  #settle(offset: number, uncertainty: number, at: number) {
    this.#offset = offset
    this.#uncertainty = uncertainty
    this.#readAt = at
  }

  /** Wall clock minus server clock. */
  get skewMs() {
    return this.#offset === undefined ? 0 : this.#wall() - this.now()
  }

  /** How far the last server timestamp was outside the range this clock predicted. */
  get driftMs() {
    return this.#drift
  }
}
