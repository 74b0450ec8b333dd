import { isPassiveKind } from '#checks/index.ts'
import type { Limits } from '#contract/plans.ts'
import { offsetMs, regionsFor } from '#control-plane/engine/assignments/assigned.ts'
import { effectiveInterval } from '#control-plane/engine/assignments/interval.ts'
import type { CheckRow } from './row.ts'

type Timed = Pick<CheckRow, 'id' | 'type' | 'interval' | 'check_interval' | 'monitor_regions' | 'everywhere'>

/** The regions that run a check, as the assignment chooses them. */
export const regionsOf = ({ id, monitor_regions, everywhere }: Timed, limits: Limits): readonly string[] =>
  regionsFor(
    { check: id, wanted: monitor_regions, regionsAtMost: limits.regions_per_monitor },
    [...(everywhere ?? [])].sort(),
  )

/** When the next scheduled run of any region is due. The schedule is a fixed grid, so it is computed, not stored. */
export function nextRunAt(check: Timed, limits: Limits, now: Date): Date | null {
  if (isPassiveKind(check.type)) return null
  const regions = regionsOf(check, limits)
  const intervalMs = effectiveInterval(check, limits) * 1_000
  const runs = regions.map((_, index) => {
    const offset = offsetMs(check.id, intervalMs, index, regions.length)
    return (Math.floor((now.getTime() - offset) / intervalMs) + 1) * intervalMs + offset
  })
  return runs.length > 0 ? new Date(Math.min(...runs)) : null
}
