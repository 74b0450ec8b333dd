import type { EntityManager } from '@mikro-orm/postgresql'
import { rows } from '#control-plane/db/queries.ts'
import type { State } from '#control-plane/engine/state/rules.ts'
import { ofTeamSql } from '#control-plane/engine/state/sql.ts'
import { statusOfState } from '#control-plane/engine/state/state.ts'

/** The status of a monitor, or `pending` while its state is unknown. */
export const countedStatuses = ['up', 'down', 'warning', 'paused', 'maintenance', 'pending'] as const
export type StatusCounts = { total: number } & Record<(typeof countedStatuses)[number], number>

/** How many monitors of the tenant acted in have each status: the counts add up to the total. */
export async function countByStatus(em: EntityManager): Promise<StatusCounts> {
  const counted = await rows(em)<{ state: State; count: number }>`
    select state, count(*)::int as count from ${ofTeamSql} group by 1`
  const counts: StatusCounts = { total: 0, up: 0, down: 0, warning: 0, paused: 0, maintenance: 0, pending: 0 }
  for (const { state, count } of counted) {
    counts[statusOfState[state] ?? 'pending'] += count
    counts.total += count
  }
  return counts
}
