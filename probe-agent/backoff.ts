import { setTimeout as sleep } from 'node:timers/promises'

/** Waits longer after each failure, with jitter, so that agents that failed together do not reconnect together. */
export class Backoff {
  readonly #firstMs: number
  readonly #maxMs: number
  #failures = 0

  constructor(firstMs: number, maxMs: number) {
    this.#firstMs = firstMs
    this.#maxMs = maxMs
  }

  get failures() {
    return this.#failures
  }

  reset() {
    this.#failures = 0
  }

  next(): number {
    const ms = Math.min(this.#maxMs, this.#firstMs * 2 ** Math.min(this.#failures++, 20))
    return ms * (0.5 + Math.random() / 2)
  }

  /** Ends early, without an error, when the signal aborts. */
  async wait(signal: AbortSignal, atLeastMs = 0) {
    await pause(Math.max(atLeastMs, this.next()), signal)
  }
}

export const pause = (ms: number, signal: AbortSignal) => sleep(ms, undefined, { signal }).catch(() => {})
