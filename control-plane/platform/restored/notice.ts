import { randomUUID } from 'node:crypto'
import type { ClickHouseClient } from '@clickhouse/client'
import { sql } from 'kysely'
import type { Pool, PoolClient } from 'pg'
import { leaveMark, newestMark, type RestoreMark } from '#analytics/restore-marks.ts'
import { inTransaction } from '#control-plane/base/transaction.ts'
import { affected, rows } from '#control-plane/db/queries.ts'
import { rebuildTimers } from './timers.ts'

/**
 * One-time links and sessions may have been used or ended since the backup, which the restored database does not show:
 * all of them are voided. People sign in again and request new links. Keys of programs stay valid.
 */
const voiding = [
  sql`delete from password_resets`,
  sql`delete from login_links`,
  sql`delete from setup_links`,
  sql`delete from email_changes`,
  sql`delete from trusted_devices`,
  sql`delete from email_reverts`,
  sql`delete from email_verifications`,
  sql`update invitations set status = 'expired', updated_at = clock_timestamp() where status = 'pending'`,
  sql`update agent_enrolments set expires_at = least(expires_at, clock_timestamp()) where used_at is null
    or is_reusable`,
  sql`update partner_sso set links_valid_from = clock_timestamp()`,
  sql`delete from tokens where kind in ('ss', 'ik')`,
]

/** What an asynchronous standby may lack when it takes over. One that lacks more is as good as an old backup. */
const longestTailMs = 5 * 60_000

/** The notice that rows are older than they were: purged teams may be back. */
export const restoredNotice = 'restored'

/**
 * `restored`: from a backup. `failed_over`: a standby took over that lacked what was written between the two moments,
 * at most.
 */
export type Setback = { as: 'restored' } | { as: 'failed_over'; from: Date; to: Date }

/**
 * Whether the database is older than at the last call: restored from a backup, or a standby that took over before it
 * had everything. After a restore one-time links and sessions are voided, and timers are made again from the rows. Each
 * call leaves a mark in PostgreSQL, then in ClickHouse: only a database that was set back lacks the newest mark of
 * ClickHouse.
 */
export async function noticeSetback(platform: Pool, clickhouse: ClickHouseClient): Promise<Setback | null> {
  const origin = await originOf(platform)
  const [newest] = await newestMark(clickhouse, {})
  const setback = newest ? await inTransaction(platform, client => heed(client, newest, origin)) : null
  const id = randomUUID()
  const [row] = await rows(platform)<{ left_at: string }>`
    insert into restore_marks (id) values (${id}) returning made_at as left_at`
  await leaveMark(clickhouse, { id, ...origin, left_at: new Date(row!.left_at) })
  // from now on ClickHouse's newest is no older than this one
  await rows(platform)`delete from restore_marks where made_at < clock_timestamp() - interval '1 day'`
  return setback
}

type Origin = Pick<RestoreMark, 'database' | 'timeline'>

/**
 * The identifier of the system stays when a standby takes over, when files are copied, and when a base backup is
 * restored with its WAL; the number of the database changes when rows are loaded into a new one.
 */
const originQuery = sql<Origin>`
  select (select system_identifier from pg_control_system()) || '.' || d.oid as database,
         ('x' || left(pg_walfile_name(pg_current_wal_lsn()), 8))::bit(32)::bigint::float8 as timeline
  from pg_database d where d.datname = current_database()`

/** Some providers of PostgreSQL keep these functions to themselves: every setback is then a restore. */
async function originOf(platform: Pool): Promise<Origin> {
  try {
    const [row] = await rows(platform, originQuery)
    return row ?? { database: '', timeline: 0 }
  } catch (error) {
    if ((error as { code?: string }).code !== '42501') throw error
    return { database: '', timeline: 0 }
  }
}

/** Of processes that start together, one finds the mark missing; the others wait for it. */
async function heed(client: PoolClient, mark: RestoreMark, origin: Origin): Promise<Setback | null> {
  const rowCount = await affected(client)`
    insert into restore_marks (id) values (${mark.id}) on conflict (id) do nothing`
  if (rowCount === 0) return null
  await rows(client)`select pg_notify(${restoredNotice}, ${''})`
  const from = await lastKept(client, mark)
  const isTail = from !== null && mark.left_at.getTime() - from.getTime() <= longestTailMs
  if (isTail && mark.database !== '' && mark.database === origin.database && mark.timeline < origin.timeline)
    return { as: 'failed_over', from, to: mark.left_at }
  for (const statement of voiding) await rows(client, statement)
  await rebuildTimers(client)
  return { as: 'restored' }
}

/** When the newest mark was left that is still here, before the one that is missing. */
async function lastKept(client: PoolClient, mark: RestoreMark): Promise<Date | null> {
  const [row] = await rows(client)<{ at: string | null }>`
    select max(made_at) as at from restore_marks where id <> ${mark.id} and made_at <= ${mark.left_at}`
  return row?.at ? new Date(row.at) : null
}
