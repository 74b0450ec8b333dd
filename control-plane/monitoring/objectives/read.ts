import type { Objective } from '#control-plane/db/model/shapes.ts'
import { among, type Db, type Row, rows } from '#control-plane/db/queries.ts'
import { dayMs, noTime } from '#control-plane/monitoring/statistics/judged-time.ts'
import { readJudgedTime } from '#control-plane/monitoring/statistics/read-judged.ts'
import { type Budget, budgetOf } from './budget.ts'

/** An objective with its error budget at a moment. */
export type ObjectiveState = Objective & Budget

/**
 * The error budgets of those of a tenant's monitors that had an objective at a moment, in the windows that end then.
 * Also of monitors that were deleted since.
 */
export async function readBudgets(
  db: Db,
  tenant: { id: string },
  monitors: readonly { id: string }[],
  at: Date,
): Promise<Map<string, ObjectiveState>> {
  // an objective that was set just now counts at once, whatever the clocks of service and database
  const wanted = await rows(db)<Row<'slo_spans', 'monitor_id' | 'slo'>>`select s.monitor_id, s.slo from slo_spans s
    where s.tenant_id = ${tenant.id} and s.monitor_id = ${among(monitors.map(({ id }) => id))}
      and case when ${at}::timestamptz > clock_timestamp() - interval '1 minute' then s.ended_at is null
        else s.since < ${at} and coalesce(s.ended_at, 'infinity') >= ${at} end`
  const lengths = [...new Set(wanted.map(({ slo }) => slo.window_days))]
  if (lengths.length === 0) return new Map()
  const to = at.getTime()
  const windows = lengths.map(days => ({ from: to - days * dayMs, to }))
  const ids = wanted.map(({ monitor_id }) => monitor_id)
  const judged = await readJudgedTime(db, [tenant.id], ids, windows)
  return new Map(
    wanted.map(({ monitor_id: id, slo }) => {
      const time = judged.get(id)?.times[lengths.indexOf(slo.window_days)] ?? noTime()
      return [id, { ...slo, ...budgetOf(slo, time) }]
    }),
  )
}
