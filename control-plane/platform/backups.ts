import { sql } from 'kysely'
import type { Pool } from 'pg'
import { accessTimeoutMs, withQueryTimeout } from '#control-plane/base/db-timeouts.ts'
import { rows } from '#control-plane/db/queries.ts'

/** A backup that is whole. `bytes`: of its files; null where it was made by other means. */
export interface MadeBackup {
  id: string
  madeAt: Date
  bytes: number | null
}

const keptDays = 90

/** Notes a backup. A database of a version before the table does not note it. */
export async function noteBackup(platform: Pool, { id, madeAt, bytes }: MadeBackup): Promise<void> {
  const [row] = await rows(platform, sql<{ has: boolean }>`select to_regclass('public.backups') is not null as has`)
  if (!row?.has) return
  await rows(platform, sql`insert into backups (id, made_at, bytes) values (${id}, ${madeAt}, ${bytes})`)
  await rows(
    platform,
    sql`delete from backups where made_at < clock_timestamp() - interval '${sql.lit(keptDays)} days'`,
  )
}

const newest = withQueryTimeout(accessTimeoutMs, {
  name: 'last-backup',
  text: 'select max(made_at) as at from backups',
})

/** When the newest backup was made, by any means; null where none was noted. */
export async function lastBackup(platform: Pick<Pool, 'query'>): Promise<Date | null> {
  const { rows } = await platform.query<{ at: Date | null }>(newest)
  return rows[0]?.at ?? null
}
