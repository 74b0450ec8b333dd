import type { StoredResult } from '#analytics/queries/stored-results.ts'
import { type Judgement, noPhases, type Outcome } from '#contract/check.ts'
import type { Ineligibility } from '#control-plane/engine/agents/region.ts'
import {
  type CheckRules,
  CheckState,
  type Effects,
  type Eligibility,
  observe,
  reconsider,
} from '#control-plane/engine/verdicts/core.ts'
import { coverAfterMs } from '#control-plane/monitoring/simulations/moments.ts'
import type { Replayed } from '#control-plane/monitoring/simulations/replay.ts'

/** Something that goes on for a while, in seconds from the beginning. `region` undefined: seen from everywhere. */
export interface Spell {
  kind: 'down' | 'warning' | 'flap' | 'cut' | 'lost'
  from: number
  length: number
  region: number | undefined
}

export interface Lived {
  looks: StoredResult[]
  standings: { at: number; region: string; why: Ineligibility | null }[]
  incidents: Replayed[]
}

const leaseMs = 15_000
const judgements: Record<StoredResult['outcome'], Judgement> = {
  up: { status: 'up' },
  warning: { status: 'warning', code: 'slow', reason: 'slow' },
  down: { status: 'down', code: 'refused', reason: 'refused' },
  unknown: { status: 'unknown', code: 'resolver_unavailable', reason: 'ill' },
}

interface Turn {
  at: number
  region: string
  due: number
  isAsked: boolean
}

/**
 * A check's life as agents and the engine would live it: looks on a grid, looks asked for in between, regions that are cut off
 * (what they saw meanwhile comes late, or is lost) and lose their say. What came of it is told by the effects alone.
 */
export function live(rules: CheckRules, spells: readonly Spell[], startsAt: number, lengthS: number): Lived {
  const lived: Lived = { looks: [], standings: [], incidents: [] }
  const check = new CheckState(rules.regions, startsAt)
  const standings = new Map<string, Eligibility>(rules.regions.map(region => [region, { why: null, since: startsAt }]))
  const attempts = new Map<string, number>()
  const within = (kinds: readonly Spell['kind'][], region: string, at: number) =>
    spells.find(
      spell =>
        kinds.includes(spell.kind) &&
        (spell.region === undefined || rules.regions[spell.region] === region) &&
        at >= startsAt + spell.from * 1_000 &&
        at < startsAt + (spell.from + spell.length) * 1_000,
    )
  const seenBy = (region: string, at: number): Outcome => {
    const spell = within(['down', 'warning', 'flap'], region, at)
    if (!spell) return 'up'
    if (spell.kind === 'flap') return Math.floor(at / 70_000) % 2 === 0 ? 'down' : 'up'
    return spell.kind === 'down' ? 'down' : 'warning'
  }

  const endsAt = startsAt + lengthS * 1_000
  const turns: Turn[] = rules.regions.flatMap((region, index) => {
    const found: Turn[] = []
    for (let due = startsAt + 1_000 + index * 7_000; due < endsAt; due += rules.intervalMs)
      found.push({ at: due, due, region, isAsked: false })
    return found
  })
  // regions that are cut off lose their say when their lease ends, and have it again at once
  const changes = spells.flatMap(({ kind, from, length, region: index }) => {
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
    turn?: Turn
    change?: (typeof changes)[number]
    isCover?: boolean
  }[] = [...turns.map(turn => ({ at: turn.at, turn })), ...changes.map(change => ({ at: change.at, change }))]
  let coverAt = Number.NEGATIVE_INFINITY
  const put = (event: (typeof events)[number]) => {
    let place = events.length
    while (place > 0 && events[place - 1]!.at > event.at) place--
    events.splice(place, 0, event)
  }
  events.sort((a, b) => a.at - b.at)
  const follow = ({ runRequests: looks, opens, resolves }: Effects, now: number) => {
    for (const { region, afterMs } of looks)
      if (!within(['cut', 'lost'], region, now))
        put({ at: now + afterMs + 20, turn: { at: now + afterMs + 20, due: now + afterMs, region, isAsked: true } })
    if (opens)
      lived.incidents.push({
        startedAt: opens.startedAt,
        confirmedAt: opens.confirmedAt,
        endedAt: null,
        regions: opens.quorum.failed,
      })
    const last = lived.incidents.at(-1)
    if (resolves && last) last.endedAt = Math.max(last.startedAt, resolves.at)
  }

  for (let event = events.shift(); event && event.at < endsAt; event = events.shift()) {
    const now = event.at
    const world = { now, eligibilities: standings, parents: 'clear' as const }
    if (event.change) {
      const { region, why } = event.change
      const before = standings.get(region)!
      standings.set(region, { why, since: (before.why === null) === (why === null) ? before.since : now })
      lived.standings.push({ at: now, region, why })
      if (now > coverAt) {
        coverAt = now + coverAfterMs
        put({ at: coverAt, isCover: true })
      }
    } else if (event.isCover) {
      if (check.verdict !== null) follow(reconsider(check, rules, world), now)
    } else if (event.turn) {
      const { region, due, isAsked } = event.turn
      const attempt = isAsked ? (attempts.get(region) ?? 0) + 1 : 0
      attempts.set(region, attempt)
      const cut = within(['cut', 'lost'], region, now)
      if (cut?.kind === 'lost') continue
      const look: StoredResult = {
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
      put({ at: cut ? Math.max(now, startsAt + (cut.from + cut.length) * 1_000 + 300) : now + 30, arrives: look })
    } else if (event.arrives) {
      const look = event.arrives
      look.receivedAt = now
      lived.looks.push(look)
      const { region, due, attempt, at, isUnreliable: suspect } = look
      const evidence = { phases: noPhases, error: null, http_status: null, excerpt: null }
      follow(
        observe(
          check,
          rules,
          { region, due, attempt, at, isUnreliable: suspect, judgement: judgements[look.outcome], evidence },
          world,
        ),
        now,
      )
    }
  }
  return lived
}
