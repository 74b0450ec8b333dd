import { randomUUID } from 'node:crypto'
import type { ClickHouseClient } from '@clickhouse/client'
import type { Pool, PoolClient } from 'pg'
import { leaveMark, newestMark } from '#analytics/restore-marks.ts'
import { inTransaction } from '#control-plane/base/transaction.ts'

/**
 * What serves once, or ends when somebody says so, may have been used or ended since the backup: nobody can tell any more, so all of it is
 * void. People sign in again; who waits for a link asks for another. Keys of programs stay.
 */
const voiding = [
  'delete from password_resets',
  'delete from email_changes',
  'delete from email_reverts',
  'delete from email_verifications',
  `update invitations set status = 'expired', updated_at = clock_timestamp() where status = 'pending'`,
  'update agent_enrolments set expires_at = least(expires_at, clock_timestamp()) where used_at is null',
  `delete from tokens where kind in ('ss', 'ik')`,
]

/**
 * Whether the database was put back to an older state since this was last asked; if so, nothing that was used since that state can be used
 * again. Each time a mark is left in PostgreSQL, then in ClickHouse: the newest that ClickHouse knows is missing only from an older database.
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

/** Of processes that start together one finds the mark missing; the others wait for it. */
async function heed(client: PoolClient, mark: string): Promise<boolean> {
  const { rowCount } = await client.query('insert into restore_marks (id) values ($1) on conflict (id) do nothing', [
    mark,
  ])
  if (rowCount === 0) return false
  for (const statement of voiding) await client.query(statement)
  return true
}
