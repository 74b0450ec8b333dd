import type { BudgetState, Objective } from '#control-plane/db/model/shapes.ts'
import type { JudgedTime } from '#control-plane/monitoring/statistics/judged-time.ts'
import { type Budget, budgetOf } from './budget.ts'

/** Percent of the whole budget that, used within an hour or a day, are a fast use. */
export const burningPct = { hour: 5, day: 10 }

type Down = Pick<JudgedTime, 'down'>

/** How the budget of an objective stands, by the judged time of its window, of the last hour and of the last day. */
export function budgetStateOf(
  objective: Objective,
  { whole, hour, day }: { whole: JudgedTime; hour: Down; day: Down },
): { state: BudgetState; budget: Budget } {
  const budget = budgetOf(objective, whole)
  const usedPct = ({ down }: Down) => (down / 1_000 / budget.budget_s) * 100
  const isBurning = usedPct(hour) >= burningPct.hour || usedPct(day) >= burningPct.day
  return { state: budget.left_s === 0 ? 'exhausted' : isBurning ? 'burning' : 'kept', budget }
}
