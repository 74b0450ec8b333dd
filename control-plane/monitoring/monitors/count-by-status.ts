import type { EntityManager } from '@mikro-orm/postgresql'
import { shownStatus } from './row.ts'

/** The shown status of a monitor, or `pending` before its first verdict. */
export const countedStatuses = ['up', 'down', 'warning', 'paused', 'maintenance', 'pending'] as const
export type StatusCounts = { total: number } & Record<(typeof countedStatuses)[number], number>

/** How many monitors of the tenant acted in have each status: the counts add up to the total. */
export async function countByStatus(em: EntityManager, tenantId: string): Promise<StatusCounts> {
  const rows = await em.execute<{ status: (typeof countedStatuses)[number]; count: number }[]>(
    `select coalesce(${shownStatus}, 'pending') as status, count(*)::int as count
     from monitors m where m.tenant_id = ? group by 1`,
    [tenantId],
  )
  const counts: StatusCounts = { total: 0, up: 0, down: 0, warning: 0, paused: 0, maintenance: 0, pending: 0 }
  for (const { status, count } of rows) {
    counts[status] += count
    counts.total += count
  }
  return counts
}
