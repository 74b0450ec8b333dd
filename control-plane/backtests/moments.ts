import type { Ineligibility } from '#control-plane/engine/agents/region.ts'

/** Something that happened between results and that verdicts depended on. Milliseconds. */
export type Moment =
  | { at: number; kind: 'eligibility'; region: string; why: Ineligibility | null }
  /** The eligibility of regions changed some seconds ago: coverage and warnings are reconsidered. */
  | { at: number; kind: 'coverage' }
  /** The check was paused, or resumed. */
  | { at: number; kind: 'pause' | 'resume' }
  /** The parents have been up for long enough: an incident that waited for them can open. */
  | { at: number; kind: 'parents_up' }

export interface Interval {
  from: number
  to: number
}

/** When a monitor was in maintenance, joined and in order. `excluded`: those that do not count towards uptime. */
export interface Maintenance {
  all: readonly Interval[]
  excluded: readonly Interval[]
}

interface MomentSources {
  eligibilities: readonly { at: number; region: string; why: Ineligibility | null }[]
  /** The check's own changes of verdict; only pauses count. */
  changes: readonly { at: number; verdict: string }[]
  /** When a parent was down. */
  parentsDown: readonly Interval[]
}

/** Regions become ineligible together, so the engine waits this long before it reconsiders coverage. */
export const coverageAfterMs = 5_000
/** An incident waits this long for parents that are not confirmed down yet, or that are up again. */
export const parentsWithinMs = 20_000

/** All moments of a history, in order. */
export function momentsOf({ eligibilities, changes, parentsDown }: MomentSources): Moment[] {
  const moments: Moment[] = []
  let coverageAt = Number.NEGATIVE_INFINITY
  for (const { at, region, why } of eligibilities) {
    moments.push({ at, kind: 'eligibility', region, why })
    if (at <= coverageAt) continue
    coverageAt = at + coverageAfterMs
    moments.push({ at: coverageAt, kind: 'coverage' })
  }
  let isPaused = false
  for (const { at, verdict } of changes) {
    if ((verdict === 'paused') === isPaused) continue
    isPaused = !isPaused
    moments.push({ at, kind: isPaused ? 'pause' : 'resume' })
  }
  for (const { to } of parentsDown) moments.push({ at: to + parentsWithinMs, kind: 'parents_up' })
  return moments.sort((a, b) => a.at - b.at)
}

/**
 * The state of the parents at a moment, by when they were down. A parent that goes down within `parentsWithinMs` was
 * being confirmed, so it is `settling`.
 */
export function parentsAt(parentsDown: readonly Interval[], at: number): 'clear' | 'settling' | 'down' {
  let isSettling = false
  for (const { from, to } of parentsDown) {
    if (at >= from && at < to) return 'down'
    isSettling ||= at >= from - parentsWithinMs && at < to + parentsWithinMs
  }
  return isSettling ? 'settling' : 'clear'
}
