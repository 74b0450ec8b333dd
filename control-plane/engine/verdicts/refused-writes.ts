import { WriteBatch } from './batch.ts'

/** Seconds until a refused write is retried, after each refusal; the last one repeats. */
const waitsS = [10, 60, 600, 3_600] as const
/** Transactions kept of one row; beyond that the second oldest is dropped. */
const mostKept = 100

interface Kept {
  batches: WriteBatch[]
  attempts: number
  retryAt: number
}

/** Writes of a check or a monitor that the database refused, and all later ones of it, in order. The others go on. */
export class RefusedWrites {
  readonly #kept = new Map<string, Kept>()
  readonly #now: () => number

  constructor(now: () => number = () => performance.now()) {
    this.#now = now
  }

  has(id: string): boolean {
    return this.#kept.has(id)
  }

  /** Keeps a refused batch of one row and its later writes. Returns the seconds until the retry. */
  keep(id: string, batch: WriteBatch, behind: Iterable<WriteBatch>): number {
    const kept: Kept = { batches: [batch], attempts: 0, retryAt: 0 }
    for (const later of behind) {
      const taken = later.take(id)
      if (taken) kept.batches.push(taken)
    }
    this.#kept.set(id, kept)
    return this.#again(kept)
  }

  /** Refused once more. */
  again(id: string): number {
    const kept = this.#kept.get(id)
    return kept ? this.#again(kept) : 0
  }

  /** The batch that gathers writes of a refused row; undefined: the row was not refused. */
  last(id: string, isOpen: (batch: WriteBatch) => boolean): WriteBatch | undefined {
    const kept = this.#kept.get(id)
    if (!kept) return undefined
    const last = kept.batches.at(-1)
    if (last && isOpen(last)) return last
    const next = new WriteBatch()
    kept.batches.push(next)
    if (kept.batches.length > mostKept) kept.batches.splice(1, 1)
    return next
  }

  /** The first row that is due for a retry. */
  due(): { id: string; batch: WriteBatch | undefined } | undefined {
    const now = this.#now()
    for (const [id, { batches, retryAt }] of this.#kept) if (retryAt <= now) return { id, batch: batches[0] }
    return undefined
  }

  /** Its first batch is written. Returns whether no other is left. */
  written(id: string): boolean {
    const kept = this.#kept.get(id)
    kept?.batches.shift()
    if (kept && kept.batches.length > 0) return false
    this.#kept.delete(id)
    return true
  }

  /** The database is unavailable: no retry before so many milliseconds. */
  wait(id: string, ms: number): void {
    const kept = this.#kept.get(id)
    if (kept) kept.retryAt = this.#now() + ms
  }

  #again(kept: Kept): number {
    const seconds = waitsS[Math.min(kept.attempts, waitsS.length - 1)]!
    kept.attempts++
    kept.retryAt = this.#now() + seconds * 1_000
    return seconds
  }
}
