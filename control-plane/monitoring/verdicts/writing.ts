import { setTimeout as pause } from 'node:timers/promises'
import type { Pool } from 'pg'
import type { Logger } from 'pino'
import { type NoiseRules, usualNoise } from '#control-plane/monitoring/noise/rules.ts'
import { type Bundle, Group } from './group.ts'
import { Deposed, writeGroup } from './write-group.ts'

/** Checks written in one transaction, at most. */
const groupChecks = 500
const retryMs = { first: 50, most: 2_000 } as const

interface Options {
  pool: Pool
  log: Pick<Logger, 'warn' | 'error'>
  /** When single alerts are held. */
  noise?: NoiseRules | undefined
  /** The term of the process that decides. */
  term(): string
  onGivenUp(): void
}

/** What waits to be written: one group at a time, while the next one gathers. Nothing is dropped while PostgreSQL is away. */
export class Writing {
  readonly #options: Options
  #groups: Group[] = []
  #isWriting = false
  /** The group under way: nothing is added to it. */
  #underWay: Group | null = null
  #isStopped = false

  constructor(options: Options) {
    this.#options = options
  }

  get isStopped(): boolean {
    return this.#isStopped
  }

  /** Rows that are not yet written. */
  get size(): number {
    return this.#groups.reduce((sum, group) => sum + group.size, 0)
  }

  /** When everything up to now is committed. */
  async written(): Promise<void> {
    await this.#groups.at(-1)?.written.promise
  }

  giveUp(why: Error): void {
    this.#options.onGivenUp()
    this.#isStopped = true
    for (const group of this.#groups) group.written.reject(why)
  }

  /** The last group, unless it is being written. */
  get #gathering(): Group | undefined {
    const last = this.#groups.at(-1)
    return last === this.#underWay ? undefined : last
  }

  /** The group that gathers. */
  open(): Group {
    const gathering = this.#gathering
    return gathering && gathering.bundles.size < groupChecks ? gathering : this.#next()
  }

  groupFor(check: string, movesIncident = false): Group {
    const group = this.open()
    return movesIncident && group.hasIncidentOf(check) ? this.#next() : group
  }

  /** What is to be written of a check. `movesIncident`: one opening or closing goes into a group, no more. */
  of(check: string, movesIncident = false): Bundle {
    return this.groupFor(check, movesIncident).of(check)
  }

  /** All that follows from one look of a check is committed together, and what a look before it moved is not undone by it unseen. */
  beginLookOf(check: string): void {
    if (this.#gathering?.hasWarningOf(check)) this.#next()
  }

  #next(): Group {
    const next = new Group()
    this.#groups.push(next)
    return next
  }

  write(): void {
    if (this.#isWriting || this.#groups.length === 0) return
    this.#isWriting = true
    setImmediate(() => void this.#writeAll())
  }

  async #writeAll(): Promise<void> {
    for (let group = this.#groups[0]; group; group = this.#groups[0]) {
      this.#underWay = group
      if (!group.isEmpty) await this.#writeOne(group)
      this.#underWay = null
      if (this.#isStopped) return
      this.#groups.shift()
      group.written.resolve()
    }
    this.#isWriting = false
  }

  /** Tries until it is written. A row that the database refuses for what it is, is found, told of, and left out: it must not hold up the others. */
  async #writeOne(group: Group): Promise<void> {
    for (let waitMs: number = retryMs.first; !this.#isStopped; waitMs = Math.min(2 * waitMs, retryMs.most)) {
      try {
        await writeGroup(this.#options.pool, this.#options.term(), group, this.#options.noise ?? usualNoise)
        return
      } catch (error) {
        if (error instanceof Deposed) {
          this.#options.log.error({ err: error }, 'another process decides by now; this one steps back')
          this.giveUp(error)
          return
        }
        if (isRefusal(error)) {
          if (group.size > 1) for (const half of group.split()) await this.#writeOne(half)
          else this.#options.log.error({ err: error, checks: [...group.bundles.keys()], monitors: [...group.monitors.keys()] }, 'a decision cannot be written')
          return
        }
        this.#options.log.warn({ err: error, checks: group.size, waiting: this.size }, 'decisions wait for the database')
        await pause(waitMs)
      }
    }
  }
}

/** Data exceptions and the like: trying again would fail again. Not so a foreign key that a deletion has just broken. */
function isRefusal(error: unknown): boolean {
  const code = (error as { code?: unknown }).code
  return typeof code === 'string' && (/^22/.test(code) || (/^23/.test(code) && code !== '23503' && code !== '23505'))
}
