import {
  type Change,
  type Interval,
  type JudgedTime,
  merged,
  noTime,
  uptimePct,
} from '#control-plane/monitoring/statistics/judged-time.ts'
import { emptyDay, goodDay, type Level, type PageDay } from './model.ts'

/** From this share of the judged time of a day on, an outage is shown as a major one: 14 minutes of 24 hours. */
const majorShare = 0.01

/** A day of one component, made of the judged time of its monitors. */
export function dayOf(time: JudgedTime): PageDay {
  const judged = time.up + time.warning + time.down
  const level = levelOf(time, judged)
  if (level === 'none') return emptyDay
  if (level === 'good' && time.maintenance === 0) return goodDay
  return {
    level,
    uptimePct: uptimePct(time),
    downMs: Math.round(time.down),
    degradedMs: Math.round(time.warning),
    maintenanceMs: Math.round(time.maintenance),
  }
}

function levelOf({ warning, down, maintenance }: JudgedTime, judged: number): Level {
  if (judged === 0) return maintenance > 0 ? 'maintenance' : 'none'
  if (down >= judged * majorShare && down > 0) return 'major'
  return down > 0 || warning > 0 ? 'minor' : 'good'
}

/** The judged time of several monitors together. */
export function sumOf(times: readonly JudgedTime[]): JudgedTime {
  if (times.length === 1) return times[0] as JudgedTime
  const sum = noTime()
  for (const time of times) for (const name of Object.keys(sum) as (keyof JudgedTime)[]) sum[name] += time[name]
  return sum
}

/** Changes in which downtime that lasted less than `leastMs` is not down. */
export function withoutBriefDowntime(changes: readonly Change[], to: number, leastMs: number): readonly Change[] {
  if (leastMs === 0) return changes
  return changes.map((change, index) => {
    if (change.verdict !== 'down') return change
    let end = index + 1
    while (changes[end]?.verdict === 'down') end++
    let start = index
    while (start > 0 && changes[start - 1]?.verdict === 'down') start--
    const lasted = (changes[end]?.at ?? to) - changes[start]!.at
    return lasted < leastMs ? { ...change, verdict: 'up' } : change
  })
}

/** What an incident says of a component, from its beginning to its end. */
export interface Outage extends Interval {
  status: string
}

/** How much of a partial outage counts, of a major one all. */
const partialWeight = 0.5

/**
 * Judged time made of incidents alone: everything since `since` is up, but for what they say. Of incidents at the same
 * time the worst counts.
 */
export function timeOfOutages(outages: readonly Outage[], window: Interval, since: number): JudgedTime {
  const bounds = { from: Math.max(window.from, since), to: window.to }
  const msOf = (statuses: readonly string[]) =>
    merged(
      outages
        .filter(({ status }) => statuses.includes(status))
        .map(({ from, to }) => ({ from: Math.max(from, bounds.from), to: Math.min(to, bounds.to) })),
    ).reduce((sum, { from, to }) => sum + to - from, 0)
  const whole = Math.max(0, bounds.to - bounds.from)
  const major = msOf(['major_outage'])
  const partial = msOf(['major_outage', 'partial_outage']) - major
  const degraded = msOf(['major_outage', 'partial_outage', 'degraded_performance']) - major - partial
  const down = major + partial * partialWeight
  return {
    ...noTime(),
    down,
    warning: degraded,
    up: whole - down - degraded,
    no_data: window.to - window.from - whole,
  }
}
