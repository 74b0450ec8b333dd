import { namesOf } from '#control-plane/db/by-name.ts'
import { type Db, type Row, rows } from '#control-plane/db/queries.ts'

type KnownMonitor = Row<'monitors', 'id' | 'name' | 'url'> & { is_removed: boolean }

/** The monitors of a team by name, with those that were deleted after `from`. `madeBefore`: only older ones. */
export const monitorsOf = (
  db: Db,
  tenant: { id: string },
  { from, madeBefore = null }: { from: Date; madeBefore?: Date | null },
): Promise<KnownMonitor[]> =>
  rows(db)<KnownMonitor>`select * from (
     select id, name, url, false as is_removed from monitors
     where tenant_id = ${tenant.id} and created_at < coalesce(${madeBefore}::timestamptz, 'infinity')
     union all
     select id, name, url, true from removed_monitors
     where tenant_id = ${tenant.id} and created_at < coalesce(${madeBefore}::timestamptz, 'infinity')
       and removed_at > ${from}
   ) m order by ${namesOf('name')}, id`
