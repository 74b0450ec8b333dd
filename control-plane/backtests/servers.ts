import { setImmediate as yieldToEventLoop } from 'node:timers/promises'
import type { ServerMinute } from '#analytics/queries/server-history.ts'
import { type AgentSettings, agent } from '#checks/agent/kind.ts'
import { carryMinutes, type ExceededThreshold, exceededAfter, type MetricMinutes } from '#checks/agent/thresholds.ts'
import { noPhases } from '#contract/check.ts'
import { isServerMetric } from '#contract/server-agent.ts'
import { directRegion } from '#control-plane/engine/verdicts/quorum.ts'
import type { Interval } from './moments.ts'
import type { Replay } from './replay.ts'

const minuteMs = 60_000
/** Reports that are replayed before other work of the process may run. */
const sliceReports = 500

export interface ServerPast {
  minutes: readonly ServerMinute[]
  /** When its metrics were received, in order. */
  reports: readonly number[]
  /** When the check was paused. */
  pauses: readonly Interval[]
  monitoringGaps: readonly Interval[]
}

/** Means of the last minutes, as many as the thresholds need. */
class Window {
  readonly series: (MetricMinutes & { averages: Map<number, number>; firsts: Map<number, number> })[] = []
  readonly #minutes: number

  constructor({ thresholds }: AgentSettings) {
    this.#minutes = Math.max(0, ...thresholds.map(({ for_minutes }) => for_minutes)) + carryMinutes
  }

  add({ metric, label, minute, mean, firstAt }: ServerMinute): void {
    if (!isServerMetric(metric)) return
    const own = this.series.find(one => one.metric === metric && one.label === label)
    own?.averages.set(minute, mean)
    own?.firsts.set(minute, firstAt)
    if (!own)
      this.series.push({ metric, label, averages: new Map([[minute, mean]]), firsts: new Map([[minute, firstAt]]) })
  }

  passTo(now: number): void {
    const oldest = Math.floor(now / minuteMs) - this.#minutes
    for (const { averages, firsts } of this.series)
      for (const minute of averages.keys())
        if (minute < oldest) {
          averages.delete(minute)
          firsts.delete(minute)
        }
  }
}

/**
 * Replays a server through its metrics and its silence by the given thresholds, and passes what follows to `replay`.
 */
export async function replayServer(
  replay: Replay,
  settings: AgentSettings,
  { minutes, reports, pauses, monitoringGaps }: ServerPast,
  to: number,
): Promise<void> {
  const window = new Window(settings)
  const timeoutMs =
    settings.no_data_after_minutes === null ? Number.POSITIVE_INFINITY : settings.no_data_after_minutes * minuteMs
  const moments = [
    ...reports.map(at => ({ at, kind: 'reported' })),
    ...pauses.map(pause => ({ at: pause.to, kind: 'resumed' })),
    ...monitoringGaps.flatMap(({ from, to }) => [
      { at: from, kind: 'gap_began' },
      { at: to, kind: 'gap_ended' },
    ]),
  ]
    .filter(({ at }) => at < to)
    .sort((a, b) => a.at - b.at)
  const isPaused = (at: number) => pauses.some(pause => at >= pause.from && at < pause.to)
  let exceeded: ExceededThreshold[] = []
  let [reportedAt, quietSince, isSilent, taken, reported] = [Number.NaN, 0, false, 0, 0]
  const report = (at: number) => {
    replay.end(at)
    if (isPaused(at)) return
    const silent_minutes = isSilent ? Math.floor((at - reportedAt) / minuteMs) : null
    const { status } = agent.judge({ silent_minutes, passed: exceeded }, settings, {
      at: new Date(at),
      phases: noPhases,
    })
    if (status === 'unknown') return
    replay.take({
      region: directRegion,
      due: ++reported,
      attempt: 0,
      at,
      receivedAt: at,
      outcome: status,
      isUnreliable: false,
      phases: noPhases,
      seen: undefined,
    })
  }
  const passSilence = (until: number) => {
    const at = quietSince + timeoutMs
    if (Number.isNaN(reportedAt) || isSilent || at > until || isPaused(at)) return
    isSilent = true
    report(at)
  }

  for (const [index, { at, kind }] of moments.entries()) {
    if (index > 0 && index % sliceReports === 0) await yieldToEventLoop()
    if (kind !== 'gap_ended') passSilence(at)
    if (kind === 'gap_began') continue
    quietSince = at
    if (kind === 'gap_ended') continue
    isSilent = false
    if (kind === 'reported') {
      reportedAt = at
      const before = taken
      for (let row = minutes[taken]; row && row.receivedAt <= at; row = minutes[++taken]) window.add(row)
      window.passTo(at)
      if (taken > before) exceeded = exceededAfter(settings.thresholds, window.series, exceeded, at)
    }
    report(at)
  }
  passSilence(to)
  replay.end(to)
}
