import type { Objective } from '#control-plane/db/model/shapes.ts'
import { dayMs, type JudgedTime, uptimePct } from '#control-plane/monitoring/statistics/judged-time.ts'

type Judged = Pick<JudgedTime, 'up' | 'warning' | 'down'>

/** How the time of a monitor was judged in the window of its objective, in milliseconds. */
export interface Budget {
  uptime_pct: number | null
  /** The share of the whole window that may be down, in seconds. Time that was not judged uses none of it. */
  budget_s: number
  used_s: number
  left_s: number
  left_pct: number
}

/** The error budget of an objective by the judged time of its window. */
export function budgetOf({ target_pct, window_days }: Objective, judged: Judged): Budget {
  const budgetMs = allowedShare(target_pct) * window_days * dayMs
  const leftMs = Math.max(0, budgetMs - judged.down)
  return {
    uptime_pct: uptimePct(judged),
    budget_s: roundTo(1, budgetMs / 1_000),
    used_s: roundTo(1, judged.down / 1_000),
    left_s: roundTo(1, leftMs / 1_000),
    left_pct: roundTo(2, (leftMs / budgetMs) * 100),
  }
}

/**
 * How fast the budget is used: the share of judged time that was down, in multiples of the share that may be down. At 1
 * the budget lasts exactly one window. null when nothing was judged.
 */
export function burnRate({ target_pct }: Objective, { up, warning, down }: Judged): number | null {
  const judged = up + warning + down
  return judged > 0 ? roundTo(2, down / judged / allowedShare(target_pct)) : null
}

/**
 * When the budget is used up if failures go on as in a time range that ended at `at`; null when it lasts for a whole
 * window or longer, or is used up already.
 */
export function exhaustionAt(objective: Objective, window: Judged, recent: Judged, at: Date): Date | null {
  const windowMs = objective.window_days * dayMs
  const leftMs = allowedShare(objective.target_pct) * windowMs - window.down
  const judged = recent.up + recent.warning + recent.down
  if (leftMs <= 0 || recent.down === 0) return null
  const lastsMs = (leftMs * judged) / recent.down
  return lastsMs < windowMs ? new Date(at.getTime() + Math.round(lastsMs)) : null
}

/** The share of time that may be down. Computed in whole thousandths of a percent: 100 - 99.9 is not 0.1. */
const allowedShare = (targetPct: number) => (100_000 - Math.round(targetPct * 1_000)) / 100_000

const roundTo = (digits: number, value: number) => Math.round(value * 10 ** digits) / 10 ** digits
