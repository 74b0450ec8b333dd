import { cron } from '#checks/cron/kind.ts'
import { dueAfterPing, nextAfter } from '#checks/cron/schedule.ts'
import { type Judgement, noPhases } from '#contract/check.ts'
import type { BeatRules } from './rules.ts'

/*
 * How pings and silence change a heartbeat. Pure: times are arguments, in milliseconds.
 *
 * | Ping     | Outcome   | Clock                          | Run                         |
 * |----------|-----------|--------------------------------|-----------------------------|
 * | ok       | up        | restarts                       | one without an id ends      |
 * | start    | unchanged | restarts, unless it is down (¹)| begins                      |
 * | complete | up        | restarts                       | ends, its duration is known |
 * | fail     | down      | stops until the next good ping | ends, its duration is known |
 * | log      | unchanged | continues                      | continues                   |
 *
 * ¹ Sent to an address of Healthchecks it does not restart the clock (`isOnlyRun`), as a start is no ping there.
 *
 * Silence: a ping expected at `expectedAt` that is missing at `alertAfter` takes the heartbeat down. With an ingestion
 * gap between the two it is excused: the clock restarts at the end of the gap with the next expected ping.
 */

export const pingStates = ['start', 'complete', 'ok', 'fail', 'log'] as const
export type PingState = (typeof pingStates)[number]

export interface Beat {
  outcome: 'up' | 'down' | null
  reportedAt: number | null
  armedBy: string | null
  expectedAt: number | null
  alertAfter: number | null
  wakeAt: number | null
  /** When unfinished runs began, by run id; '' for one without an id. */
  runs: Record<string, number>
}

/** Whether the check of a heartbeat is enabled, and its present verdict. */
export interface BeatContext {
  isActive: boolean
  verdict: string | null
}

export interface Received {
  state: PingState
  runId: string | null
  exitCode: number | null
  isOnlyRun?: boolean
}

export interface Outcome {
  durationMs: number | null
  /** What is pushed to the engine, and since when; null: nothing. */
  report: { judgement: Judgement; at: number } | null
}

export interface Gap {
  from: number
  to: number
}

const maxRuns = 20
/** A report is pushed again when the verdict still differs after this time. */
const reportAgainMs = 10_000
const checkAgainMs = 60_000

const judge = (
  rules: BeatRules,
  seen: { report: 'ok' | 'fail' | 'missed' | 'overrun'; exit_code?: number | null; due?: string | null },
  at: number,
) => cron.judge({ exit_code: null, due: null, ...seen }, rules.settings, { at: new Date(at), phases: noPhases })

/** Applies a ping. Changes the heartbeat in place. */
export function receive(
  beat: Beat,
  rules: BeatRules,
  { state, runId, exitCode, isOnlyRun }: Received,
  at: number,
  context: BeatContext,
): Outcome {
  const run = runId ?? ''
  const began = beat.runs[run]
  const durationMs = (state === 'complete' || state === 'fail') && began !== undefined ? Math.max(0, at - began) : null
  switch (state) {
    case 'log':
      return { durationMs, report: null }
    case 'start':
      if (isOnlyRun) beat.runs = {}
      beginRun(beat, run, at)
      if (beat.outcome !== 'down') arm(beat, rules, expectedAfterStart(beat, rules, at, isOnlyRun === true))
      return { durationMs, report: null }
    case 'fail':
      if (isOnlyRun) beat.runs = {}
      delete beat.runs[run]
      disarm(beat, at + checkAgainMs)
      return {
        durationMs,
        report: reportOnce(beat, 'down', judge(rules, { report: 'fail', exit_code: exitCode }, at), at, context),
      }
    default:
      if (isOnlyRun && runId === null) beat.runs = {}
      delete beat.runs[run]
      arm(beat, rules, dueAfterPing(rules.schedule, at))
      return { durationMs, report: reportOnce(beat, 'up', judge(rules, { report: 'ok' }, at), at, context) }
  }
}

/** Applies the silence until now to a heartbeat that is due. Changes it in place. */
export function wake(
  beat: Beat,
  rules: BeatRules,
  now: number,
  context: BeatContext,
  gaps: readonly Gap[] = [],
): Outcome['report'] {
  if (!context.isActive) {
    beat.runs = {}
    disarm(beat, null)
    return null
  }
  // a pause reset the verdict, so the report is pushed again
  if (beat.outcome === 'down' && context.verdict === null) beat.outcome = null
  if (beat.outcome === 'down') {
    beat.wakeAt = null
    if (context.verdict === 'down') return null
    beat.wakeAt = now + checkAgainMs
    return reportOnce(beat, 'down', judge(rules, { report: 'fail' }, now), now, context)
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
  disarm(beat, now + checkAgainMs)
  const seen = isOverrun
    ? { report: 'overrun' as const }
    : { report: 'missed' as const, due: momentIn(rules.settings.timezone, expectedAt) }
  return reportOnce(beat, 'down', judge(rules, seen, now), alertAfter, context)
}

/** The next expected pings. */
export function expectedPings(beat: Pick<Beat, 'expectedAt'>, rules: BeatRules, now: number, count: number): number[] {
  const found: number[] = []
  let next = beat.expectedAt ?? nextAfter(rules.schedule, now)
  while (next !== null && found.length < count) {
    found.push(next)
    next = nextAfter(rules.schedule, next)
  }
  return found
}

/** A start counts as a ping, but not where its provider has it so: a job that begins late must end in the same time. */
function expectedAfterStart({ armedBy, expectedAt }: Beat, rules: BeatRules, at: number, isOnlyRun: boolean) {
  const kept = isOnlyRun && armedBy === rules.key ? expectedAt : null
  return kept ?? dueAfterPing(rules.schedule, at)
}

function beginRun(beat: Beat, run: string, at: number): void {
  delete beat.runs[run]
  const runs = Object.entries(beat.runs)
  // of a job that never ends its runs only the newest are kept
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

function reportOnce(
  beat: Beat,
  outcome: 'up' | 'down',
  judgement: Judgement,
  at: number,
  { isActive, verdict }: BeatContext,
): Outcome['report'] {
  const isChanged = beat.outcome !== outcome
  const isNotTaken = verdict !== outcome && (beat.reportedAt === null || at - beat.reportedAt > reportAgainMs)
  beat.outcome = outcome
  if (!isActive || !(isChanged || isNotTaken)) return null
  beat.reportedAt = at
  return { judgement, at }
}

const lastGapIn = (gaps: readonly Gap[], from: number, to: number): Gap | undefined =>
  gaps
    .filter(gap => gap.from <= to && gap.to >= from)
    .reduce<Gap | undefined>((last, gap) => (last && last.to >= gap.to ? last : gap), undefined)

/** The first expected ping after a gap. A period keeps its phase. */
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
