import type { ServerMetric } from '#contract/server-agent.ts'

/**
 * A limit that a metric must not exceed for longer than `for_minutes`. `label`: of one disk, interface or sensor; null:
 * of any.
 */
export interface Threshold {
  metric: ServerMetric
  label: string | null
  above: number
  for_minutes: number
  severity: 'warning' | 'critical'
}

/** An exceeded threshold with the value that exceeds it. */
export interface ExceededThreshold extends Threshold {
  label: string
  /** The mean of the newest minute. */
  value: number
}

/** Means by minute (since 1970) of one metric with one label. */
export interface MetricMinutes {
  metric: ServerMetric
  label: string
  averages: ReadonlyMap<number, number>
  /** When the first value of a minute was measured, in milliseconds; where it is missing, as the minute began. */
  firsts?: ReadonlyMap<number, number>
}

/** Agents report at least every five minutes: a value counts for the minutes after it up to that long. */
export const carryMinutes = 5
/** An exceeded threshold clears only once the metric is this far below it, so that it does not flap. */
const clearAt = 0.98
const clearMinutes = 5
export const maxExceeded = 30

/**
 * Which thresholds are exceeded now, from the last minutes and from those exceeded before. Pure.
 *
 * - Not exceeded before: exceeded if every mean of the last `for_minutes` minutes is above, and one of them was
 *   measured as many minutes ago or earlier: a minute counts from its first value on.
 * - Exceeded before: cleared if every mean of the last five minutes (or `for_minutes`, if fewer) is at most 98 % of the
 *   limit; without data it stays exceeded.
 */
export function exceededAfter(
  thresholds: readonly Threshold[],
  series: readonly MetricMinutes[],
  before: readonly ExceededThreshold[],
  nowMs: number,
): ExceededThreshold[] {
  const minute = Math.floor(nowMs / 60_000)
  const known = new Set(before.map(keyOf))
  const found = thresholds.flatMap(threshold =>
    labelsOf(threshold, series, before).flatMap((label): ExceededThreshold[] => {
      const own = series.find(one => one.metric === threshold.metric && one.label === label)
      const averages = own?.averages ?? new Map<number, number>()
      const isExceeded = known.has(keyOf({ ...threshold, label }))
        ? !isClear(threshold, averages, minute)
        : isLastingAbove(threshold, averages, own?.firsts, nowMs)
      return isExceeded
        ? [{ ...threshold, label, value: newestOf(averages) ?? valueBefore(before, threshold, label) }]
        : []
    }),
  )
  return found
    .toSorted((a, b) => Number(b.severity === 'critical') - Number(a.severity === 'critical'))
    .slice(0, maxExceeded)
}

const keyOf = ({ metric, label, above, for_minutes, severity }: Threshold) =>
  `${metric} ${above} ${for_minutes} ${severity} ${label}`

function labelsOf(
  { metric, label }: Threshold,
  series: readonly MetricMinutes[],
  before: readonly ExceededThreshold[],
): string[] {
  if (label !== null) return [label]
  return [...new Set([...series, ...before].filter(one => one.metric === metric).map(one => one.label))]
}

const newestOf = (averages: ReadonlyMap<number, number>): number | undefined =>
  averages.size === 0 ? undefined : averages.get(Math.max(...averages.keys()))
const valueBefore = (before: readonly ExceededThreshold[], threshold: Threshold, label: string) =>
  before.find(one => keyOf(one) === keyOf({ ...threshold, label }))?.value ?? 0

const between = (averages: ReadonlyMap<number, number>, first: number, last: number): number[] =>
  [...averages].filter(([at]) => at >= first && at <= last).map(([, mean]) => mean)

/** From the newest minute back: the first value below the limit ends the search. */
function isLastingAbove(
  { above, for_minutes }: Threshold,
  averages: ReadonlyMap<number, number>,
  firsts: ReadonlyMap<number, number> | undefined,
  nowMs: number,
): boolean {
  const minute = Math.floor(nowMs / 60_000)
  const since = nowMs - for_minutes * 60_000
  for (let at = minute; at > minute - for_minutes; at--)
    if ((averages.get(at) ?? Number.POSITIVE_INFINITY) <= above) return false
  for (let at = minute - for_minutes; at > minute - for_minutes - carryMinutes; at--) {
    const mean = averages.get(at)
    if (mean === undefined) continue
    if (mean <= above) return false
    if ((firsts?.get(at) ?? at * 60_000) <= since) return true
  }
  return false
}

function isClear({ above, for_minutes }: Threshold, averages: ReadonlyMap<number, number>, minute: number): boolean {
  const last = between(averages, minute - Math.min(for_minutes, clearMinutes), minute)
  return last.length > 0 && last.every(mean => mean <= above * clearAt)
}
