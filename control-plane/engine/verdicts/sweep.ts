import { setImmediate as breathe } from 'node:timers/promises'
import type { Assigned } from '#control-plane/engine/assignments/assigned.ts'
import { countCovering, type World } from './core.ts'
import type { EngineCheck } from './engine-check.ts'

/** Checks examined between two pauses for the event loop: about a millisecond of work. */
const sliceChecks = 2_000

/** What changed by time alone. */
export interface Swept {
  /** Checks that another number of regions covers by now. */
  changed: string[]
  /** By eligible region: the number of checks without a current result of it. */
  silent: Map<string, number>
}

interface SweepDeps {
  find(check: string): Assigned | undefined
  world(): Omit<World, 'parents'>
  /** A check on which this fails; the others go on. */
  onBad(check: string, error: unknown): void
}

/** Searches all checks for missing results. The caller decides what follows. */
export async function sweepSilent(
  checks: Iterable<readonly [string, EngineCheck]>,
  { find, world, onBad }: SweepDeps,
): Promise<Swept> {
  const changed: string[] = []
  const silent = new Map<string, number>()
  const countSilent = (region: string) => silent.set(region, (silent.get(region) ?? 0) + 1)
  let now: World = { ...world(), parents: 'clear' }
  const isEligible = (region: string) => now.eligibilities.get(region)?.why === null
  let index = 0
  for (const [id, check] of checks) {
    if (++index % sliceChecks === 0) {
      await breathe()
      now = { ...world(), parents: 'clear' }
    }
    // most have a recent result, and nothing else can have changed
    if (check.isResting || (now.now <= check.coveredUntil && check.sweptUnder === now.eligibilities)) continue
    const assigned = find(id)
    if (!assigned) continue
    check.sweptUnder = now.eligibilities
    try {
      const covering = countCovering(check, assigned.rules, now, countSilent)
      const isGapOver = check.isInRegionGap && check.regions.some(one => isEligible(one.region))
      // a check without a result has no coverage to lose
      if ((covering !== check.covering || isGapOver) && check.verdict !== null) changed.push(id)
    } catch (error) {
      onBad(id, error)
    }
  }
  return { changed, silent }
}
