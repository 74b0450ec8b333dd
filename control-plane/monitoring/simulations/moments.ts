import type { Ineligibility } from '#control-plane/engine/agents/region.ts'

/** Something that happened between looks and that verdicts depended on. Milliseconds. */
export type Moment =
  | { at: number; kind: 'standing'; region: string; why: Ineligibility | null }
  /** Regions came or went some seconds ago: coverage and warnings follow. */
  | { at: number; kind: 'cover' }
  /** Nobody looks any more, or again. */
  | { at: number; kind: 'rest' | 'wake' }
  /** Time for a child whose incident waited for its parents. */
  | { at: number; kind: 'freed' }

export interface Stretch {
  from: number
  to: number
}

interface Known {
  standings: readonly { at: number; region: string; why: Ineligibility | null }[]
  /** The check's own changes of verdict; of these only pauses count. */
  changes: readonly { at: number; verdict: string }[]
  /** When a parent was down. */
  parentsDown: readonly Stretch[]
}

/** Regions come and go together: as long as the engine waits before it asks what follows. */
export const coverAfterMs = 5_000
/** As long as a child's incident waits for parents that are not sure yet, or that are just well again. */
export const parentsWithinMs = 20_000

/** All that is known to have happened, in order. */
export function momentsOf({ standings, changes, parentsDown }: Known): Moment[] {
  const moments: Moment[] = []
  let coverAt = Number.NEGATIVE_INFINITY
  for (const { at, region, why } of standings) {
    moments.push({ at, kind: 'standing', region, why })
    if (at <= coverAt) continue
    coverAt = at + coverAfterMs
    moments.push({ at: coverAt, kind: 'cover' })
  }
  let isPaused = false
  for (const { at, verdict } of changes) {
    if ((verdict === 'paused') === isPaused) continue
    isPaused = !isPaused
    moments.push({ at, kind: isPaused ? 'rest' : 'wake' })
  }
  for (const { to } of parentsDown) moments.push({ at: to + parentsWithinMs, kind: 'freed' })
  return moments.sort((a, b) => a.at - b.at)
}

/** How the parents stood at a moment, told from when they were down. One that goes down soon was not sure before. */
export function parentsAt(parentsDown: readonly Stretch[], at: number): 'clear' | 'settling' | 'down' {
  let isSettling = false
  for (const { from, to } of parentsDown) {
    if (at >= from && at < to) return 'down'
    isSettling ||= at >= from - parentsWithinMs && at < to + parentsWithinMs
  }
  return isSettling ? 'settling' : 'clear'
}
