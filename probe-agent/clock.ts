/** How far two good clocks drift apart in a second, generously: 100 ppm. */
const driftPerMs = 1e-4

/**
 * The server's time, carried on by this machine's monotonic clock.
 * A word of the server is only known to have been said between asking and hearing, so each word gives bounds,
 * and the narrowest recent word wins. The wall clock is compared, never used.
 */
export class ServerClock {
  readonly #monotonic: () => number
  readonly #wall: () => number
  #offset: number | undefined
  /** Half the width of the word the offset was read from, and when that was. */
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
    if (this.#offset === undefined) throw new Error('The server has not told its time yet.')
    return this.#monotonic() + this.#offset
  }

  /** Until the server has spoken, the wall clock has to do: for nothing but the first words to it. */
  bestGuess() {
    return this.#offset === undefined ? this.#wall() : this.now()
  }

  /** `askedAt` and `heardAt` are monotonic; a word that nobody asked for has no `askedAt`. `grain`: how coarse the word is. */
  heard(serverNow: number, heardAt: number, askedAt?: number, grain = 0) {
    const low = serverNow - heardAt
    const high = askedAt === undefined ? Infinity : serverNow + grain - askedAt
    if (this.#offset === undefined) {
      if (askedAt !== undefined) this.#settle((low + high) / 2, (high - low) / 2, heardAt)
      else this.#settle(low, 1_000, heardAt)
      return
    }
    const known = this.#uncertainty + (heardAt - this.#readAt) * driftPerMs
    const outside = this.#offset < low ? low - this.#offset : this.#offset > high ? high - this.#offset : 0
    this.#drift = outside
    const half = (high - low) / 2
    if (half <= known) this.#settle((low + high) / 2, half, heardAt)
    else if (outside) this.#settle(this.#offset + outside, Math.max(known, Math.abs(outside)), heardAt)
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

  /** How far the last word of the server lay outside of what this clock said. */
  get driftMs() {
    return this.#drift
  }
}
