import { LRUCache } from 'lru-cache'

interface Kept<Value> {
  /** undefined: there is nothing of it. */
  value: Value | undefined
  askedAtMs: number
}

type Ask<Value> = (monitors: string[]) => Promise<ReadonlyMap<string, Value>>

/** What was asked longer ago is asked again, but not waited for; what is older than `keptMs` is. */
const freshMs = 4_000
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
    const found = new Map<string, Value>()
    const missing: string[] = []
    const old: string[] = []
    for (const monitor of monitors) {
      const kept = this.#kept.get(`${scope} ${monitor}`)
      if (!kept || nowMs - kept.askedAtMs > keptMs) {
        missing.push(monitor)
        continue
      }
      if (kept.value !== undefined) found.set(monitor, kept.value)
      if (nowMs - kept.askedAtMs > freshMs && !this.#asking.has(`${scope} ${monitor}`)) old.push(monitor)
    }
    // should it fail, they grow old and are waited for
    if (old.length > 0) this.#ask(scope, old, ask).catch(() => undefined)
    if (missing.length > 0)
      for (const [monitor, value] of await this.#ask(scope, missing, ask)) found.set(monitor, value)
    return found
  }

  async #ask(scope: string, monitors: string[], ask: Ask<Value>): Promise<ReadonlyMap<string, Value>> {
    const askedAtMs = performance.now()
    for (const monitor of monitors) this.#asking.add(`${scope} ${monitor}`)
    try {
      const found = await ask(monitors)
      for (const monitor of monitors) this.#kept.set(`${scope} ${monitor}`, { value: found.get(monitor), askedAtMs })
      return found
    } finally {
      for (const monitor of monitors) this.#asking.delete(`${scope} ${monitor}`)
    }
  }
}
