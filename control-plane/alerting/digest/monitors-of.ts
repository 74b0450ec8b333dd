import { byName } from '#control-plane/db/by-name.ts'
import type { Row } from '#control-plane/db/queries.ts'
import type { Run } from '#control-plane/tenancy/plans/run.ts'

type KnownMonitor = Row<'monitors', 'id' | 'name' | 'url'> & { is_removed: boolean }

/** The monitors of a team by name, with those that were deleted after `from`. `madeBefore`: only older ones. */
export const monitorsOf = (
  run: Run,
  tenant: { id: string },
  { from, madeBefore = null }: { from: Date; madeBefore?: Date | null },
): Promise<KnownMonitor[]> =>
  run<KnownMonitor>(
    `select * from (
       select id, name, url, false as is_removed from monitors
       where tenant_id = ? and created_at < coalesce(?::timestamptz, 'infinity')
       union all
       select id, name, url, true from removed_monitors
       where tenant_id = ? and created_at < coalesce(?::timestamptz, 'infinity') and removed_at > ?
     ) m order by ${byName('name')}, id`,
    [tenant.id, madeBefore, tenant.id, madeBefore, from],
  )
