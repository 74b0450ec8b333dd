import { type RawBuilder, sql } from 'kysely'
import type { Pool } from 'pg'
import { z } from 'zod'
import type { Outcome } from '#contract/check.ts'
import { isOwnedSql, type OwnedShards } from '#control-plane/base/shards.ts'
import { columnOf, type Part, type Row, rows } from '#control-plane/db/queries.ts'
import type { Coverage } from './core.ts'
import type { RegionProof } from './proof.ts'

const pageSize = 5_000
const snapshotsPageSize = 500
const first = '00000000-0000-0000-0000-000000000000'

export interface StoredCheck extends Row<'checks', 'id' | 'monitor_id' | 'verdict_reason' | 'failing_regions'> {
  verdict: Outcome | null
  /** Milliseconds, as every number here that is a time. */
  verdict_since: number
  coverage: Coverage
  /** The verdict last written into its history. */
  last_change: string | null
  /** Watched again since its last pause, without a verdict since. */
  is_resumed: boolean
  /** The regions that it is stored to be asked from, and since when. */
  asked_regions: string[] | null
  asked_since: number
  /** All of these are away, and its own history has nothing of it. */
  is_in_region_gap: boolean
  is_open: boolean
  recovered_at: number
  /** Down since `verdict_since`, and an incident was opened for it, perhaps resolved by hand: no other one opens. */
  had_incident: boolean
}

type VoteColumns = 'check_id' | 'region' | 'streak_count' | 'last_due' | 'last_attempt'

export interface StoredVote extends Row<'votes', VoteColumns> {
  vote: Outcome | null
  streak_outcome: Outcome | null
  streak_since: number
  evidence: RegionProof | null
}

export interface StoredMonitor extends Row<'monitors', 'id' | 'status' | 'status_reason'> {
  coverage: Coverage
}

export type StoredWarning = Row<'check_warnings', 'check_id' | 'event' | 'depth'>
export type StoredSnapshot = Row<'check_snapshots', 'check_id' | 'target' | 'regions' | 'recent'>

/** The snapshot of a target, as it must be stored. */
export const SnapshotShape = z.object({
  regions: z.record(z.string(), z.string()),
  recent: z.array(z.object({ at: z.number(), from: z.string(), to: z.string() })),
})

/** Which rows are read: of the shards that this process owns, and of these checks; null: of all of them. */
export interface Among {
  shards: OwnedShards
  only: readonly string[] | null
}

/** Whether a row is among them, by the columns with its check and its tenant. */
const isAmong = (check: string, tenant: string, { shards, only }: Among) =>
  sql`${isOwnedSql(tenant, shards.parameter)} and (${only}::uuid[] is null or ${sql.ref(check)} = any(${only}::uuid[]))`

const ms = (column: Part) => sql<number>`coalesce(extract(epoch from ${columnOf(column)}) * 1000, 0)::float8`

/** Checks with their stored state. */
export const readChecks = (pool: Pool, among: Among) =>
  pages<StoredCheck>(
    pool,
    after => sql`
          select c.id, c.monitor_id, c.verdict, ${ms('c.verdict_since')} as verdict_since, c.verdict_reason, c.coverage,
            c.failing_regions,
            l.verdict as last_change, l.verdict = 'none' and (
              select v.verdict from verdict_changes v where v.check_id = c.id and v.verdict <> 'none'
              order by v.at desc, v.id desc limit 1
            ) = 'paused' as is_resumed, a.regions as asked_regions, ${ms('a.since')} as asked_since,
            c.coverage = 'none' and l.verdict in ('up', 'warning', 'down') and exists (
              select 1 from region_gaps g
              where g.shard = a.shard and g.regions = a.regions and g.ended_at is null
                and g.started_at >= a.since and g.started_at >= l.at
            ) as is_in_region_gap,
            exists (select 1 from incidents i where i.check_id = c.id and i.resolved_at is null) as is_open,
            ${ms(sql`(select max(i.resolved_at) from incidents i
              where i.check_id = c.id and i.resolution = 'recovered')`)} as recovered_at,
            c.verdict = 'down' and exists (
              select 1 from incidents i where i.check_id = c.id
                and (i.started_at >= c.verdict_since or i.resolved_at >= c.verdict_since)
            ) as had_incident
          from checks c
          left join lateral (
            select v.verdict, v.at from verdict_changes v where v.check_id = c.id order by v.at desc, v.id desc limit 1
          ) l on true
          left join check_regions a on a.check_id = c.id and a.ended_at is null
          where c.id > ${after[0] ?? first} and ${isAmong('c.id', 'c.tenant_id', among)}
          order by c.id limit ${sql.lit(pageSize)}`,
    row => [row.id],
  )

/** When a process decided last, in milliseconds; 0: none ever did. */
export async function readLastBeat(pool: Pool): Promise<number> {
  const [found] = await rows(pool)<{ at: number }>`select ${ms('at')} as at from liveness where name = 'ingest'`
  return found?.at ?? 0
}

export const readVotes = (pool: Pool, among: Among) =>
  pages<StoredVote>(
    pool,
    after => sql`
          select check_id, region, vote, streak_outcome, streak_count, ${ms('streak_since')} as streak_since, last_due,
            last_attempt, evidence
          from votes where (check_id, region) > (${after[0] ?? first}, ${after[1] ?? ''})
            and ${isAmong('check_id', 'tenant_id', among)}
          order by check_id, region limit ${sql.lit(pageSize)}`,
    row => [row.check_id, row.region],
  )

export const readMonitors = (pool: Pool, shards: OwnedShards) =>
  pages<StoredMonitor>(
    pool,
    after => sql`select id, status, status_reason, coverage from monitors
          where id > ${after[0] ?? first} and ${isOwnedSql('tenant_id', shards.parameter)} order by id
            limit ${sql.lit(pageSize)}`,
    row => [row.id],
  )

export const readWarnings = (pool: Pool, among: Among) =>
  pages<StoredWarning>(
    pool,
    after => sql`select check_id, event, depth from check_warnings
          where check_id > ${after[0] ?? first} and ${isAmong('check_id', 'tenant_id', among)}
          order by check_id limit ${sql.lit(pageSize)}`,
    row => [row.check_id],
  )

export const readSnapshots = (pool: Pool, among: Among) =>
  pages<StoredSnapshot>(
    pool,
    after => sql`select check_id, target, regions, recent from check_snapshots
          where check_id > ${after[0] ?? first} and ${isAmong('check_id', 'tenant_id', among)}
          order by check_id limit ${sql.lit(snapshotsPageSize)}`,
    row => [row.check_id],
    snapshotsPageSize,
  )

async function* pages<Row>(
  pool: Pool,
  read: (after: string[]) => RawBuilder<Row>,
  keyOf: (row: Row) => string[],
  size = pageSize,
): AsyncGenerator<Row> {
  for (let after: string[] = []; ; ) {
    const page = await rows(pool, read(after))
    yield* page
    const last = page.at(-1)
    if (!last || page.length < size) return
    after = keyOf(last)
  }
}
