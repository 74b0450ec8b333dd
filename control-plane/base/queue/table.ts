import type { Pool, PoolClient, QueryResultRow } from 'pg'
import type { QuarantineKind } from '#control-plane/base/quarantine/kinds.ts'
import { isQuarantinedSql } from '#control-plane/base/quarantine/quarantine.ts'
import { sqlTextOf } from '#control-plane/base/sql-text.ts'
import type { Claimed, Ended } from './end.ts'

/** A table whose open rows are work, with the columns `id`, `tenant_id`, `next_at`, `attempts`. SQL names a row `q`. */
export interface QueueTable {
  table: string
  id: 'bigint' | 'uuid'
  /** How its bad rows are listed; null: its handler does not throw. */
  kind: QuarantineKind | null
  /** SQL: whether a row is open work of this queue. */
  isOpen: string
  /** How many seconds a claim lasts: longer than all rows of a claim may take. Claims of a killed process expire. */
  claimS: number
}

/** Claims up to `most` rows: up to `ofKey` of each key, none of the busy keys. */
export type Claim<Item> = (most: number, ofKey: number, busyKeys: readonly string[]) => Promise<Item[]>

interface Fairness {
  /**
   * The column by which claims are fair: no tenant and no host gets all slots. Of the open rows there is an index by
   * this column, `next_at` and `id`.
   */
  key: string
  /** SQL: what a claim returns, besides the parts of every claimed row. */
  columns: string
  /** SQL: tables that are joined to the claimed rows. */
  joined?: string
}

/**
 * Claims rows that are due, of keys in random order. A key of many rows costs as much as one of few. None of the
 * statements is prepared: a plan for an empty table would be kept.
 */
export function fairClaim<Item extends QueryResultRow>(
  db: Pool | PoolClient,
  { table, kind, isOpen, claimS }: QueueTable,
  { key, columns, joined = '' }: Fairness,
): Claim<Item> {
  const isDue = `${isOpen} and q.next_at <= now()`
  const isQuarantined = kind === null ? 'false' : sqlTextOf(isQuarantinedSql(kind, 'q.id'))
  const text = `
    with recursive keys as (
      (select q.${key} as key from ${table} q where ${isDue} order by q.${key} limit 1)
      union all
      select (select q.${key} from ${table} q where ${isDue} and q.${key} > k.key order by q.${key} limit 1)
      from keys k where k.key is not null
    ), chosen as materialized (
      select key from keys where key is not null and key::text <> all($3::text[]) order by random() limit 500
    ), taken as materialized (
      select f.id from chosen k cross join lateral (
        select q.id from ${table} q where q.${key} = k.key and ${isDue}
        order by q.next_at, q.id limit $2 for update skip locked) f
      limit $1
    ), claimed as (
      update ${table} q set next_at = clock_timestamp() + interval '${claimS} seconds'
      from taken where q.id = taken.id returning q.*
    )
    select q.id, q.tenant_id, q.attempts, q.${key}::text as key, ${isQuarantined} as is_quarantined,
      ${columns}
    from claimed q ${joined} order by q.id`
  return async (...values) => (await db.query<Item>(text, values)).rows
}

/** Writes ends, all in one statement. The results are in their order. */
export type Settle<Item, Outcome, Result = undefined> = (
  ends: readonly Ended<Item, Outcome>[],
) => Promise<readonly Result[]>

interface Settling {
  /** SQL: further assignments to a row that ended as `g` says: `how`, `outcome`, `why`. */
  set: string
  /** SQL: whether a row is deleted once it is done. */
  isDeleted?: string
  /** Its claim counted the attempt, so that a row that ends each process that handles it is given up. */
  isCounted?: boolean
}

/**
 * Settles rows in a table with the column `done_at`. What another process has attempted meanwhile stays as it is,
 * unless the row is done.
 */
export function settleIn(
  db: Pool,
  { table, id, isOpen }: QueueTable,
  { set, isDeleted = 'false', isCounted = false }: Settling,
): Settle<Pick<Claimed, 'id' | 'attempts'>, string> {
  const text = `
    with given as materialized (
      select * from json_to_recordset($1::json)
        as g(id ${id}, attempts int, how text, outcome text, why text, wait_s float8)
    ), deleted as (
      delete from ${table} q using given g where q.id = g.id and g.how = 'done' and ${isDeleted}
    )
    update ${table} q set
      attempts = g.attempts + case when g.how in ('retry', 'dead') then ${isCounted ? 0 : 1}
        when g.how = 'wait' then ${isCounted ? -1 : 0} else 0 end,
      done_at = case when g.wait_s is null then clock_timestamp() end,
      next_at = case when g.wait_s is null then q.next_at else clock_timestamp() + g.wait_s * interval '1 second' end,
      ${set}
    from given g
    where q.id = g.id and ${isOpen} and (g.how = 'done' or q.attempts = g.attempts)
      and not (g.how = 'done' and ${isDeleted})`
  return async ends => {
    const rows = ends.map(({ item, end }) => ({
      id: item.id,
      attempts: item.attempts,
      how: end.how,
      outcome: end.how === 'done' ? end.outcome : null,
      why: 'why' in end ? end.why : null,
      wait_s: end.how === 'wait' ? end.seconds : end.how === 'retry' ? (end.afterS ?? 0) : null,
    }))
    await db.query(text, [JSON.stringify(rows)])
    return ends.map(() => undefined)
  }
}

/** Makes open rows due in some seconds; no attempt is counted. Returns the ids of those that are not open any more. */
export async function putOff(
  db: Pool | PoolClient,
  { table, id, isOpen }: QueueTable,
  ids: readonly string[],
  seconds: number,
): Promise<string[]> {
  const { rows } = await db.query<{ id: string }>(
    `update ${table} q set next_at = clock_timestamp() + $2::float8 * interval '1 second'
     where q.id = any($1::${id}[]) and ${isOpen} returning q.id`,
    [ids, seconds],
  )
  const open = new Set(rows.map(row => row.id))
  return ids.filter(each => !open.has(each))
}

/**
 * Makes rows due whose claims are older than `olderThanMs`, but for those of this process: others that claimed them are
 * gone. `isClaimed`: SQL for rows `q` that may be claimed.
 */
export async function releaseClaims(
  db: Pool,
  { table, id, claimS }: QueueTable,
  {
    isClaimed,
    notice,
    own,
    olderThanMs,
  }: { isClaimed: string; notice: string; own: readonly string[]; olderThanMs: number },
): Promise<void> {
  await db.query(
    `with released as (
       update ${table} q set next_at = clock_timestamp() where ${isClaimed} and q.id <> all($1::${id}[])
         and q.next_at between clock_timestamp()
           and clock_timestamp() + interval '${claimS} seconds' - $2 * interval '1 millisecond'
       returning 1)
     select pg_notify('${notice}', '') from (select 1 from released limit 1) r`,
    [own, olderThanMs],
  )
}
