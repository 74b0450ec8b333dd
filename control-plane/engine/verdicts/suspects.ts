import type { CheckState, Standing } from './core.ts'

/** Checks that the other regions see well, and how many of them this region sees failing. */
export interface RegionCount {
  seenWell: number
  failing: number
}

const leastChecks = 20
const suspectShare = 0.3
/** With fewer checks in dispute than this no region can be suspect. */
export const leastDisputed = Math.ceil(leastChecks * suspectShare)
/** It recovers well below that, so that it does not come and go at the border. */
const recoveredShare = 0.15

/**
 * Counts one check for every region that has a word on it: do the others, all that may vote and are not suspect themselves, see it well?
 * Where nobody else looks, nothing is known; nor where the others have not looked since this region began to fail: what
 * really goes down is found by one region first.
 */
export function countSuspicion(
  counts: Map<string, RegionCount>,
  check: CheckState,
  standings: ReadonlyMap<string, Standing>,
  suspected: ReadonlySet<string>,
): void {
  for (const region of check.regions) {
    if (region.vote === null) continue
    const why = standings.get(region.region)?.why
    if (why !== null && why !== 'suspect') continue
    let others = 0
    let well = 0
    for (const other of check.regions) {
      if (
        other === region ||
        other.vote === null ||
        suspected.has(other.region) ||
        standings.get(other.region)?.why !== null
      )
        continue
      others++
      const isSeenWell =
        other.vote !== 'down' && (region.vote !== 'down' || (other.outcome !== 'down' && other.heard >= region.since))
      if (isSeenWell) well++
    }
    if (others === 0 || well < others) continue
    let count = counts.get(region.region)
    if (!count) {
      count = { seenWell: 0, failing: 0 }
      counts.set(region.region, count)
    }
    count.seenWell++
    if (region.vote === 'down') count.failing++
  }
}

/**
 * Regions that fail more than 30 % of at least 20 checks the others see well. One that was suspect stays so until it is below half of that.
 * Only fewer than half of the regions can be suspect: where as many disagree as agree, nobody is known to be wrong.
 */
export function suspects(
  counts: ReadonlyMap<string, RegionCount>,
  before: ReadonlySet<string>,
  standings: ReadonlyMap<string, Standing>,
): ReadonlySet<string> {
  const found = new Set<string>()
  for (const [region, { seenWell, failing }] of counts) {
    const share = seenWell === 0 ? 0 : failing / seenWell
    if (before.has(region) ? share > recoveredShare : seenWell >= leastChecks && share > suspectShare) found.add(region)
  }
  // a region not heard of has not shown itself well
  for (const region of before) if (!counts.has(region)) found.add(region)
  const speaking = new Set(found)
  for (const [region, { why }] of standings) if (why === null) speaking.add(region)
  return found.size * 2 < speaking.size ? found : new Set()
}
