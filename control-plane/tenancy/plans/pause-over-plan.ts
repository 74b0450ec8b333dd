import { countLock } from './enforce.ts'
import { limitsNow } from './limits.ts'
import type { Run } from './run.ts'

/** Ids of monitors that are over the plan limit from now on, and of those that are checked again. */
export interface PlanChange {
  overLimit: string[]
  released: string[]
}

/**
 * Brings a team's monitors in line with its present plan: monitors over the limit are no longer checked, the others
 * are. The monitors that the team chose come first, then the oldest. None is deleted and `is_enabled` stays. A change
 * of plan or overrides must be followed by this call in the same transaction; a second call changes nothing.
 */
export async function pauseOverPlan(run: Run, tenantId: string): Promise<PlanChange> {
  await run(...countLock(tenantId, 'monitors'))
  const limits = await limitsNow(run, tenantId)
  const rows = await run<{ id: string; held_by_plan: boolean }>(
    `update monitors m set held_by_plan = r.beyond, switched_at = clock_timestamp()
     from (
       select id, coalesce(row_number() over (order by is_kept desc, created_at, id) > ?::int, false) as beyond
       from monitors where tenant_id = ?::uuid
     ) r
     where m.id = r.id and m.held_by_plan <> r.beyond
     returning m.id, m.held_by_plan`,
    [limits.monitors, tenantId],
  )
  const ids = (isOverLimit: boolean) => rows.filter(row => row.held_by_plan === isOverLimit).map(row => row.id)
  return { overLimit: ids(true), released: ids(false) }
}
