/** How long a change is reported: long enough for the runs that confirm it, whatever the interval. */
const recentMs = 600_000
/** Values that a target may return to without a change, and for how long. */
const maxPast = 8
const pastMs = 86_400_000

interface Observation<T> {
  fingerprint: string
  value: T
  past: { fingerprint: string; until: number }[]
  replaced: T | null
  until: number
}

/**
 * The values this agent observed for each target, so that a change is reported in several runs: reported in one run
 * only, it would be gone in the run that should confirm it. A return to a recent value is a rotating pool, not a
 * change.
 */
export class RecentChanges<T> {
  readonly #known = new Map<string, Observation<T>>()
  readonly #maxTargets: number

  constructor(maxTargets = 10_000) {
    this.#maxTargets = maxTargets
  }

  /** Stores an observation; equal `print`s mean no change. Returns the value it replaced while the change is recent. */
  observe(target: string, fingerprint: string, value: T, at: number): T | null {
    const known = this.#known.get(target)
    const next = known
      ? move(known, fingerprint, value, at)
      : { fingerprint, value, past: [], replaced: null, until: 0 }
    this.#known.delete(target)
    this.#known.set(target, next)
    if (this.#known.size > this.#maxTargets) this.#known.delete(this.#known.keys().next().value ?? '')
    return at < next.until ? next.replaced : null
  }
}

function move<T>(known: Observation<T>, fingerprint: string, value: T, at: number): Observation<T> {
  if (fingerprint === known.fingerprint) return { ...known, value }
  const past = known.past.filter(each => each.until > at)
  const isChange = !past.some(each => each.fingerprint === fingerprint)
  return {
    fingerprint,
    value,
    past: [
      { fingerprint: known.fingerprint, until: at + pastMs },
      ...past.filter(each => each.fingerprint !== fingerprint),
    ].slice(0, maxPast),
    replaced: isChange ? known.value : null,
    until: isChange ? at + recentMs : 0,
  }
}
