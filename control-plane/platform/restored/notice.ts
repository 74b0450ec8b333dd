import { randomUUID } from 'node:crypto'
import type { ClickHouseClient } from '@clickhouse/client'
import type { Pool, PoolClient } from 'pg'
import { leaveMark, newestMark } from '#analytics/restore-marks.ts'
import { inTransaction } from '#control-plane/base/transaction.ts'
import { rebuildTimers } from './timers.ts'

/**
 * One-time links and sessions may have been used or ended since the backup, which the restored database does not show:
 * all of them are voided. People sign in again and request new links. Keys of programs stay valid.
 */
const voiding = [
  'delete from password_resets',
  'delete from login_links',
  'delete from setup_links',
  'delete from email_changes',
  'delete from trusted_devices',
  'delete from email_reverts',
  'delete from email_verifications',
  `update invitations set status = 'expired', updated_at = clock_timestamp() where status = 'pending'`,
  'update agent_enrolments set expires_at = least(expires_at, clock_timestamp()) where used_at is null',
  'update partner_sso set links_valid_from = clock_timestamp()',
  `delete from tokens where kind in ('ss', 'ik')`,
]

/**
 * Whether the database was restored to an older state since the last call; if so, one-time links and sessions are
 * voided, and timers are made again from the rows. Each call leaves a mark in PostgreSQL, then in ClickHouse: only a
 * restored database lacks the newest mark of ClickHouse.
 */
export async function noticeRestore(platform: Pool, clickhouse: ClickHouseClient): Promise<boolean> {
  const [newest] = await newestMark(clickhouse, {})
  const wasRestored = newest !== undefined && (await inTransaction(platform, client => heed(client, newest.id)))
  const id = randomUUID()
  await platform.query('insert into restore_marks (id) values ($1)', [id])
  await leaveMark(clickhouse, id)
  // from now on ClickHouse's newest is no older than this one
  await platform.query(`delete from restore_marks where made_at < clock_timestamp() - interval '1 day'`)
  return wasRestored
}

/** Of processes that start together, one finds the mark missing; the others wait for it. */
async function heed(client: PoolClient, mark: string): Promise<boolean> {
  const { rowCount } = await client.query('insert into restore_marks (id) values ($1) on conflict (id) do nothing', [
    mark,
  ])
  if (rowCount === 0) return false
  for (const statement of voiding) await client.query(statement)
  await rebuildTimers(client)
  return true
}
