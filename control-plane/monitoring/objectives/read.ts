import type { Row } from '#control-plane/db/queries.ts'
import { dayMs, noTime } from '#control-plane/monitoring/statistics/judged-time.ts'
import { readJudgedTime } from '#control-plane/monitoring/statistics/read-judged.ts'
import type { Run } from '#control-plane/tenancy/plans/run.ts'
import { type Budget, budgetOf, type Objective } from './budget.ts'

/** An objective with its error budget at a moment. */
export type ObjectiveState = Objective & Budget

/** The error budgets of those of a tenant's monitors that have an objective, in the windows that end at a moment. */
export async function readBudgets(
  run: Run,
  tenant: { id: string },
  monitors: readonly Row<'monitors', 'id' | 'slo'>[],
  at: Date,
): Promise<Map<string, ObjectiveState>> {
  const wanted = monitors.flatMap(({ id, slo }) => (slo === null ? [] : [{ id, slo }]))
  const lengths = [...new Set(wanted.map(({ slo }) => slo.window_days))]
  if (lengths.length === 0) return new Map()
  const to = at.getTime()
  const windows = lengths.map(days => ({ from: to - days * dayMs, to }))
  const ids = wanted.map(({ id }) => id)
  const judged = await readJudgedTime(run, [tenant.id], ids, windows)
  return new Map(
    wanted.map(({ id, slo }) => {
      const time = judged.get(id)?.times[lengths.indexOf(slo.window_days)] ?? noTime()
      return [id, { ...slo, ...budgetOf(slo, time) }]
    }),
  )
}
