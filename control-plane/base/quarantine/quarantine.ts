import { type RawBuilder, sql } from 'kysely'
import { LRUCache } from 'lru-cache'
import type { Pool, PoolClient, QueryConfig, QueryResult } from 'pg'
import type { Logger } from 'pino'
import { isOwnedSql } from '#control-plane/base/shards.ts'
import { sqlTextOf } from '#control-plane/base/sql-text.ts'
import { inTransaction } from '#control-plane/base/transaction.ts'
import type { QuarantineKind, quarantineKinds } from './kinds.ts'
import { reasonOf } from './reason.ts'

export interface BadRow {
  key: string
  /** null: a row of no tenant, or of an unknown one. */
  tenant: string | null
  error: unknown
}

interface Noted {
  key: string
  attempts: number
}
type Write = (statement: QueryConfig) => Promise<QueryResult<Noted>>

/** How long a bad row is put off, unless its owner changes it or the operator retries it. */
export const putOffS = 3_600

// a tenant that was purged meanwhile has no rows
const add = `
  insert into quarantined_rows as q (kind, key, tenant_id, reason, next_try_at)
  select $1, r.key, t.id, r.reason, clock_timestamp() + $3::float8 * interval '1 second'
  from json_to_recordset($2::json) as r(key text, tenant uuid, reason text) left join tenants t on t.id = r.tenant
  where r.tenant is null or t.id is not null
  order by r.key
  on conflict (kind, key) do update set reason = excluded.reason, tenant_id = coalesce(excluded.tenant_id, q.tenant_id),
    last_tried_at = clock_timestamp(), attempts = q.attempts + 1, next_try_at = excluded.next_try_at
  returning q.key, q.attempts`

/** By database, rows noted within the last minute: one loop notes rows that another may release. */
const notedOf = new WeakMap<Pool, LRUCache<string, true>>()

/**
 * Rows on which a loop failed: put off, listed for the operator, and released when they are handled without an error. A
 * row that cannot be listed is logged and listed the next time: no loop waits for it.
 */
export class Quarantine {
  readonly #platform: Pool
  readonly #log: Pick<Logger, 'warn' | 'error'>
  readonly #noted: LRUCache<string, true>

  constructor({ platform, log }: { platform: Pool; log: Pick<Logger, 'warn' | 'error'> }) {
    this.#platform = platform
    this.#log = log
    this.#noted = notedOf.get(platform) ?? new LRUCache({ max: 10_000, ttl: 60_000 })
    notedOf.set(platform, this.#noted)
  }

  /** Lists rows that are bad. */
  add(kind: QuarantineKind, rows: readonly BadRow[], seconds = putOffS): Promise<void> {
    return this.#list(kind, rows, seconds, statement => this.#platform.query(statement))
  }

  /**
   * Lists rows and moves their own due time by `putOff`, in one transaction: a killed process puts off no row that is
   * not listed, and a listed row is always put off.
   */
  putOff(
    kind: QuarantineKind,
    rows: readonly BadRow[],
    putOff: (client: PoolClient) => Promise<unknown>,
  ): Promise<void> {
    return this.#list(kind, rows, putOffS, statement =>
      inTransaction(this.#platform, async client => {
        await putOff(client)
        return client.query(statement)
      }),
    )
  }

  async #list(kind: QuarantineKind, rows: readonly BadRow[], seconds: number, write: Write): Promise<void> {
    if (rows.length === 0) return
    const byKey = new Map(rows.map(row => [row.key, row]))
    const values = [...byKey.values()].map(({ key, tenant, error }) => ({ key, tenant, reason: reasonOf(error) }))
    try {
      const { rows: noted } = await write({ text: add, values: [kind, JSON.stringify(values), seconds] })
      for (const { key, attempts } of noted) {
        const { tenant, error } = byKey.get(key)!
        if (attempts === 1) this.#log.error({ err: error, kind, key, tenant_id: tenant }, 'row quarantined')
      }
    } catch (error) {
      for (const { key, tenant, error: why } of byKey.values())
        this.#log.error({ err: why, kind, key, tenant_id: tenant }, 'row put off')
      this.#log.warn({ err: error, kind }, 'quarantine write failure')
    }
  }

  /** Lists rows that fail again and again, at most once a minute. */
  async note(kind: QuarantineKind, rows: readonly BadRow[]): Promise<void> {
    const fresh = rows.filter(({ key }) => !this.#noted.has(`${kind} ${key}`))
    for (const { key } of fresh) this.#noted.set(`${kind} ${key}`, true)
    await this.add(kind, fresh)
  }

  /** Removes rows that were handled without an error. */
  async release(kind: QuarantineKind, keys: readonly string[]): Promise<void> {
    if (keys.length === 0) return
    for (const key of keys) this.#noted.delete(`${kind} ${key}`)
    await this.#platform
      .query('delete from quarantined_rows where kind = $1 and key = any($2::text[])', [kind, keys])
      .catch(error => this.#log.warn({ err: error, kind }, 'quarantine write failure'))
  }

  /**
   * Lists exactly these rows of a kind, after all of them were handled; with `shards`, all of the tenants in these.
   */
  async replace(kind: QuarantineKind, rows: readonly BadRow[], shards: readonly number[] | null = null): Promise<void> {
    await this.#platform
      .query(
        `delete from quarantined_rows where kind = $1 and key <> all($2::text[])
          and ${sqlTextOf(isOwnedSql('tenant_id', sql`$3`))}`,
        [kind, rows.map(({ key }) => key), shards],
      )
      .catch(error => this.#log.warn({ err: error, kind }, 'quarantine write failure'))
    await this.add(kind, rows)
  }
}

/** Whether a row is quarantined. `key`: the column with its key. */
export const isQuarantinedSql = (kind: QuarantineKind, key: string): RawBuilder<boolean> =>
  sql`exists (select 1 from quarantined_rows bad
    where bad.kind = ${sql.lit(kind satisfies keyof typeof quarantineKinds)} and bad.key = ${sql.ref(key)}::text)`
