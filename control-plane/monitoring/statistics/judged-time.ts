/** What an interval can be judged as. `warning` counts as up; only `up`, `warning` and `down` count at all. */
export const judgements = ['up', 'warning', 'down', 'maintenance', 'paused', 'no_data'] as const
export type Judgement = (typeof judgements)[number]

/** The verdict on a check from a moment on. Milliseconds. */
export interface Change {
  at: number
  verdict: string
}

/** Time from `from` up to, not including, `to`. Milliseconds. */
export interface Interval {
  from: number
  to: number
}

export interface Span extends Interval {
  verdict: Judgement
}

/** What the judgement of the time of a monitor, or of one check, follows from. */
export interface JudgedHistory {
  /** In order; of several at one moment the last counts. */
  changes: readonly Change[]
  monitoringGaps: readonly Interval[]
  /** Maintenance that does not count towards uptime. */
  maintenance: readonly Interval[]
}

/** Milliseconds of each judgement. */
export type JudgedTime = Record<Judgement, number>

const known = new Map<string, Judgement>(judgements.map(judgement => [judgement, judgement]))

/**
 * The time between two moments, cut into spans without gap or overlap. Maintenance comes before all else, then
 * monitoring gaps, in which there is no data; in the rest each change lasts until the next, and there is no data before
 * the first.
 */
export function judgedSpans(history: JudgedHistory, from: number, to: number): Span[] {
  const spans: Span[] = []
  const overrides = overridesOf(history.monitoringGaps, history.maintenance)
  eachSpan(history.changes, overrides, { from, to }, (verdict, start, end) => {
    const last = spans.at(-1)
    if (last?.verdict === verdict) last.to = end
    else spans.push({ verdict, from: start, to: end })
  })
  return spans
}

/**
 * Changes together with the times in which every region that was asked was away: as if each of these had been written
 * as a change to `none` and one back. They are in order; none contains a change.
 */
export function withRegionGaps(changes: readonly Change[], gaps: readonly Interval[]): readonly Change[] {
  if (gaps.length === 0) return changes
  const all: Change[] = []
  let next = 0
  for (const gap of gaps) {
    while (next < changes.length && changes[next]!.at <= gap.from) all.push(changes[next++]!)
    const verdict = changes[next - 1]?.verdict
    if (verdict === undefined) continue
    all.push({ at: gap.from, verdict: 'none' }, { at: gap.to, verdict })
  }
  return [...all, ...changes.slice(next)]
}

/** Time that is judged whatever the verdict is, in order and without overlap. */
export function overridesOf(monitoringGaps: readonly Interval[], maintenance: readonly Interval[]): Span[] {
  const inMaintenance = merged(maintenance)
  const gaps = merged(monitoringGaps).flatMap(gap => without(gap, inMaintenance))
  return [
    ...inMaintenance.map((interval): Span => ({ ...interval, verdict: 'maintenance' })),
    ...gaps.map((interval): Span => ({ ...interval, verdict: 'no_data' })),
  ].sort((a, b) => a.from - b.from)
}

/** What is left of an interval without others, which are in order and do not overlap. */
export function without({ from, to }: Interval, others: readonly Interval[]): Interval[] {
  const left: Interval[] = []
  let start = from
  for (const other of others) {
    if (other.to <= start) continue
    if (other.from >= to) break
    if (other.from > start) left.push({ from: start, to: other.from })
    start = other.to
  }
  if (start < to) left.push({ from: start, to })
  return left
}

/**
 * Adds how long each judgement lasted in each window, within `range`. It equals `timeOf` of `judgedSpans`, without the
 * list of spans. `overrides`: by `overridesOf`.
 */
export function addJudgedTimes(
  times: readonly JudgedTime[],
  changes: readonly Change[],
  overrides: readonly Span[],
  windows: readonly Interval[],
  range: Interval,
) {
  eachSpan(changes, overrides, range, (verdict, start, end) => {
    for (const [n, { from, to }] of windows.entries())
      times[n]![verdict] += Math.max(0, Math.min(end, to) - Math.max(start, from))
  })
}

export const wholeOf = (windows: readonly Interval[]): Interval => ({
  from: Math.min(...windows.map(window => window.from)),
  to: Math.max(...windows.map(window => window.to)),
})

export const noTime = (): JudgedTime => ({ up: 0, warning: 0, down: 0, maintenance: 0, paused: 0, no_data: 0 })

type OnSpan = (verdict: Judgement, start: number, end: number) => void

function eachSpan(
  changes: readonly Change[],
  overrides: readonly Span[],
  { from, to }: Interval,
  onSpan: OnSpan,
): void {
  let next = 0
  const onVerdict: OnSpan = (verdict, start, end) => {
    let at = start
    while (at < end) {
      while (next < overrides.length && overrides[next]!.to <= at) next++
      const override = overrides[next]
      if (!override || override.from >= end) return onSpan(verdict, at, end)
      if (at < override.from) onSpan(verdict, at, override.from)
      const overriddenUntil = Math.min(end, override.to)
      onSpan(override.verdict, Math.max(at, override.from), overriddenUntil)
      at = overriddenUntil
    }
  }

  let [since, verdict]: [number, Judgement] = [from, 'no_data']
  for (const change of changes) {
    if (change.at >= to) break
    if (change.at > since) {
      onVerdict(verdict, since, change.at)
      since = change.at
    }
    verdict = known.get(change.verdict) ?? 'no_data'
  }
  onVerdict(verdict, since, to)
}

/** The same intervals in order, with those that touch joined. */
export function merged(intervals: readonly Interval[]): Interval[] {
  const joined: Interval[] = []
  for (const { from, to } of [...intervals].filter(({ from, to }) => from < to).sort((a, b) => a.from - b.from)) {
    const last = joined.at(-1)
    if (last && from <= last.to) last.to = Math.max(last.to, to)
    else joined.push({ from, to })
  }
  return joined
}

/** How long each judgement lasted between two moments. */
export function timeOf(
  spans: readonly Span[],
  from = Number.NEGATIVE_INFINITY,
  to = Number.POSITIVE_INFINITY,
): JudgedTime {
  const time = noTime()
  for (const span of spans) {
    const ms = Math.min(span.to, to) - Math.max(span.from, from)
    if (ms > 0) time[span.verdict] += ms
  }
  return time
}

/**
 * Uptime in percent: `100 * up / (up + down)`, warning counting as up; null when nothing was judged.
 * Cut off, not rounded, after four digits, so that 100 means not one millisecond down.
 */
export function uptimePct({ up, warning, down }: Pick<JudgedTime, 'up' | 'warning' | 'down'>): number | null {
  const judged = up + warning + down
  return judged > 0 ? Math.floor(((up + warning) / judged) * 1e6) / 1e4 : null
}

export const dayMs = 86_400_000

/** The days, in UTC, that an interval touches, each cut to it. */
export function daysOf(from: number, to: number): (Interval & { date: string })[] {
  const days: (Interval & { date: string })[] = []
  for (let start = Math.floor(from / dayMs) * dayMs; start < to; start += dayMs)
    days.push({
      date: new Date(start).toISOString().slice(0, 10),
      from: Math.max(start, from),
      to: Math.min(start + dayMs, to),
    })
  return days
}
