import type { StoredResult } from '#analytics/queries/stored-results.ts'
import { type Judgement, noPhases, type Outcome } from '#contract/check.ts'
import { coverageAfterMs } from '#control-plane/backtests/moments.ts'
import type { ReplayedIncident } from '#control-plane/backtests/replay.ts'
import type { Ineligibility } from '#control-plane/engine/agents/region.ts'
import {
  type CheckRules,
  CheckState,
  type Effects,
  type Eligibility,
  observe,
  reconsider,
} from '#control-plane/engine/verdicts/core.ts'

/** A failure of the site or of a region, in seconds from the beginning. `region` undefined: of all regions. */
export interface Phase {
  kind: 'down' | 'warning' | 'flap' | 'cut' | 'lost'
  from: number
  length: number
  region: number | undefined
}

export interface History {
  results: StoredResult[]
  eligibilities: { at: number; region: string; why: Ineligibility | null }[]
  incidents: ReplayedIncident[]
}

const leaseMs = 15_000
const judgements: Record<StoredResult['outcome'], Judgement> = {
  up: { status: 'up' },
  warning: { status: 'warning', code: 'slow', reason: 'slow' },
  down: { status: 'down', code: 'refused', reason: 'refused' },
  unknown: { status: 'unknown', code: 'resolver_unavailable', reason: 'degraded' },
}

interface Run {
  at: number
  region: string
  due: number
  isRequested: boolean
}

/**
 * Simulates a check with its agents and the engine: scheduled runs, requested runs, and regions that are cut off. Their
 * results arrive late or are lost, and they become ineligible. The incidents are those of the engine's effects.
 */
export function simulate(rules: CheckRules, phases: readonly Phase[], startsAt: number, lengthS: number): History {
  const history: History = { results: [], eligibilities: [], incidents: [] }
  const check = new CheckState(rules.regions, startsAt)
  const eligibilities = new Map<string, Eligibility>(
    rules.regions.map(region => [region, { why: null, since: startsAt }]),
  )
  const attempts = new Map<string, number>()
  const within = (kinds: readonly Phase['kind'][], region: string, at: number) =>
    phases.find(
      phase =>
        kinds.includes(phase.kind) &&
        (phase.region === undefined || rules.regions[phase.region] === region) &&
        at >= startsAt + phase.from * 1_000 &&
        at < startsAt + (phase.from + phase.length) * 1_000,
    )
  const seenBy = (region: string, at: number): Outcome => {
    const phase = within(['down', 'warning', 'flap'], region, at)
    if (!phase) return 'up'
    if (phase.kind === 'flap') return Math.floor(at / 70_000) % 2 === 0 ? 'down' : 'up'
    return phase.kind === 'down' ? 'down' : 'warning'
  }

  const endsAt = startsAt + lengthS * 1_000
  const runs: Run[] = rules.regions.flatMap((region, index) => {
    const found: Run[] = []
    for (let due = startsAt + 1_000 + index * 7_000; due < endsAt; due += rules.intervalMs)
      found.push({ at: due, due, region, isRequested: false })
    return found
  })
  // regions that are cut off become ineligible when their lease ends, and are eligible again as soon as they return
  const changes = phases.flatMap(({ kind, from, length, region: index }) => {
    const region = index === undefined ? undefined : rules.regions[index]
    if ((kind !== 'cut' && kind !== 'lost') || region === undefined || length * 1_000 <= leaseMs) return []
    return [
      { at: startsAt + from * 1_000 + leaseMs, region, why: 'silent' as const },
      { at: startsAt + (from + length) * 1_000, region, why: null },
    ]
  })
  const events: {
    at: number
    arrives?: StoredResult
    run?: Run
    change?: (typeof changes)[number]
    isCoverageDue?: boolean
  }[] = [...runs.map(run => ({ at: run.at, run })), ...changes.map(change => ({ at: change.at, change }))]
  let coverageAt = Number.NEGATIVE_INFINITY
  const put = (event: (typeof events)[number]) => {
    let place = events.length
    while (place > 0 && events[place - 1]!.at > event.at) place--
    events.splice(place, 0, event)
  }
  events.sort((a, b) => a.at - b.at)
  const apply = ({ runRequests, opens, resolves }: Effects, now: number) => {
    for (const { region, afterMs } of runRequests)
      if (!within(['cut', 'lost'], region, now))
        put({ at: now + afterMs + 20, run: { at: now + afterMs + 20, due: now + afterMs, region, isRequested: true } })
    if (opens)
      history.incidents.push({
        startedAt: opens.startedAt,
        confirmedAt: opens.confirmedAt,
        endedAt: null,
        regions: opens.quorum.failed,
      })
    const last = history.incidents.at(-1)
    if (resolves && last) last.endedAt = Math.max(last.startedAt, resolves.at)
  }

  for (let event = events.shift(); event && event.at < endsAt; event = events.shift()) {
    const now = event.at
    const world = { now, eligibilities, parents: 'clear' as const }
    if (event.change) {
      const { region, why } = event.change
      const before = eligibilities.get(region)!
      eligibilities.set(region, { why, since: (before.why === null) === (why === null) ? before.since : now })
      history.eligibilities.push({ at: now, region, why })
      if (now > coverageAt) {
        coverageAt = now + coverageAfterMs
        put({ at: coverageAt, isCoverageDue: true })
      }
    } else if (event.isCoverageDue) {
      if (check.verdict !== null) apply(reconsider(check, rules, world), now)
    } else if (event.run) {
      const { region, due, isRequested } = event.run
      const attempt = isRequested ? (attempts.get(region) ?? 0) + 1 : 0
      attempts.set(region, attempt)
      const cut = within(['cut', 'lost'], region, now)
      if (cut?.kind === 'lost') continue
      const result: StoredResult = {
        region,
        due,
        attempt,
        at: now,
        receivedAt: 0,
        outcome: seenBy(region, now),
        isUnreliable: false,
        phases: noPhases,
        seen: undefined,
      }
      put({ at: cut ? Math.max(now, startsAt + (cut.from + cut.length) * 1_000 + 300) : now + 30, arrives: result })
    } else if (event.arrives) {
      const result = event.arrives
      result.receivedAt = now
      history.results.push(result)
      const { region, due, attempt, at, isUnreliable } = result
      const evidence = { phases: noPhases, error: null, http_status: null, excerpt: null }
      apply(
        observe(
          check,
          rules,
          { region, due, attempt, at, isUnreliable, judgement: judgements[result.outcome], evidence },
          world,
        ),
        now,
      )
    }
  }
  return history
}
