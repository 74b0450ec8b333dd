import { createHash } from 'node:crypto'
import type { Change } from '#contract/check.ts'
import { type CheckRules, freshnessMs, type LookAsked, lookAgainMs, type World } from './core.ts'
import { requiredToOpen } from './quorum.ts'

/*
 * What a check remembers of its target, for kinds that detect changes. Pure but for the states, which are changed in
 * place.
 *
 * Each region is compared with itself, since what it sees may rightly be another region's nothing: a change is
 * confirmed when as many regions as it takes to open an incident each saw one, `confirmations` times in a row. What
 * was only seen by fewer, and went again, is forgotten; what stays with fewer for a day is taken for granted in
 * silence. Between what came and went at least twice within a day nothing is published: that is a rotating pool.
 */

/** What one region saw. */
interface RegionMemory {
  confirmed: string
  /** What it sees instead, how often in a row, since when, and what that would mean. */
  pending: string | null
  count: number
  since: number
  changes: Change[]
  /** When it last showed anything for sure. */
  at: number
  asks: number
}

export interface Told {
  at: number
  from: string
  to: string
}

export interface Sighting {
  region: string
  /** The snapshot of the result, as JSON. */
  facts: string
  at: number
  /** A scheduled run, not a requested one. */
  isDue: boolean
}

export interface News {
  changes: Change[]
  regions: string[]
}

const dayMs = 86_400_000
const mostTold = 8
/** Looks asked for between two that were due. */
const maxAsks = 2

export const digestOf = (text: string) => createHash('sha256').update(text).digest('base64url').slice(0, 22)

export class DetectionState {
  readonly target: string
  /** Results of before then are of another target. */
  readonly since: number
  readonly regions = new Map<string, RegionMemory>()
  told: Told[] = []

  constructor(target: string, since: number) {
    this.target = target
    this.since = since
  }

  confirm(region: string, facts: string, at: number): void {
    this.regions.set(region, { confirmed: facts, pending: null, count: 0, since: 0, changes: [], at, asks: 0 })
  }
}

export interface FollowEffects {
  /** What is confirmed is another than what is stored. */
  isToStore: boolean
  news: News | null
  looks: LookAsked[]
}

const nothing: FollowEffects = Object.freeze({ isToStore: false, news: null, looks: [] })
const kept: FollowEffects = Object.freeze({ isToStore: true, news: null, looks: [] })

/**
 * Takes the snapshot of a result. `changed` is the kind’s comparison; null when the stored snapshot can no longer be
 * read.
 */
export function follow(
  state: DetectionState,
  { region, facts, at, isDue }: Sighting,
  rules: CheckRules,
  { now, standings }: Pick<World, 'now' | 'standings'>,
  changed: (before: string, after: string) => Change[] | null,
): FollowEffects {
  const memory = state.regions.get(region)
  if (!memory) {
    state.confirm(region, facts, at)
    return kept
  }
  memory.at = Math.max(memory.at, at)
  if (isDue) memory.asks = 0
  if (facts === memory.confirmed) {
    memory.pending = null
    return nothing
  }
  if (facts === memory.pending) memory.count++
  else {
    const changes = changed(memory.confirmed, facts)
    if (!changes) {
      state.confirm(region, facts, at)
      return kept
    }
    Object.assign(memory, { pending: facts, count: 1, since: at, changes })
  }
  if (memory.changes.length === 0) return nothing
  if (at - memory.since >= dayMs || state.told.at(-1)?.to === digestOf(facts)) {
    state.confirm(region, facts, at)
    return kept
  }

  const fresh = freshnessMs(rules)
  const speaking = rules.regions.filter(
    name => standings.get(name)?.why === null && now - (state.regions.get(name)?.at ?? 0) <= fresh,
  )
  const sure = speaking.filter(name => {
    const { pending, count, changes } = state.regions.get(name)!
    return pending !== null && count >= rules.confirmations && changes.length > 0
  })
  if (sure.length < requiredToOpen(rules.policy, speaking.length, rules.regions.length))
    return { isToStore: false, news: null, looks: asks() }

  const { confirmed, pending, changes } = sure.includes(region) ? memory : state.regions.get(sure[0]!)!
  const step = { at: now, from: digestOf(confirmed), to: digestOf(pending!) }
  const recent = state.told.filter(told => now - told.at < dayMs)
  const isRound = recent.length >= 2 && recent.some(told => told.from === step.to || told.to === step.to)
  const news = isRound ? null : { changes, regions: sure }
  state.told = [...recent, step].slice(-mostTold)
  for (const name of sure) state.confirm(name, state.regions.get(name)!.pending!, state.regions.get(name)!.at)
  return { isToStore: true, news, looks: [] }

  /**
   * The same region repeats the run while the change is unconfirmed; at the first sign of one the others run at once.
   */
  function asks(): LookAsked[] {
    const { count } = memory!
    const looks: LookAsked[] = []
    const ask = (name: string, afterMs: number) => {
      const other = state.regions.get(name)
      if (!other || other.asks >= maxAsks) return
      other.asks++
      looks.push({ region: name, afterMs })
    }
    if (count < rules.confirmations) ask(region, lookAgainMs)
    if (count === 1)
      for (const name of speaking) if (name !== region && state.regions.get(name)?.pending === null) ask(name, 0)
    return looks
  }
}
