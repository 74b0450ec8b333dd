import { Group } from './group.ts'

/** Seconds until what was refused is tried again, after the first time, the second, and each later one. */
const waitsS = [10, 60, 600, 3_600] as const
/** Transactions kept of one row: of what is older nothing is left to be written. */
const mostKept = 100

interface Kept {
  groups: Group[]
  attempts: number
  tryAt: number
}

/** What the database refused to write of a check or a monitor, and all that followed of it, in order. The others go on. */
export class PutOff {
  readonly #kept = new Map<string, Kept>()
  readonly #now: () => number

  constructor(now: () => number = () => performance.now()) {
    this.#now = now
  }

  has(id: string): boolean {
    return this.#kept.has(id)
  }

  /** Keeps what is refused, and what gathers behind it. Answers after how many seconds it is tried again. */
  keep(id: string, group: Group, behind: Iterable<Group>): number {
    const kept: Kept = { groups: [group], attempts: 0, tryAt: 0 }
    for (const later of behind) {
      const taken = later.take(id)
      if (taken) kept.groups.push(taken)
    }
    this.#kept.set(id, kept)
    return this.#again(kept)
  }

  /** Refused once more. */
  again(id: string): number {
    const kept = this.#kept.get(id)
    return kept ? this.#again(kept) : 0
  }

  /** The transaction in which what is to be written of a row gathers; undefined: it is not put off. */
  last(id: string, isOpen: (group: Group) => boolean): Group | undefined {
    const kept = this.#kept.get(id)
    if (!kept) return undefined
    const last = kept.groups.at(-1)
    if (last && isOpen(last)) return last
    const next = new Group()
    kept.groups.push(next)
    if (kept.groups.length > mostKept) kept.groups.splice(1, 1)
    return next
  }

  /** The first row whose time has come. */
  due(): { id: string; group: Group | undefined } | undefined {
    const now = this.#now()
    for (const [id, { groups, tryAt }] of this.#kept) if (tryAt <= now) return { id, group: groups[0] }
    return undefined
  }

  /** Its first transaction is written. Answers whether nothing of the row is left. */
  written(id: string): boolean {
    const kept = this.#kept.get(id)
    kept?.groups.shift()
    if (kept && kept.groups.length > 0) return false
    this.#kept.delete(id)
    return true
  }

  /** The database is away: not before so many milliseconds. */
  wait(id: string, ms: number): void {
    const kept = this.#kept.get(id)
    if (kept) kept.tryAt = this.#now() + ms
  }

  #again(kept: Kept): number {
    const seconds = waitsS[Math.min(kept.attempts, waitsS.length - 1)]!
    kept.attempts++
    kept.tryAt = this.#now() + seconds * 1_000
    return seconds
  }
}
