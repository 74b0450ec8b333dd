import type { CheckState, Eligibility } from './core.ts'

/** Checks that the other regions find up, and how many of them this region finds down. */
export interface RegionCount {
  upElsewhere: number
  failing: number
}

const leastChecks = 20
const unreliableShare = 0.3
/** With fewer disputed checks than this no region can be unreliable. */
export const leastDisputed = Math.ceil(leastChecks * unreliableShare)
/** It recovers well below that, so that it does not flap at the limit. */
const recoveredShare = 0.15

/**
 * Counts one check for every region that votes on it: do all other eligible and reliable regions find it up? A check
 * that no other region runs is not counted, nor one that the others have not run since this region began to fail: one
 * region is always the first to find a real outage.
 */
export function countDisagreement(
  counts: Map<string, RegionCount>,
  check: CheckState,
  eligibilities: ReadonlyMap<string, Eligibility>,
  unreliable: ReadonlySet<string>,
): void {
  for (const region of check.regions) {
    if (region.vote === null) continue
    const why = eligibilities.get(region.region)?.why
    if (why !== null && why !== 'suspect') continue
    let others = 0
    let well = 0
    for (const other of check.regions) {
      if (
        other === region ||
        other.vote === null ||
        unreliable.has(other.region) ||
        eligibilities.get(other.region)?.why !== null
      )
        continue
      others++
      const isUpElsewhere =
        other.vote !== 'down' &&
        (region.vote !== 'down' || (other.outcome !== 'down' && other.countedAt >= region.since))
      if (isUpElsewhere) well++
    }
    if (others === 0 || well < others) continue
    let count = counts.get(region.region)
    if (!count) {
      count = { upElsewhere: 0, failing: 0 }
      counts.set(region.region, count)
    }
    count.upElsewhere++
    if (region.vote === 'down') count.failing++
  }
}

/**
 * Regions that fail more than 30 % of at least 20 checks the others find up. An unreliable one stays so until it is
 * below half of that. Only fewer than half of the regions can be unreliable: where as many disagree as agree, none is
 * known to be wrong.
 */
export function unreliableRegions(
  counts: ReadonlyMap<string, RegionCount>,
  before: ReadonlySet<string>,
  eligibilities: ReadonlyMap<string, Eligibility>,
): ReadonlySet<string> {
  const found = new Set<string>()
  for (const [region, { upElsewhere, failing }] of counts) {
    const share = upElsewhere === 0 ? 0 : failing / upElsewhere
    if (before.has(region) ? share > recoveredShare : upElsewhere >= leastChecks && share > unreliableShare)
      found.add(region)
  }
  // a region without results has not shown itself reliable
  for (const region of before) if (!counts.has(region)) found.add(region)
  const counted = new Set(found)
  for (const [region, { why }] of eligibilities) if (why === null) counted.add(region)
  return found.size * 2 < counted.size ? found : new Set()
}
