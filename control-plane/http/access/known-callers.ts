import { sql } from 'kysely'
import type { Pool } from 'pg'
import { Batch } from '#control-plane/base/batch.ts'
import { prepared, rows } from '#control-plane/db/queries.ts'
import type { AuthenticatedCaller } from './lookup.ts'

/** The caller behind a token, and the rows that this result depends on. */
export interface Finding {
  recognised: AuthenticatedCaller
  allowedIps: readonly string[] | null
  /** By the database's clock; 0: not to be kept. */
  goodUntilMs: number
  /** The keys of all rows read: a change of any of them invalidates the result. */
  about: readonly (string | null)[]
}

interface Changes {
  seen: string
  is_back: boolean
  now_ms: number
  changed: string[]
}

/**
 * Changes committed since an earlier snapshot. A transaction writes them with its own number; they are visible once it
 * commits.
 */
const changesSince = prepared(
  'identity-changes',
  (seen: string | null) => sql<Changes>`
    select pg_current_snapshot()::text as seen, extract(epoch from clock_timestamp())::float8 * 1000 as now_ms,
           coalesce(pg_snapshot_xmax(pg_current_snapshot()) < pg_snapshot_xmax(${seen}::pg_snapshot), false) as is_back,
           array(select about from identity_changes
             where xid >= pg_snapshot_xmin(${seen}::pg_snapshot)
               and not pg_visible_in_snapshot(xid, ${seen}::pg_snapshot))::text[] as changed`,
)

/** Longer than any transaction lasts, and than any result is kept. */
export const forgetChanges = sql`delete from identity_changes where made_at < clock_timestamp() - interval '1 hour'`

/** The greatest number of results; beyond it all are dropped. */
const most = 20_000

/**
 * Keeps callers in memory while nothing they depend on changes. Each use first asks the database for changes, all uses
 * of a tick in one small statement, so a result is as current as a read. After an outage or a restore of the database
 * all results are dropped.
 */
export class KnownCallers {
  readonly #pool: Pool
  readonly #queries = new Batch<string, Finding | undefined>(questions => this.#check(questions))
  readonly #known = new Map<string, Finding>()
  readonly #dependents = new Map<string, Set<string>>()
  #kept = 0
  /** The snapshot up to which changes are known; null while nothing may be kept. */
  #seen: string | null = null
  #changes = 0

  constructor(pool: Pool) {
    this.#pool = pool
  }

  has(question: string): boolean {
    return this.#known.has(question)
  }

  /** The kept result, if it is still valid. */
  async find(question: string): Promise<Finding | undefined> {
    return this.#seen === null || this.#known.has(question) ? this.#queries.add(question) : undefined
  }

  /** Keeps the result of `read`, unless something changed meanwhile, perhaps before the read and perhaps after it. */
  async read(question: string, read: () => Promise<Finding>): Promise<Finding> {
    const [seen, changes] = [this.#seen, this.#changes]
    const finding = await read()
    if (seen !== null && changes === this.#changes && finding.goodUntilMs > 0) this.#keep(question, finding)
    return finding
  }

  #keep(question: string, finding: Finding): void {
    if (++this.#kept > most) this.#forgetAll()
    this.#known.set(question, finding)
    for (const key of finding.about) {
      if (key === null) continue
      const questions = this.#dependents.get(key)
      if (questions) questions.add(question)
      else this.#dependents.set(key, new Set([question]))
    }
  }

  async #check(questions: readonly string[]): Promise<(Finding | undefined)[]> {
    const found = await this.#ask()
    if (found.is_back) this.#forgetAll()
    for (const key of found.changed) this.#forget(key)
    if (found.is_back || found.changed.length > 0) this.#changes++
    this.#seen = found.seen
    return questions.map(question => {
      const finding = this.#known.get(question)
      return finding && finding.goodUntilMs > found.now_ms ? finding : undefined
    })
  }

  async #ask(): Promise<Changes> {
    try {
      const [found] = await rows(this.#pool, changesSince(this.#seen))
      return found!
    } catch (error) {
      this.#forgetAll()
      this.#changes++
      this.#seen = null
      throw error
    }
  }

  #forget(key: string): void {
    for (const question of this.#dependents.get(key) ?? []) this.#known.delete(question)
    this.#dependents.delete(key)
  }

  #forgetAll(): void {
    this.#known.clear()
    this.#dependents.clear()
    this.#kept = 0
  }
}
