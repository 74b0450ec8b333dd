import type { ServerMetric } from '#contract/server-agent.ts'

/** A limit that a metric must not be above for longer than so many minutes. `label`: of one disk, interface or sensor; null: of any. */
export interface Threshold {
  metric: ServerMetric
  label: string | null
  above: number
  for_minutes: number
  severity: 'warning' | 'critical'
}

/** A threshold that is passed, and by what it was passed. */
export interface Standing extends Threshold {
  label: string
  /** The newest mean of a minute. */
  value: number
}

/** Means of one metric of one thing by minute, counted since 1970. */
export interface Minutes {
  metric: ServerMetric
  label: string
  means: ReadonlyMap<number, number>
}

/** Agents look every five minutes at the least often: so long a value stands for what came after it. */
export const carryMinutes = 5
/** A threshold that is passed stays so until the metric was this far below it, that it does not come and go. */
const clearAt = 0.98
const clearMinutes = 5
export const standingAtMost = 30

/**
 * Which thresholds are passed now, from the last minutes and from which were before. Pure.
 *
 * | Before | The last `for_minutes` whole minutes, and this one                            | Now    |
 * |--------|-------------------------------------------------------------------------------|--------|
 * | clear  | every mean above, and one that stands for their beginning                      | passed |
 * | clear  | otherwise                                                                      | clear  |
 * | passed | of the last five (or `for_minutes`, if less) every mean at most 98 % of it     | clear  |
 * | passed | otherwise, also when nothing was told                                          | passed |
 */
export function standingAfter(
  thresholds: readonly Threshold[],
  series: readonly Minutes[],
  before: readonly Standing[],
  nowMs: number,
): Standing[] {
  const minute = Math.floor(nowMs / 60_000)
  const known = new Set(before.map(keyOf))
  const found = thresholds.flatMap(threshold =>
    labelsOf(threshold, series, before).flatMap((label): Standing[] => {
      const means =
        series.find(one => one.metric === threshold.metric && one.label === label)?.means ?? new Map<number, number>()
      const isPassed = known.has(keyOf({ ...threshold, label }))
        ? !isClear(threshold, means, minute)
        : isLastingAbove(threshold, means, minute)
      return isPassed ? [{ ...threshold, label, value: newestOf(means) ?? valueBefore(before, threshold, label) }] : []
    }),
  )
  return found
    .toSorted((a, b) => Number(b.severity === 'critical') - Number(a.severity === 'critical'))
    .slice(0, standingAtMost)
}

const keyOf = ({ metric, label, above, for_minutes, severity }: Threshold) =>
  `${metric} ${above} ${for_minutes} ${severity} ${label}`

function labelsOf({ metric, label }: Threshold, series: readonly Minutes[], before: readonly Standing[]): string[] {
  if (label !== null) return [label]
  return [...new Set([...series, ...before].filter(one => one.metric === metric).map(one => one.label))]
}

const newestOf = (means: ReadonlyMap<number, number>): number | undefined =>
  means.size === 0 ? undefined : means.get(Math.max(...means.keys()))
const valueBefore = (before: readonly Standing[], threshold: Threshold, label: string) =>
  before.find(one => keyOf(one) === keyOf({ ...threshold, label }))?.value ?? 0

const between = (means: ReadonlyMap<number, number>, first: number, last: number): number[] =>
  [...means].filter(([at]) => at >= first && at <= last).map(([, mean]) => mean)

/** From the newest back: what is below now is seen at the first step. */
function isLastingAbove(
  { above, for_minutes }: Threshold,
  means: ReadonlyMap<number, number>,
  minute: number,
): boolean {
  for (let at = minute; at > minute - for_minutes; at--)
    if ((means.get(at) ?? Number.POSITIVE_INFINITY) <= above) return false
  for (let at = minute - for_minutes; at > minute - for_minutes - carryMinutes; at--) {
    const first = means.get(at)
    if (first !== undefined) return first > above
  }
  return false
}

function isClear({ above, for_minutes }: Threshold, means: ReadonlyMap<number, number>, minute: number): boolean {
  const last = between(means, minute - Math.min(for_minutes, clearMinutes), minute)
  return last.length > 0 && last.every(mean => mean <= above * clearAt)
}
