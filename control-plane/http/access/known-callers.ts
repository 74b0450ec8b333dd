import type { Pool } from 'pg'
import { Batch } from '#control-plane/base/batch.ts'
import type { AuthenticatedCaller } from './lookup.ts'

/** What reading told of a token, and what that rests on. */
export interface Finding {
  recognised: AuthenticatedCaller
  allowedIps: readonly string[] | null
  /** By the database's clock; 0 for what is not to be kept. */
  goodUntilMs: number
  /** The keys of whatever was read: once something of one of them changes, this is not believed. */
  about: readonly (string | null)[]
}

interface Look {
  seen: string
  is_back: boolean
  now_ms: number
  changed: string[]
}

/** What has been committed since an earlier snapshot. A transaction writes its changes with its own number, and they show at the moment it commits. */
const changesSince = {
  name: 'identity-changes',
  text: `
    select pg_current_snapshot()::text as seen, extract(epoch from clock_timestamp())::float8 * 1000 as now_ms,
           coalesce(pg_snapshot_xmax(pg_current_snapshot()) < pg_snapshot_xmax($1::pg_snapshot), false) as is_back,
           array(select about from identity_changes where xid >= pg_snapshot_xmin($1::pg_snapshot) and not pg_visible_in_snapshot(xid, $1::pg_snapshot))::text[] as changed`,
}

/** Longer than any transaction lasts, and than anything is kept. */
export const forgetChanges = `delete from identity_changes where made_at < clock_timestamp() - interval '1 hour'`

/** So many are kept, then all are read anew. */
const most = 20_000

/**
 * Spares reading again what has not changed. What is known is held against the database each time, after it was asked for, all of a tick in
 * one small statement: it is as live as what is read. A database that was away, or was put back, is believed nothing it said before.
 */
export class KnownCallers {
  readonly #door: Pool
  readonly #looks = new Batch<string, Finding | undefined>(questions => this.#look(questions))
  readonly #known = new Map<string, Finding>()
  readonly #askedAbout = new Map<string, Set<string>>()
  #kept = 0
  /** The snapshot up to which changes are heeded; null while nothing may be kept. */
  #seen: string | null = null
  #changes = 0

  constructor(door: Pool) {
    this.#door = door
  }

  has(question: string): boolean {
    return this.#known.has(question)
  }

  /** What is known of this and is still so. */
  async find(question: string): Promise<Finding | undefined> {
    return this.#seen === null || this.#known.has(question) ? this.#looks.add(question) : undefined
  }

  /** Keeps what is read now, unless something changed meanwhile: nobody can tell whether before or after it was read. */
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
      const questions = this.#askedAbout.get(key)
      if (questions) questions.add(question)
      else this.#askedAbout.set(key, new Set([question]))
    }
  }

  async #look(questions: readonly string[]): Promise<(Finding | undefined)[]> {
    const look = await this.#ask()
    if (look.is_back) this.#forgetAll()
    for (const key of look.changed) this.#forget(key)
    if (look.is_back || look.changed.length > 0) this.#changes++
    this.#seen = look.seen
    return questions.map(question => {
      const finding = this.#known.get(question)
      return finding && finding.goodUntilMs > look.now_ms ? finding : undefined
    })
  }

  async #ask(): Promise<Look> {
    try {
      const { rows } = await this.#door.query<Look>({ ...changesSince, values: [this.#seen] })
      return rows[0]!
    } catch (error) {
      this.#forgetAll()
      this.#changes++
      this.#seen = null
      throw error
    }
  }

  #forget(key: string): void {
    for (const question of this.#askedAbout.get(key) ?? []) this.#known.delete(question)
    this.#askedAbout.delete(key)
  }

  #forgetAll(): void {
    this.#known.clear()
    this.#askedAbout.clear()
    this.#kept = 0
  }
}
