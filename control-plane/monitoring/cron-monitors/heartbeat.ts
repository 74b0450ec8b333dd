import { cron } from '#checks/cron/kind.ts'
import { dueAfterPing, nextAfter } from '#checks/cron/schedule.ts'
import { type Judgement, noPhases } from '#contract/check.ts'
import type { BeatRules } from './rules.ts'

/*
 * What pings and silence make of a heartbeat. Pure: moments are arguments, in milliseconds.
 *
 * | Ping          | Outcome | Clock                                    | Run                        |
 * |---------------|---------|------------------------------------------|----------------------------|
 * | ok            | up      | starts anew                              | one without id is over     |
 * | start         | as was  | starts anew, unless it is down           | begins                     |
 * | complete      | up      | starts anew                              | ends, its duration is known |
 * | fail          | down    | stands still until the next good one     | ends, its duration is known |
 * | log           | as was  | goes on                                  | goes on                    |
 *
 * Silence: a ping due at `expectedAt` that has not come by `alertAfter` takes it down. Where nobody could have received it (a gap) between
 * those two, it is forgiven: the clock starts anew at the end of the gap, with the next ping that is due then.
 */

export const pingStates = ['start', 'complete', 'ok', 'fail', 'log'] as const
export type PingState = (typeof pingStates)[number]

export interface Beat {
  outcome: 'up' | 'down' | null
  saidAt: number | null
  armedBy: string | null
  expectedAt: number | null
  alertAfter: number | null
  wakeAt: number | null
  /** When runs began that are not over, by run id; '' for one without. */
  runs: Record<string, number>
}

/** What is around a heartbeat: whether its check is on, and what the engine says of it now. */
export interface Around {
  isActive: boolean
  verdict: string | null
}

export interface Received {
  state: PingState
  runId: string | null
  exitCode: number | null
}

export interface Outcome {
  durationMs: number | null
  /** What is to be said to the engine, and since when; null: nothing. */
  says: { judgement: Judgement; at: number } | null
}

export interface Gap {
  from: number
  to: number
}

const maxRuns = 20
/** The engine is told again when it does not say so after a while. */
const sayAgainMs = 10_000
const lookAgainMs = 60_000

const judge = (
  rules: BeatRules,
  seen: { report: 'ok' | 'fail' | 'missed' | 'overrun'; exit_code?: number | null; due?: string | null },
  at: number,
) => cron.judge({ exit_code: null, due: null, ...seen }, rules.settings, { at: new Date(at), phases: noPhases })

/** Takes in a ping. Changes the heartbeat in place. */
export function receive(
  beat: Beat,
  rules: BeatRules,
  { state, runId, exitCode }: Received,
  at: number,
  around: Around,
): Outcome {
  const run = runId ?? ''
  const began = beat.runs[run]
  const durationMs = (state === 'complete' || state === 'fail') && began !== undefined ? Math.max(0, at - began) : null
  switch (state) {
    case 'log':
      return { durationMs, says: null }
    case 'start':
      beginRun(beat, run, at)
      if (beat.outcome !== 'down') arm(beat, rules, dueAfterPing(rules.schedule, at))
      return { durationMs, says: null }
    case 'fail':
      delete beat.runs[run]
      disarm(beat, at + lookAgainMs)
      return {
        durationMs,
        says: say(beat, 'down', judge(rules, { report: 'fail', exit_code: exitCode }, at), at, around),
      }
    default:
      delete beat.runs[run]
      arm(beat, rules, dueAfterPing(rules.schedule, at))
      return { durationMs, says: say(beat, 'up', judge(rules, { report: 'ok' }, at), at, around) }
  }
}

/** What becomes of a heartbeat whose moment to be looked at has come. Changes it in place. */
export function wake(
  beat: Beat,
  rules: BeatRules,
  now: number,
  around: Around,
  gaps: readonly Gap[] = [],
): Outcome['says'] {
  if (!around.isActive) {
    beat.runs = {}
    disarm(beat, null)
    return null
  }
  // the engine forgot what it knew when the check was paused: it begins anew
  if (beat.outcome === 'down' && around.verdict === null) beat.outcome = null
  if (beat.outcome === 'down') {
    beat.wakeAt = null
    if (around.verdict === 'down') return null
    beat.wakeAt = now + lookAgainMs
    return say(beat, 'down', judge(rules, { report: 'fail' }, now), now, around)
  }
  if (beat.expectedAt === null || beat.alertAfter === null || beat.armedBy !== rules.key) {
    beat.runs = {}
    arm(beat, rules, nextAfter(rules.schedule, now), now)
    return null
  }
  const { expectedAt, alertAfter } = beat
  if (alertAfter > now) {
    beat.wakeAt = alertAfter
    return null
  }
  const isOverrun = alertAfter < expectedAt + rules.graceMs
  const gap = lastGapIn(gaps, isOverrun ? alertAfter - (rules.maxRunMs ?? 0) : expectedAt, alertAfter)
  if (gap) {
    beat.runs = {}
    arm(beat, rules, skipTo(rules, expectedAt, gap.to), now)
    return null
  }
  disarm(beat, now + lookAgainMs)
  const seen = isOverrun
    ? { report: 'overrun' as const }
    : { report: 'missed' as const, due: momentIn(rules.settings.timezone, expectedAt) }
  return say(beat, 'down', judge(rules, seen, now), alertAfter, around)
}

/** When pings come next, as far as is known now. */
export function expectedPings(beat: Pick<Beat, 'expectedAt'>, rules: BeatRules, now: number, count: number): number[] {
  const found: number[] = []
  let next = beat.expectedAt ?? nextAfter(rules.schedule, now)
  while (next !== null && found.length < count) {
    found.push(next)
    next = nextAfter(rules.schedule, next)
  }
  return found
}

function beginRun(beat: Beat, run: string, at: number): void {
  delete beat.runs[run]
  const runs = Object.entries(beat.runs)
  // whoever begins runs and never ends them keeps the newest
  beat.runs = Object.fromEntries([...runs.slice(Math.max(0, runs.length - maxRuns + 1)), [run, at]])
}

function arm(beat: Beat, rules: BeatRules, expectedAt: number | null, wakeFrom: number | null = null): void {
  beat.armedBy = rules.key
  beat.expectedAt = expectedAt
  beat.alertAfter = expectedAt === null ? null : Math.min(expectedAt + rules.graceMs, overrunAt(beat, rules))
  if (beat.alertAfter !== null)
    beat.wakeAt = wakeFrom === null && beat.wakeAt !== null ? Math.min(beat.wakeAt, beat.alertAfter) : beat.alertAfter
  else if (wakeFrom !== null) beat.wakeAt = null
}

const overrunAt = ({ runs }: Beat, { maxRunMs }: BeatRules): number =>
  maxRunMs === null ? Infinity : Math.min(...Object.values(runs)) + maxRunMs

function disarm(beat: Beat, wakeAt: number | null): void {
  beat.expectedAt = null
  beat.alertAfter = null
  beat.wakeAt = wakeAt
}

function say(
  beat: Beat,
  outcome: 'up' | 'down',
  judgement: Judgement,
  at: number,
  { isActive, verdict }: Around,
): Outcome['says'] {
  const isNews = beat.outcome !== outcome
  const isUnheard = verdict !== outcome && (beat.saidAt === null || at - beat.saidAt > sayAgainMs)
  beat.outcome = outcome
  if (!isActive || !(isNews || isUnheard)) return null
  beat.saidAt = at
  return { judgement, at }
}

const lastGapIn = (gaps: readonly Gap[], from: number, to: number): Gap | undefined =>
  gaps
    .filter(gap => gap.from <= to && gap.to >= from)
    .reduce<Gap | undefined>((last, gap) => (last && last.to >= gap.to ? last : gap), undefined)

/** The first ping due after a gap: of a period, in the rhythm it had. */
function skipTo({ schedule }: BeatRules, expectedAt: number, endedAt: number): number | null {
  if (schedule.kind === 'cron') return nextAfter(schedule, endedAt)
  const missed = Math.max(0, Math.floor((endedAt - expectedAt) / schedule.periodMs) + 1)
  return expectedAt + missed * schedule.periodMs
}

const clocks = new Map<string, Intl.DateTimeFormat>()

function momentIn(timezone: string, at: number): string {
  let clock = clocks.get(timezone)
  if (!clock) {
    const parts = { year: 'numeric', month: '2-digit', day: '2-digit', hour: '2-digit', minute: '2-digit' } as const
    clock = new Intl.DateTimeFormat('sv-SE', { timeZone: timezone, ...parts })
    clocks.set(timezone, clock)
  }
  return `${clock.format(at)} (${timezone})`
}
