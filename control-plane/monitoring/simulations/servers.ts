import { setImmediate as turn } from 'node:timers/promises'
import type { ServerMinute } from '#analytics/queries/server-history.ts'
import { type AgentSettings, agent } from '#checks/agent/kind.ts'
import { carryMinutes, type ExceededThreshold, exceededAfter, type MetricMinutes } from '#checks/agent/thresholds.ts'
import { noPhases } from '#contract/check.ts'
import { isServerMetric } from '#contract/server-agent.ts'
import { directRegion } from '#control-plane/engine/verdicts/quorum.ts'
import type { Stretch } from './moments.ts'
import type { Replay } from './replay.ts'

const minuteMs = 60_000
/** Words gone through before the event loop has its turn. */
const sliceWords = 500

export interface ServerPast {
  minutes: readonly ServerMinute[]
  /** When it was heard, in order. */
  heard: readonly number[]
  /** When nobody looked after it, and when we heard of nobody. */
  pauses: readonly Stretch[]
  blind: readonly Stretch[]
}

/** Means of the last minutes: as many as a threshold needs to look back on. */
class Window {
  readonly series: (MetricMinutes & { averages: Map<number, number> })[] = []
  readonly #minutes: number

  constructor({ thresholds }: AgentSettings) {
    this.#minutes = Math.max(0, ...thresholds.map(({ for_minutes }) => for_minutes)) + carryMinutes
  }

  add({ metric, label, minute, mean }: ServerMinute): void {
    if (!isServerMetric(metric)) return
    const own = this.series.find(one => one.metric === metric && one.label === label)
    if (own) own.averages.set(minute, mean)
    else this.series.push({ metric, label, averages: new Map([[minute, mean]]) })
  }

  passTo(now: number): void {
    const oldest = Math.floor(now / minuteMs) - this.#minutes
    for (const { averages } of this.series)
      for (const minute of averages.keys()) if (minute < oldest) averages.delete(minute)
  }
}

/**
 * Leads a server through what it told, and through its silence, by the same thresholds and the same judgement as when it told it; what
 * follows is taken in by a replay of its own.
 */
export async function replayServer(
  replay: Replay,
  settings: AgentSettings,
  { minutes, heard, pauses, blind }: ServerPast,
  to: number,
): Promise<void> {
  const window = new Window(settings)
  const patienceMs =
    settings.no_data_after_minutes === null ? Number.POSITIVE_INFINITY : settings.no_data_after_minutes * minuteMs
  const moments = [
    ...heard.map(at => ({ at, kind: 'heard' })),
    ...pauses.map(pause => ({ at: pause.to, kind: 'woken' })),
    ...blind.flatMap(({ from, to }) => [
      { at: from, kind: 'blinded' },
      { at: to, kind: 'listening' },
    ]),
  ]
    .filter(({ at }) => at < to)
    .sort((a, b) => a.at - b.at)
  const isRest = (at: number) => pauses.some(pause => at >= pause.from && at < pause.to)
  let standing: ExceededThreshold[] = []
  let [heardAt, quietSince, isSilent, taken, words] = [Number.NaN, 0, false, 0, 0]
  const say = (at: number) => {
    replay.end(at)
    if (isRest(at)) return
    const silent_minutes = isSilent ? Math.floor((at - heardAt) / minuteMs) : null
    const { status } = agent.judge({ silent_minutes, passed: standing }, settings, {
      at: new Date(at),
      phases: noPhases,
    })
    if (status === 'unknown') return
    replay.take({
      region: directRegion,
      due: ++words,
      attempt: 0,
      at,
      receivedAt: at,
      outcome: status,
      isUnreliable: false,
      phases: noPhases,
      seen: undefined,
    })
  }
  const keepQuietUntil = (until: number) => {
    const at = quietSince + patienceMs
    if (Number.isNaN(heardAt) || isSilent || at > until || isRest(at)) return
    isSilent = true
    say(at)
  }

  for (const [index, { at, kind }] of moments.entries()) {
    if (index > 0 && index % sliceWords === 0) await turn()
    if (kind !== 'listening') keepQuietUntil(at)
    if (kind === 'blinded') continue
    quietSince = at
    if (kind === 'listening') continue
    isSilent = false
    if (kind === 'heard') {
      heardAt = at
      const before = taken
      for (let row = minutes[taken]; row && row.receivedAt <= at; row = minutes[++taken]) window.add(row)
      window.passTo(at)
      if (taken > before) standing = exceededAfter(settings.thresholds, window.series, standing, at)
    }
    say(at)
  }
  keepQuietUntil(to)
  replay.end(to)
}
