import type { Run } from '#control-plane/tenancy/plans/run.ts'
import { type JudgedTime, judgements, merged, type Stretch, wholeOf } from './judged-time.ts'

/** Spells of one verdict that began and ended between the same edges: how many, and the sums of their beginnings and ends in milliseconds. */
export interface Gaps {
  verdict: string
  began: number
  ended: number
  spells: number
  starts: number
  ends: number
}

/** How time is cut up for some windows: where each begins and ends, and where we were blind. */
export interface Cut {
  whole: Stretch
  windows: readonly (Stretch & { unseen: readonly Stretch[] })[]
  /** Milliseconds after the beginning of the whole. */
  edges: readonly number[]
}

export const milliseconds = (moment: string) => `round(date_part('epoch', ${moment}) * 1000)`

/** Our own blind spells that touch what lies between two moments. */
export const monitoringGaps = `select ${milliseconds('started_at')} as from, ${milliseconds('ended_at')} as to
  from monitoring_gaps where ended_at > ? and started_at < ? order by started_at`

export async function cutFor(run: Run, windows: readonly Stretch[]): Promise<Cut> {
  const whole = wholeOf(windows)
  const blind = within(whole, merged(await run<Stretch>(monitoringGaps, [new Date(whole.from), new Date(whole.to)])))
  const edges = [...new Set([whole, ...windows, ...blind].flatMap(({ from, to }) => [from, to]))].sort((a, b) => a - b)
  return {
    whole,
    windows: windows.map(window => ({ ...window, unseen: within(window, blind) })),
    edges: edges.map(edge => edge - whole.from),
  }
}

const within = (bounds: Stretch, stretches: readonly Stretch[]): Stretch[] =>
  stretches
    .map(({ from, to }) => ({ from: Math.max(from, bounds.from), to: Math.min(to, bounds.to) }))
    .filter(({ from, to }) => from < to)

/** Whole milliseconds after the beginning, in SQL. */
export const msAfterStart = (moment: string) => `round(date_part('epoch', ${moment} - ?::timestamptz) * 1000)`
/** The columns of `Spells` of rows with `verdict`, `starts` and `ends`; takes `edgesOf` twice. To be grouped by the first three. */
export const spellColumns =
  'verdict, width_bucket(starts, ?::float8[]) as began, width_bucket(ends, ?::float8[]) as ended, count(*)::int as spells, sum(starts) as starts, sum(ends) as ends'
export const edgesOf = ({ edges }: Cut): string => `{${edges.join()}}`

/** How the time of each window was judged by these spells of one monitor, or of several; then `no_data` tells nothing. */
export function timesIn({ whole, windows, edges }: Cut, spells: readonly Gaps[]): JudgedTime[] {
  const since = new Map(
    [...Map.groupBy(spells, ({ verdict }) => verdict)].map(([verdict, same]) => [verdict, heldSince(same, edges)]),
  )
  return windows.map(window => {
    const held = (verdict: string, { from, to }: Stretch) => {
      const known = since.get(verdict)
      return (known?.get(from - whole.from) ?? 0) - (known?.get(to - whole.from) ?? 0)
    }
    const time: JudgedTime = { up: 0, warning: 0, down: 0, maintenance: 0, paused: 0, no_data: window.to - window.from }
    for (const verdict of judgements)
      if (verdict !== 'no_data') {
        time[verdict] = held(verdict, window) - window.unseen.reduce((sum, spell) => sum + held(verdict, spell), 0)
        time.no_data -= time[verdict]
      }
    return time
  })
}

/** From each edge on, how long the verdict of these spells held. */
function heldSince(groups: readonly Gaps[], edges: readonly number[]): Map<number, number> {
  const at = edges.map(() => ({ ms: 0, count: 0 }))
  const add = (place: number, ms: number, count: number) => {
    const known = at[place - 1]
    if (!known) return
    known.ms += ms
    known.count += count
  }
  for (const { began, ended, spells, starts, ends } of groups) {
    add(ended, ends, spells)
    add(began, -starts, -spells)
  }
  const since = new Map<number, number>()
  let [ms, count] = [0, 0]
  for (const [place, edge] of [...edges.entries()].reverse()) {
    ms += at[place]?.ms ?? 0
    count += at[place]?.count ?? 0
    since.set(edge, ms - count * edge)
  }
  return since
}
