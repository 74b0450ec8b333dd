import { type Db, type Row, rows } from '#control-plane/db/queries.ts'
import { lockCount } from '#control-plane/tenancy/plans/enforce.ts'
import { limitsNow } from '#control-plane/tenancy/plans/limits.ts'
import { rankedMonitors } from '#control-plane/tenancy/plans/over-plan.ts'

/** Ids of monitors that are over the plan limit from now on, and of those that are checked again. */
export interface PlanChange {
  overLimit: string[]
  released: string[]
}

/**
 * Brings a team's monitors in line with its present plan: those that `rankedMonitors` puts beyond it are no longer
 * checked, the others are. None is deleted and `is_enabled` stays. A change of plan or overrides must be followed by
 * this call in the same transaction; a second call changes nothing.
 */
export async function pauseOverPlan(db: Db, tenantId: string): Promise<PlanChange> {
  await lockCount(db, { id: tenantId }, 'monitors')
  const limits = await limitsNow(db, tenantId)
  const changed = await rows(db)<Row<'monitors', 'id' | 'held_by_plan'>>`
    update monitors m set held_by_plan = r.is_beyond, switched_at = clock_timestamp()
   from (${rankedMonitors(limits, tenantId)}) r
   where m.id = r.id and m.held_by_plan <> r.is_beyond
   returning m.id, m.held_by_plan`
  const ids = (isOverLimit: boolean) => changed.filter(row => row.held_by_plan === isOverLimit).map(row => row.id)
  return { overLimit: ids(true), released: ids(false) }
}
