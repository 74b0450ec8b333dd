import { sql } from 'kysely'
import type { Pool } from 'pg'
import { accessTimeoutMs } from '#control-plane/base/db-timeouts.ts'
import { prepared, type Row, rows } from '#control-plane/db/queries.ts'

/** A backup that is whole. `bytes`: of its files; null where it was made by other means. */
export interface MadeBackup {
  id: string
  madeAt: Date
  bytes: number | null
}

const keptDays = 90

/** Notes a backup. A database of a version before the table does not note it. */
export async function noteBackup(platform: Pool, { id, madeAt, bytes }: MadeBackup): Promise<void> {
  const [row] = await rows(platform)<{ has: boolean }>`select to_regclass('public.backups') is not null as has`
  if (!row?.has) return
  await rows(platform)`insert into backups (id, made_at, bytes) values (${id}, ${madeAt}, ${bytes})`
  await rows(platform)`delete from backups where made_at < clock_timestamp() - interval '${sql.lit(keptDays)} days'`
}

const newest = prepared(
  'last-backup',
  () => sql<{ at: Row<'backups'>['made_at'] | null }>`select max(made_at) as at from backups`,
  { timeoutMs: accessTimeoutMs },
)

/** When the newest backup was made, by any means; null where none was noted. */
export async function lastBackup(platform: Pool): Promise<Date | null> {
  const [row] = await rows(platform, newest())
  return row?.at ? new Date(row.at) : null
}
