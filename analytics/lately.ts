import { LRUCache } from 'lru-cache'

interface Kept<Value> {
  /** undefined: there is nothing of it. */
  value: Value | undefined
  askedAtMs: number
}

type Ask<Value> = (monitors: string[]) => Promise<ReadonlyMap<string, Value>>

/** What was asked longer ago is asked again, but not waited for; what is older than `keptMs` is. */
const freshMs = 2_500
const keptMs = 5_000
const keptAtMost = 50_000

/**
 * What is told of many monitors at once, at most five seconds old: what is shown to somebody is read again and again, and to ask ClickHouse
 * costs more than all the rest of it.
 */
export class Lately<Value> {
  readonly #kept = new LRUCache<string, Kept<Value>>({ max: keptAtMost })
  readonly #asking = new Set<string>()

  /** `scope` holds the tenant: what somebody else asked for must never be answered from here. */
  async of(scope: string, monitors: readonly string[], ask: Ask<Value>): Promise<Map<string, Value>> {
    const nowMs = performance.now()
    const keptOf = (monitor: string) => this.#kept.get(`${scope} ${monitor}`)
    const ageOf = (monitor: string) => nowMs - (keptOf(monitor)?.askedAtMs ?? Number.NEGATIVE_INFINITY)
    const missing = monitors.filter(monitor => ageOf(monitor) > keptMs)
    if (missing.length > 0) await this.#ask(scope, missing, ask)
    const found = new Map<string, Value>()
    for (const monitor of monitors) {
      const value = keptOf(monitor)?.value
      if (value !== undefined) found.set(monitor, value)
    }
    const old = monitors.filter(monitor => ageOf(monitor) > freshMs && !this.#asking.has(`${scope} ${monitor}`))
    // should it fail, they grow old and are waited for
    if (old.length > 0) this.#ask(scope, old, ask).catch(() => undefined)
    return found
  }

  async #ask(scope: string, monitors: string[], ask: Ask<Value>): Promise<void> {
    const askedAtMs = performance.now()
    for (const monitor of monitors) this.#asking.add(`${scope} ${monitor}`)
    try {
      const found = await ask(monitors)
      for (const monitor of monitors) this.#kept.set(`${scope} ${monitor}`, { value: found.get(monitor), askedAtMs })
    } finally {
      for (const monitor of monitors) this.#asking.delete(`${scope} ${monitor}`)
    }
  }
}
