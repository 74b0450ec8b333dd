import { countLock } from '#control-plane/tenancy/plans/enforce.ts'
import { limitsNow } from '#control-plane/tenancy/plans/limits.ts'
import { rankedMonitors } from '#control-plane/tenancy/plans/over-plan.ts'
import type { Run } from '#control-plane/tenancy/plans/run.ts'

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
export async function pauseOverPlan(run: Run, tenantId: string): Promise<PlanChange> {
  await run(...countLock(tenantId, 'monitors'))
  const limits = await limitsNow(run, tenantId)
  const [ranked, values] = rankedMonitors(limits, tenantId)
  const rows = await run<{ id: string; held_by_plan: boolean }>(
    `update monitors m set held_by_plan = r.is_beyond, switched_at = clock_timestamp()
     from (${ranked}) r
     where m.id = r.id and m.held_by_plan <> r.is_beyond
     returning m.id, m.held_by_plan`,
    values,
  )
  const ids = (isOverLimit: boolean) => rows.filter(row => row.held_by_plan === isOverLimit).map(row => row.id)
  return { overLimit: ids(true), released: ids(false) }
}
