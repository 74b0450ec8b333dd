import type { Point } from '../../charts/svg.ts'
import type { components } from '../api-types.d.ts'

type Schemas = components['schemas']
type SeriesPoint = Schemas['SeriesPoint']
type Value = 'avg_response_ms' | 'min_response_ms' | 'max_response_ms'

const bucketMs: Record<Schemas['Resolution'], number> = {
  minute: 60_000,
  five_minutes: 300_000,
  hour: 3_600_000,
  day: 86_400_000,
}

/**
 * One value of a series as points of a chart. Where more than two runs are missing there is a point without a value,
 * so that the line is interrupted. `intervalS`: seconds between the runs.
 */
export function pointsOf(
  series: readonly SeriesPoint[],
  value: Value,
  { bucket, intervalS }: { bucket: Schemas['Resolution']; intervalS: number },
): Point[] {
  const gap = 3 * Math.max(bucketMs[bucket], intervalS * 1_000)
  return series.flatMap((point, index) => {
    const at = Date.parse(point.at)
    const before = series[index - 1]
    const isAfterGap = before !== undefined && at - Date.parse(before.at) >= gap
    return [...(isAfterGap ? [{ at: at - 1, value: null }] : []), { at, value: point[value] }]
  })
}

export interface Band {
  from: number
  to: number
}

/** When incidents were open, within a time range. */
export function bandsOf(
  incidents: readonly { started_at: string; resolved_at: string | null }[],
  { from, to }: Band,
): Band[] {
  return incidents
    .map(({ started_at, resolved_at }) => ({
      from: Math.max(from, Date.parse(started_at)),
      to: Math.min(to, resolved_at === null ? to : Date.parse(resolved_at)),
    }))
    .filter(band => band.from < band.to)
}

export type DayLevel = 'up' | 'warning' | 'down' | 'maintenance' | 'paused' | 'no_data'

export interface DaySeconds {
  up_s: number
  warning_s: number
  downtime_s: number
  maintenance_s: number
  paused_s: number
  no_data_s: number
}

/** What the bar of a day shows: the worst that was judged on it, else why nothing was. */
export function levelOf({ up_s, warning_s, downtime_s, maintenance_s, paused_s }: DaySeconds): DayLevel {
  if (downtime_s > 0) return 'down'
  if (warning_s > 0) return 'warning'
  if (up_s > 0) return 'up'
  if (maintenance_s > 0) return 'maintenance'
  return paused_s > 0 ? 'paused' : 'no_data'
}

/** Uptime of a day in percent, by the formula of the API; null where nothing was judged. */
export function uptimeOf({ up_s, warning_s, downtime_s }: DaySeconds): number | null {
  const judged = up_s + warning_s + downtime_s
  return judged === 0 ? null : (100 * (up_s + warning_s)) / judged
}
