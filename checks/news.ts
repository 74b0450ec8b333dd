/** How long a change is told: enough for the looks that confirm it, whatever the interval. */
const newsMs = 600_000
/** What a target may come back to without that being a change, and for how long. */
const maxPast = 8
const pastMs = 86_400_000

interface Remembered<T> {
  print: string
  value: T
  past: { print: string; until: number }[]
  replaced: T | null
  until: number
}

/**
 * What this agent saw of each target, so that a change can be told in several looks running: in one look alone it would
 * be gone again with the look that should confirm it. What was there a while before is a pool going round, not a change.
 */
export class News<T> {
  readonly #known = new Map<string, Remembered<T>>()
  readonly #maxTargets: number

  constructor(maxTargets = 10_000) {
    this.#maxTargets = maxTargets
  }

  /** Takes note of what was seen, `print` being the same where there is no change; answers what it replaced, as long as that is news. */
  note(target: string, print: string, value: T, at: number): T | null {
    const known = this.#known.get(target)
    const next = known ? move(known, print, value, at) : { print, value, past: [], replaced: null, until: 0 }
    this.#known.delete(target)
    this.#known.set(target, next)
    if (this.#known.size > this.#maxTargets) this.#known.delete(this.#known.keys().next().value ?? '')
    return at < next.until ? next.replaced : null
  }
}

function move<T>(known: Remembered<T>, print: string, value: T, at: number): Remembered<T> {
  if (print === known.print) return { ...known, value }
  const past = known.past.filter(each => each.until > at)
  const isNews = !past.some(each => each.print === print)
  return {
    print,
    value,
    past: [{ print: known.print, until: at + pastMs }, ...past.filter(each => each.print !== print)].slice(0, maxPast),
    replaced: isNews ? known.value : null,
    until: isNews ? at + newsMs : 0,
  }
}
