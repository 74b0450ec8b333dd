/** What an interval can be judged as. `warning` counts as up; only `up`, `warning` and `down` count at all. */
export const judgements = ['up', 'warning', 'down', 'maintenance', 'paused', 'no_data'] as const
export type Judgement = (typeof judgements)[number]

/** The version of the formula in `uptimePct`, a field of every answer with an uptime. */
export const uptimeFormula = 1

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

/** Milliseconds of each judgement. */
export type JudgedTime = Record<Judgement, number>

const known = new Map<string, Judgement>(judgements.map(judgement => [judgement, judgement]))

/**
 * The time between two moments, cut into spans without gap or overlap: each change lasts until the next, there is no
 * data before the first, and none in monitoring gaps. `changes` are in order; of several at one moment the last counts.
 */
export function judgedSpans(
  changes: readonly Change[],
  monitoringGaps: readonly Interval[],
  from: number,
  to: number,
): Span[] {
  const spans: Span[] = []
  eachSpan(changes, merged(monitoringGaps), { from, to }, (verdict, start, end) => {
    const last = spans.at(-1)
    if (last?.verdict === verdict) last.to = end
    else spans.push({ verdict, from: start, to: end })
  })
  return spans
}

/**
 * Adds how long each judgement lasted in each window, within `range`. It equals `timeOf` of `judgedSpans`, without the
 * list of spans. `monitoringGaps` are merged.
 */
export function addJudgedTimes(
  times: readonly JudgedTime[],
  changes: readonly Change[],
  monitoringGaps: readonly Interval[],
  windows: readonly Interval[],
  range: Interval,
) {
  eachSpan(changes, monitoringGaps, range, (verdict, start, end) => {
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
  monitoringGaps: readonly Interval[],
  { from, to }: Interval,
  onSpan: OnSpan,
): void {
  let next = 0
  const onMeasured: OnSpan = (verdict, start, end) => {
    let at = start
    while (at < end) {
      while (next < monitoringGaps.length && monitoringGaps[next]!.to <= at) next++
      const gap = monitoringGaps[next]
      if (!gap || gap.from >= end) return onSpan(verdict, at, end)
      if (at < gap.from) onSpan(verdict, at, gap.from)
      const gapEnd = Math.min(end, gap.to)
      onSpan('no_data', Math.max(at, gap.from), gapEnd)
      at = gapEnd
    }
  }

  let [since, verdict]: [number, Judgement] = [from, 'no_data']
  for (const change of changes) {
    if (change.at >= to) break
    if (change.at > since) {
      onMeasured(verdict, since, change.at)
      since = change.at
    }
    verdict = known.get(change.verdict) ?? 'no_data'
  }
  onMeasured(verdict, since, to)
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
