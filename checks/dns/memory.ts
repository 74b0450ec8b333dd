import { fingerprint, type Records } from './kind.ts'

/** How long a change is told: enough for the looks that confirm it, whatever the interval. */
const newsMs = 600_000
/** Sets of records a name may come back to without that being a change. */
const maxPast = 8

interface Remembered {
  now: string
  records: Records
  past: string[]
  replaced: Records | null
  until: number
}

/**
 * What this agent saw of each name, so that a change can be told in several looks running: in one look alone it would
 * be gone again with the look that should confirm it. A set that was there before is a pool going round, not a change.
 */
export class RecordMemory {
  readonly #known = new Map<string, Remembered>()
  readonly #maxNames: number

  constructor(maxNames = 10_000) {
    this.#maxNames = maxNames
  }

  /** Takes note of settled records; answers what they replaced, as long as that is news. */
  note(name: string, records: Records, at: number): Records | null {
    const print = fingerprint(records)
    const known = this.#known.get(name)
    const next = known ? move(known, print, records, at) : { now: print, records, past: [], replaced: null, until: 0 }
    this.#known.delete(name)
    this.#known.set(name, next)
    if (this.#known.size > this.#maxNames) this.#known.delete(this.#known.keys().next().value ?? '')
    return at < next.until ? next.replaced : null
  }
}

function move(known: Remembered, print: string, records: Records, at: number): Remembered {
  if (print === known.now) return { ...known, records }
  const isNews = !known.past.includes(print)
  return {
    now: print,
    records,
    past: [known.now, ...known.past.filter(each => each !== print)].slice(0, maxPast),
    replaced: isNews ? known.records : null,
    until: isNews ? at + newsMs : 0,
  }
}
