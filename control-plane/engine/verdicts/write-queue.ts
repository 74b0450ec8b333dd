import { setTimeout as pause } from 'node:timers/promises'
import { sql } from 'kysely'
import type { Pool, PoolClient } from 'pg'
import type { Logger } from 'pino'
import { isStoreUnavailable, isTransient, sqlState } from '#control-plane/base/away.ts'
import type { Metrics } from '#control-plane/base/metrics.ts'
import { Quarantine } from '#control-plane/base/quarantine/quarantine.ts'
import { untraced } from '#control-plane/base/tracing.ts'
import { prepared, rows } from '#control-plane/db/queries.ts'
import { defaultSuppression, type SuppressionRules } from '#control-plane/engine/suppression/rules.ts'
import { type CheckWrites, WriteBatch } from './batch.ts'
import { type Fence, Superseded } from './fence.ts'
import { RefusedWrites } from './refused-writes.ts'
import { writeBatch } from './write-batch.ts'

/** Checks written in one transaction, at most. */
const batchChecks = 500
const retryMs = { first: 50, most: 2_000 } as const
/** How often a transaction is tried while the database answers other queries, before its rows are tried apart. */
const triesTogether = 8
const answerMs = 4_000
const ask = prepared(null, () => sql`select 1`, { timeoutMs: answerMs })

interface Options {
  pool: Pool
  log: Pick<Logger, 'warn' | 'error'>
  /** When single alerts are suppressed. */
  suppression?: SuppressionRules | undefined
  metrics?: Pick<Metrics, 'verdictWritesRefused'> | undefined
  fence: Fence
  /** The tenant of a check or a monitor. */
  tenantOf(id: string): string | null
  onStopped(): void
}

type Written = 'written' | 'away' | 'refused' | 'stopped'

/**
 * Writes one batch at a time, while the next one gathers. Nothing is dropped while PostgreSQL is unavailable.
 * It differs from `Batch` in three ways: a later change of a check is merged into its waiting changes, the order of one
 * check's changes is kept across failures, and a refused row is kept in memory and retried, where a `Batch` rejects it.
 */
export class WriteQueue {
  readonly #options: Options
  #batches: WriteBatch[] = []
  #isWriting = false
  /** The batch under way: nothing is added to it. */
  #underWay: WriteBatch | null = null
  #isStopped = false
  readonly #refusedWrites = new RefusedWrites()
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
    return this.#batches.reduce((sum, batch) => sum + batch.size, 0)
  }

  /** When everything up to now is committed. */
  async written(): Promise<void> {
    await this.#batches.at(-1)?.written.promise
  }

  giveUp(why: Error): void {
    this.#options.onStopped()
    this.#isStopped = true
    for (const batch of this.#batches) batch.written.reject(why)
  }

  /** The last batch, unless it is being written. */
  get #gathering(): WriteBatch | undefined {
    const last = this.#batches.at(-1)
    return last === this.#underWay ? undefined : last
  }

  /** The batch that gathers. */
  open(): WriteBatch {
    const gathering = this.#gathering
    return gathering && gathering.checks.size < batchChecks ? gathering : this.#next()
  }

  batchFor(check: string, movesIncident = false): WriteBatch {
    const isOpen = (batch: WriteBatch) => batch !== this.#underWay && !(movesIncident && batch.hasIncidentOf(check))
    const own = this.#refusedWrites.last(check, isOpen)
    if (own) return own
    const batch = this.open()
    return isOpen(batch) ? batch : this.#next()
  }

  /** What is to be written of a check. `movesIncident`: one opening or closing goes into a batch, no more. */
  of(check: string, movesIncident = false): CheckWrites {
    return this.batchFor(check, movesIncident).of(check)
  }

  /** Where the status of a monitor is to be written. */
  forMonitor(monitor: string): WriteBatch {
    return this.#refusedWrites.last(monitor, batch => batch !== this.#underWay) ?? this.open()
  }

  /** All that follows from one result is committed together, and apart from the warnings of the result before it. */
  beginRunOf(check: string): void {
    if (this.#refusedWrites.last(check, batch => batch !== this.#underWay && !batch.hasWarningOf(check))) return
    if (this.#gathering?.hasWarningOf(check)) this.#next()
  }

  /** Retries the refused writes of these rows now. Rows without any are released from quarantine. */
  async retry(kind: 'verdict_write' | 'monitor_status', ids: readonly string[]): Promise<void> {
    for (const id of ids) this.#refusedWrites.wait(id, 0)
    await this.#quarantine.release(
      kind,
      ids.filter(id => !this.#refusedWrites.has(id)),
    )
    this.write()
  }

  #next(): WriteBatch {
    const next = new WriteBatch()
    this.#batches.push(next)
    return next
  }

  write(): void {
    if (this.#isWriting || (this.#batches.length === 0 && !this.#refusedWrites.due())) return
    this.#isWriting = true
    // a batch is of many results: it belongs to the trace of none
    setImmediate(() => untraced(() => void this.#writeAll()))
  }

  async #writeAll(): Promise<void> {
    while (!this.#isStopped) {
      const [batch, again] = [this.#batches[0], this.#refusedWrites.due()]
      if (!batch && !again) break
      if (batch) {
        this.#underWay = batch
        if (!batch.isEmpty) await this.#writeOne(batch)
        this.#underWay = null
        if (this.#isStopped) return
        this.#batches.shift()
        batch.written.resolve()
      }
      if (again) await this.#writeAgain(again)
    }
    this.#isWriting = false
  }

  /**
   * Retries until the batch is written. A refused one is split down to the row at fault, which must not delay the
   * others.
   */
  async #writeOne(batch: WriteBatch, tries = triesTogether): Promise<void> {
    let refusals = 0
    for (let waitMs: number = retryMs.first; !this.#isStopped; waitMs = Math.min(2 * waitMs, retryMs.most)) {
      const { outcome, error } = await this.#attempt(batch)
      if (outcome === 'written' || outcome === 'stopped') return
      const isWorthwhile = outcome === 'away' || (isTransient(error) && ++refusals < tries)
      if (!isWorthwhile) {
        if (batch.size > 1) for (const half of batch.split()) await this.#writeOne(half, 1)
        else await this.#refused(batch, error)
        return
      }
      this.#options.log.warn({ err: error, checks: batch.size, waiting: this.size }, 'verdict write retry')
      await pause(waitMs)
    }
  }

  async #attempt(batch: WriteBatch): Promise<{ outcome: Written; error?: unknown }> {
    const { pool, fence, suppression = defaultSuppression, log } = this.#options
    try {
      await writeBatch(pool, fence, batch, suppression)
      return { outcome: 'written' }
    } catch (error) {
      if (error instanceof Superseded) {
        log.error({ err: error }, 'another process decides')
        this.giveUp(error)
        return { outcome: 'stopped' }
      }
      // a row may be why the connection broke: a database that answers is not unavailable
      const isUnsure = isStoreUnavailable(error) || sqlState(error) === null
      return { outcome: isUnsure && !(await this.#answers()) ? 'away' : 'refused', error }
    }
  }

  async #answers(): Promise<boolean> {
    let client: PoolClient | undefined
    try {
      client = await this.#options.pool.connect()
      await rows(client, ask())
      client.release()
      return true
    } catch {
      client?.release(true)
      return false
    }
  }

  /** Keeps the refused write of one row for a retry. */
  async #refused(batch: WriteBatch, error: unknown): Promise<void> {
    const row = batch.only
    if (!row) return
    const seconds = this.#refusedWrites.keep(row.id, batch, this.#batches.slice(1))
    await this.#report(row, error, seconds)
  }

  async #writeAgain({ id, batch }: { id: string; batch: WriteBatch | undefined }): Promise<void> {
    const row = batch?.only
    if (batch && row) {
      this.#underWay = batch
      const { outcome, error } = await this.#attempt(batch)
      this.#underWay = null
      if (outcome === 'stopped') return
      if (outcome === 'away') return this.#refusedWrites.wait(id, retryMs.most)
      if (outcome === 'refused') return this.#report(row, error, this.#refusedWrites.again(id))
    }
    if (!this.#refusedWrites.written(id)) return
    for (const kind of ['verdict_write', 'monitor_status'] as const) await this.#quarantine.release(kind, [id])
  }

  async #report({ id, kind }: NonNullable<WriteBatch['only']>, error: unknown, seconds: number): Promise<void> {
    this.#options.metrics?.verdictWritesRefused.inc()
    this.#options.log.error({ err: error, kind, id, retry_in_s: seconds }, 'verdict write refused')
    await this.#quarantine.add(kind, [{ key: id, tenant: this.#options.tenantOf(id), error }], seconds)
  }
}
