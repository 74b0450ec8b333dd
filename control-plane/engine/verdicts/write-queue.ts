import { setTimeout as pause } from 'node:timers/promises'
import type { Pool, PoolClient } from 'pg'
import type { Logger } from 'pino'
import { isStoreUnavailable, isTransient, sqlState } from '#control-plane/base/away.ts'
import type { Metrics } from '#control-plane/base/metrics.ts'
import { withQueryTimeout } from '#control-plane/base/patience.ts'
import { Quarantine } from '#control-plane/base/quarantine/quarantine.ts'
import { defaultSuppression, type SuppressionRules } from '#control-plane/engine/suppression/rules.ts'
import { type Bundle, Group } from './group.ts'
import { PutOff } from './put-off.ts'
import { Deposed, writeGroup } from './write-group.ts'

/** Checks written in one transaction, at most. */
const groupChecks = 500
const retryMs = { first: 50, most: 2_000 } as const
/** How often a transaction is tried by a database that answers otherwise, before its rows are tried apart. */
const triesTogether = 8
const answerMs = 4_000

interface Options {
  pool: Pool
  log: Pick<Logger, 'warn' | 'error'>
  /** When single alerts are held. */
  noise?: SuppressionRules | undefined
  metrics?: Pick<Metrics, 'verdictWritesRefused'> | undefined
  /** The term of the process that decides. */
  term(): string
  /** Whose a check or a monitor is. */
  tenantOf(id: string): string | null
  onGivenUp(): void
}

type Written = 'written' | 'away' | 'refused' | 'stopped'

/**
 * What waits to be written: one group at a time, while the next one gathers. Nothing is dropped while PostgreSQL is away.
 * This is no `Batch`: a later change of a check is merged into what waits of it, groups keep the order of one check's changes
 * across failures, and a refused row is kept in memory and written again, while a `Batch` rejects it and forgets it.
 */
export class WriteQueue {
  readonly #options: Options
  #groups: Group[] = []
  #isWriting = false
  /** The group under way: nothing is added to it. */
  #underWay: Group | null = null
  #isStopped = false
  readonly #putOff = new PutOff()
  readonly #quarantine: Quarantine

  constructor(options: Options) {
    this.#options = options
    this.#quarantine = new Quarantine({ platform: options.pool, log: options.log })
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
    const isOpen = (group: Group) => group !== this.#underWay && !(movesIncident && group.hasIncidentOf(check))
    const own = this.#putOff.last(check, isOpen)
    if (own) return own
    const group = this.open()
    return isOpen(group) ? group : this.#next()
  }

  /** What is to be written of a check. `movesIncident`: one opening or closing goes into a group, no more. */
  of(check: string, movesIncident = false): Bundle {
    return this.groupFor(check, movesIncident).of(check)
  }

  /** Where the status of a monitor is to be written. */
  forMonitor(monitor: string): Group {
    return this.#putOff.last(monitor, group => group !== this.#underWay) ?? this.open()
  }

  /** All that follows from one look of a check is committed together, and what a look before it moved is not undone by it unseen. */
  beginLookOf(check: string): void {
    if (this.#putOff.last(check, group => group !== this.#underWay && !group.hasWarningOf(check))) return
    if (this.#gathering?.hasWarningOf(check)) this.#next()
  }

  /** What was refused of these is tried again now. What is not put off here is no trouble any more. */
  async retry(kind: 'verdict_write' | 'monitor_status', ids: readonly string[]): Promise<void> {
    for (const id of ids) this.#putOff.wait(id, 0)
    await this.#quarantine.release(
      kind,
      ids.filter(id => !this.#putOff.has(id)),
    )
    this.write()
  }

  #next(): Group {
    const next = new Group()
    this.#groups.push(next)
    return next
  }

  write(): void {
    if (this.#isWriting || (this.#groups.length === 0 && !this.#putOff.due())) return
    this.#isWriting = true
    setImmediate(() => void this.#writeAll())
  }

  async #writeAll(): Promise<void> {
    while (!this.#isStopped) {
      const [group, again] = [this.#groups[0], this.#putOff.due()]
      if (!group && !again) break
      if (group) {
        this.#underWay = group
        if (!group.isEmpty) await this.#writeOne(group)
        this.#underWay = null
        if (this.#isStopped) return
        this.#groups.shift()
        group.written.resolve()
      }
      if (again) await this.#writeAgain(again)
    }
    this.#isWriting = false
  }

  /** Tries until it is written. What the database refuses is split down to the row at fault: it must not hold up the others. */
  async #writeOne(group: Group, tries = triesTogether): Promise<void> {
    let refusals = 0
    for (let waitMs: number = retryMs.first; !this.#isStopped; waitMs = Math.min(2 * waitMs, retryMs.most)) {
      const { outcome, error } = await this.#attempt(group)
      if (outcome === 'written' || outcome === 'stopped') return
      const isWorthwhile = outcome === 'away' || (isTransient(error) && ++refusals < tries)
      if (!isWorthwhile) {
        if (group.size > 1) for (const half of group.split()) await this.#writeOne(half, 1)
        else await this.#refused(group, error)
        return
      }
      this.#options.log.warn({ err: error, checks: group.size, waiting: this.size }, 'verdict write retry')
      await pause(waitMs)
    }
  }

  async #attempt(group: Group): Promise<{ outcome: Written; error?: unknown }> {
    const { pool, term, noise = defaultSuppression, log } = this.#options
    try {
      await writeGroup(pool, term(), group, noise)
      return { outcome: 'written' }
    } catch (error) {
      if (error instanceof Deposed) {
        log.error({ err: error }, 'another process decides by now; this one steps back')
        this.giveUp(error)
        return { outcome: 'stopped' }
      }
      // a row may be why the connection broke: where the database answers, it is not away
      const isUnsure = isStoreUnavailable(error) || sqlState(error) === null
      return { outcome: isUnsure && !(await this.#answers()) ? 'away' : 'refused', error }
    }
  }

  async #answers(): Promise<boolean> {
    let client: PoolClient | undefined
    try {
      client = await this.#options.pool.connect()
      await client.query(withQueryTimeout(answerMs, { text: 'select 1' }))
      client.release()
      return true
    } catch {
      client?.release(true)
      return false
    }
  }

  /** Keeps what cannot be written of one row, so that it is written when it can be. */
  async #refused(group: Group, error: unknown): Promise<void> {
    const row = group.only
    if (!row) return
    const seconds = this.#putOff.keep(row.id, group, this.#groups.slice(1))
    await this.#tell(row, error, seconds)
  }

  async #writeAgain({ id, group }: { id: string; group: Group | undefined }): Promise<void> {
    const row = group?.only
    if (group && row) {
      this.#underWay = group
      const { outcome, error } = await this.#attempt(group)
      this.#underWay = null
      if (outcome === 'stopped') return
      if (outcome === 'away') return this.#putOff.wait(id, retryMs.most)
      if (outcome === 'refused') return this.#tell(row, error, this.#putOff.again(id))
    }
    if (!this.#putOff.written(id)) return
    for (const kind of ['verdict_write', 'monitor_status'] as const) await this.#quarantine.release(kind, [id])
  }

  async #tell({ id, kind }: NonNullable<Group['only']>, error: unknown, seconds: number): Promise<void> {
    this.#options.metrics?.verdictWritesRefused.inc()
    this.#options.log.error({ err: error, kind, id, retry_in_s: seconds }, 'verdict write refused')
    await this.#quarantine.add(kind, [{ key: id, tenant: this.#options.tenantOf(id), error }], seconds)
  }
}
