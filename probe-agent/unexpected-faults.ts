import type { Logger } from 'pino'
import { causeOf } from '#egress/failures.ts'

/** Causes counted apart; the others are one. */
const maxCauses = 50
/** How often a cause is logged. */
const logEveryMs = 60_000
const other = 'other'

/**
 * Unforeseen errors of checks. They count as the target's, so that they cause notifications; here they are counted and
 * logged by cause, so that the operator finds those that are ours.
 */
export class UnexpectedFaults {
  readonly #log: Logger
  readonly #counts = new Map<string, number>()
  readonly #loggedAt = new Map<string, number>()

  constructor(log: Logger) {
    this.#log = log
  }

  /** By cause: the code of the error, or the name of its class. */
  get counts(): Record<string, number> {
    return Object.fromEntries(this.#counts)
  }

  record(kind: string, error: unknown): void {
    const name = causeOf(error)
    const cause = this.#counts.has(name) || this.#counts.size < maxCauses ? name : other
    this.#counts.set(cause, (this.#counts.get(cause) ?? 0) + 1)
    const now = performance.now()
    if (now - (this.#loggedAt.get(cause) ?? -Infinity) < logEveryMs) return
    this.#loggedAt.set(cause, now)
    this.#log.error({ kind, cause, err: error }, 'unexpected fault of a check')
  }
}
