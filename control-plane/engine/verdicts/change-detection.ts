import { createHash } from 'node:crypto'
import type { Change } from '#contract/check.ts'
import { type CheckRules, confirmAfterMs, freshnessMs, type RunRequest, type World } from './core.ts'
import { requiredToOpen } from './quorum.ts'

/*
 * The snapshot of a check's target, for kinds that detect changes. Pure, except that states are changed in place.
 *
 * Each region is compared with itself, since regions may rightly get different answers: a change is confirmed when as
 * many regions as it takes to open an incident each found one, `confirmations` times in a row. A change that fewer
 * regions found, and that went away, is forgotten; one that stays with fewer for a day is accepted without an event.
 * A target that changes back and forth at least twice within a day publishes nothing: it is a rotating pool.
 */

/** The snapshots of one region. */
interface RegionMemory {
  confirmed: string
  /** The differing snapshot it gets instead, how often in a row, since when, and the changes between the two. */
  pending: string | null
  count: number
  since: number
  changes: Change[]
  /** The time of its newest result. */
  at: number
  requests: number
}

export interface RecentChange {
  at: number
  from: string
  to: string
}

export interface RegionSnapshot {
  region: string
  /** The snapshot of the result, as JSON. */
  snapshot: string
  at: number
  /** A scheduled run, not a requested one. */
  isScheduled: boolean
}

export interface ConfirmedChanges {
  changes: Change[]
  regions: string[]
}

const dayMs = 86_400_000
const maxRecent = 8
/** Runs requested between two scheduled ones, at most. */
const maxRequests = 2

export const digestOf = (text: string) => createHash('sha256').update(text).digest('base64url').slice(0, 22)

export class DetectionState {
  readonly target: string
  /** Results of before then are of another target. */
  readonly since: number
  readonly regions = new Map<string, RegionMemory>()
  recent: RecentChange[] = []

  constructor(target: string, since: number) {
    this.target = target
    this.since = since
  }

  confirm(region: string, snapshot: string, at: number): void {
    this.regions.set(region, { confirmed: snapshot, pending: null, count: 0, since: 0, changes: [], at, requests: 0 })
  }
}

export interface DetectionEffects {
  /** The confirmed snapshots differ from the stored ones. */
  isToStore: boolean
  confirmedChanges: ConfirmedChanges | null
  runRequests: RunRequest[]
}

const nothing: DetectionEffects = Object.freeze({ isToStore: false, confirmedChanges: null, runRequests: [] })
const kept: DetectionEffects = Object.freeze({ isToStore: true, confirmedChanges: null, runRequests: [] })

/**
 * Takes the snapshot of a result. `changed` is the kind’s comparison; null when the stored snapshot can no longer be
 * read.
 */
export function detectChanges(
  state: DetectionState,
  { region, snapshot, at, isScheduled }: RegionSnapshot,
  rules: CheckRules,
  { now, eligibilities }: Pick<World, 'now' | 'eligibilities'>,
  changed: (before: string, after: string) => Change[] | null,
): DetectionEffects {
  const memory = state.regions.get(region)
  if (!memory) {
    state.confirm(region, snapshot, at)
    return kept
  }
  memory.at = Math.max(memory.at, at)
  if (isScheduled) memory.requests = 0
  if (snapshot === memory.confirmed) {
    memory.pending = null
    return nothing
  }
  if (snapshot === memory.pending) memory.count++
  else {
    const changes = changed(memory.confirmed, snapshot)
    if (!changes) {
      state.confirm(region, snapshot, at)
      return kept
    }
    Object.assign(memory, { pending: snapshot, count: 1, since: at, changes })
  }
  if (memory.changes.length === 0) return nothing
  if (at - memory.since >= dayMs || state.recent.at(-1)?.to === digestOf(snapshot)) {
    state.confirm(region, snapshot, at)
    return kept
  }

  const fresh = freshnessMs(rules)
  const current = rules.regions.filter(
    name => eligibilities.get(name)?.why === null && now - (state.regions.get(name)?.at ?? 0) <= fresh,
  )
  const sure = current.filter(name => {
    const { pending, count, changes } = state.regions.get(name)!
    return pending !== null && count >= rules.confirmations && changes.length > 0
  })
  if (sure.length < requiredToOpen(rules.policy, current.length, rules.regions.length))
    return { isToStore: false, confirmedChanges: null, runRequests: requests() }

  const { confirmed, pending, changes } = sure.includes(region) ? memory : state.regions.get(sure[0]!)!
  const step = { at: now, from: digestOf(confirmed), to: digestOf(pending!) }
  const lastDay = state.recent.filter(recent => now - recent.at < dayMs)
  const isRound = lastDay.length >= 2 && lastDay.some(recent => recent.from === step.to || recent.to === step.to)
  const confirmedChanges = isRound ? null : { changes, regions: sure }
  state.recent = [...lastDay, step].slice(-maxRecent)
  for (const name of sure) state.confirm(name, state.regions.get(name)!.pending!, state.regions.get(name)!.at)
  return { isToStore: true, confirmedChanges, runRequests: [] }

  /**
   * The same region repeats the run while the change is unconfirmed; at the first sign of one the others run at once.
   */
  function requests(): RunRequest[] {
    const { count } = memory!
    const runRequests: RunRequest[] = []
    const request = (name: string, afterMs: number) => {
      const other = state.regions.get(name)
      if (!other || other.requests >= maxRequests) return
      other.requests++
      runRequests.push({ region: name, afterMs })
    }
    if (count < rules.confirmations) request(region, confirmAfterMs)
    if (count === 1)
      for (const name of current) if (name !== region && state.regions.get(name)?.pending === null) request(name, 0)
    return runRequests
  }
}
