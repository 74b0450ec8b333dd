import { LRUCache } from 'lru-cache'
import type { IndexModel } from '#control-plane/publishing/status-pages/render/index-page.ts'

/** Pages of the list that are given; what is beyond them is found by its address alone. */
export const mostNumbers = 200
/** A list is read again when it is asked for after this time. */
const defaultFreshMs = 4_000
/** After a failure the stores are left alone for this long. */
const defaultPauseMs = 2_000

/** A page of the list in memory. */
export interface CachedIndex {
  model: IndexModel
  /** Rendered documents of this model, by their form. */
  documents: Map<string, unknown>
}

interface Entry {
  cached: CachedIndex | undefined
  until: number
}

interface StatusIndexOptions {
  /** Rejects while the stores are unavailable. */
  read(number: number): Promise<Omit<IndexModel, 'number' | 'asOf'>>
  /** Milliseconds since 1970. */
  nowMs(): number
  /** Default: 4 s. */
  freshMs?: number
  /** Default: 2 s. */
  pauseMs?: number
}

/** The list of public pages, in memory: read once for all who ask at the same time. Without stores the last is given. */
export class StatusIndex {
  readonly #options: StatusIndexOptions
  readonly #entries = new LRUCache<number, Entry>({ max: mostNumbers })
  readonly #reading = new Map<number, Promise<CachedIndex | undefined>>()

  constructor(options: StatusIndexOptions) {
    this.#options = options
  }

  /** A page of the list, from 1 on. Undefined: the stores fail, and it was never read. */
  find(number: number): CachedIndex | undefined | Promise<CachedIndex | undefined> {
    const entry = this.#entries.get(number)
    if (entry && performance.now() < entry.until) return entry.cached
    const known = this.#reading.get(number)
    if (known) return known
    const reading = this.#read(number).finally(() => this.#reading.delete(number))
    this.#reading.set(number, reading)
    return reading
  }

  async #read(number: number): Promise<CachedIndex | undefined> {
    const { read, nowMs, freshMs = defaultFreshMs, pauseMs = defaultPauseMs } = this.#options
    try {
      const cached = { model: { ...(await read(number)), number, asOf: nowMs() }, documents: new Map() }
      this.#entries.set(number, { cached, until: performance.now() + freshMs })
      return cached
    } catch {
      const cached = this.#entries.peek(number)?.cached
      this.#entries.set(number, { cached, until: performance.now() + pauseMs })
      return cached
    }
  }
}
