import { isKindName, kinds } from '#checks/index.ts'
import type { Limits } from '#contract/plans.ts'

/**
 * Seconds between two runs of a check: its own interval, else its monitor's, and never below what plan and kind
 * allow. The stored setting stays as it was requested.
 */
export function effectiveInterval(
  check: { type: string; interval: number | null; check_interval: number },
  limits: Pick<Limits, 'min_check_interval'>,
): number {
  const floor = isKindName(check.type) ? kinds[check.type].every.min : 1
  return Math.max(check.interval ?? check.check_interval, limits.min_check_interval, floor)
}
