/** What a stretch of time can be. `warning` counts as up; only `up`, `warning` and `down` count at all. */
export const judgements = ['up', 'warning', 'down', 'maintenance', 'paused', 'no_data'] as const
export type Judgement = (typeof judgements)[number]

/** The version of the formula in `uptimePct`, carried by every answer that holds an uptime. */
export const uptimeFormula = 1

/** What a check was judged to be from a moment on. Milliseconds. */
export interface Change {
  at: number
  verdict: string
}

/** Time from `from` up to, not including, `to`. Milliseconds. */
export interface Stretch {
  from: number
  to: number
}

export interface Span extends Stretch {
  verdict: Judgement
}

/** Milliseconds of each judgement. */
export type JudgedTime = Record<Judgement, number>

const known = new Map<string, Judgement>(judgements.map(judgement => [judgement, judgement]))

/**
 * The time between two moments, cut into spans without gap or overlap: each change holds until the next,
 * nothing is known before the first, and while we were blind ourselves nothing was judged. `changes` are in order;
 * of several at one moment the last holds.
 */
export function judgedSpans(
  changes: readonly Change[],
  blindSpells: readonly Stretch[],
  from: number,
  to: number,
): Span[] {
  const spans: Span[] = []
  tellTime(changes, merged(blindSpells), { from, to }, (verdict, start, end) => {
    const last = spans.at(-1)
    if (last?.verdict === verdict) last.to = end
    else spans.push({ verdict, from: start, to: end })
  })
  return spans
}

/**
 * Adds how long each judgement held in each of these windows, as far as `seen` goes: `timeOf` the `judgedSpans`, which nobody keeps.
 * `blind` spells are merged.
 */
export function addJudgedTimes(
  times: readonly JudgedTime[],
  changes: readonly Change[],
  blind: readonly Stretch[],
  windows: readonly Stretch[],
  seen: Stretch,
) {
  tellTime(changes, blind, seen, (verdict, start, end) => {
    for (const [n, { from, to }] of windows.entries())
      times[n]![verdict] += Math.max(0, Math.min(end, to) - Math.max(start, from))
  })
}

export const wholeOf = (windows: readonly Stretch[]): Stretch => ({
  from: Math.min(...windows.map(window => window.from)),
  to: Math.max(...windows.map(window => window.to)),
})

export const noTime = (): JudgedTime => ({ up: 0, warning: 0, down: 0, maintenance: 0, paused: 0, no_data: 0 })

type Tell = (verdict: Judgement, start: number, end: number) => void

function tellTime(changes: readonly Change[], blind: readonly Stretch[], { from, to }: Stretch, tell: Tell): void {
  let next = 0
  const tellSeen: Tell = (verdict, start, end) => {
    let at = start
    while (at < end) {
      while (next < blind.length && blind[next]!.to <= at) next++
      const spell = blind[next]
      if (!spell || spell.from >= end) return tell(verdict, at, end)
      if (at < spell.from) tell(verdict, at, spell.from)
      const seesAgain = Math.min(end, spell.to)
      tell('no_data', Math.max(at, spell.from), seesAgain)
      at = seesAgain
    }
  }

  let [since, verdict]: [number, Judgement] = [from, 'no_data']
  for (const change of changes) {
    if (change.at >= to) break
    if (change.at > since) {
      tellSeen(verdict, since, change.at)
      since = change.at
    }
    verdict = known.get(change.verdict) ?? 'no_data'
  }
  tellSeen(verdict, since, to)
}

/** The same stretches in order, those that touch made one. */
export function merged(stretches: readonly Stretch[]): Stretch[] {
  const found: Stretch[] = []
  for (const { from, to } of [...stretches].filter(({ from, to }) => from < to).sort((a, b) => a.from - b.from)) {
    const last = found.at(-1)
    if (last && from <= last.to) last.to = Math.max(last.to, to)
    else found.push({ from, to })
  }
  return found
}

/** How long each judgement held between two moments. */
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

/** The days, in UTC, that a stretch of time touches, each cut to it. */
export function daysOf(from: number, to: number): (Stretch & { date: string })[] {
  const days: (Stretch & { date: string })[] = []
  for (let start = Math.floor(from / dayMs) * dayMs; start < to; start += dayMs)
    days.push({
      date: new Date(start).toISOString().slice(0, 10),
      from: Math.max(start, from),
      to: Math.min(start + dayMs, to),
    })
  return days
}
