import type { Judgement } from '#contract/check.ts'
import { storable, storableJson } from '#contract/text.ts'
import { type CheckRules, type CheckState, freshnessMs, type RegionState, type World } from './core.ts'
import { directRegion, requiredToClose, requiredToOpen } from './quorum.ts'

/*
 * The warnings of a check. Pure; it reads the votes of the core and does not change them.
 *
 * A warning begins, and deepens, when as many regions as it takes to open an incident report it after their
 * confirmations. While the check is down, its incident is published instead, if it has one. A warning ends when the
 * check is up, when as many regions as it takes to close an incident are up, or when another warning replaces it.
 */

/** The warning of a region’s last result. */
export interface RegionWarning {
  event: string
  depth: number
  code: string
  reason: string
  details: Record<string, unknown>
}

/** The current warning of the check, as it was published. */
export interface Warned {
  event: string
  depth: number
}

export interface WarningBegun extends RegionWarning {
  since: number
  regions: string[]
}

export type WarningMove = { begun: WarningBegun; cleared?: undefined } | { cleared: Warned; begun?: undefined }

/** Where a failure opens no incident, nothing else would notify of it. */
const failedEvent = 'warning.degraded_performance'

export function warningOf(judgement: Judgement, { severity }: Pick<CheckRules, 'severity'>): RegionWarning | null {
  if (judgement.status !== 'warning' && judgement.status !== 'down') return null
  const event = judgement.event ?? (judgement.status === 'down' && severity === null ? failedEvent : undefined)
  if (!event?.startsWith('warning.')) return null
  const { depth = 1, code, reason, details = {} } = judgement
  return { event, depth, code: code.slice(0, 100), reason: storable(reason, 500), details: bounded(details) }
}

const maxDetails = 8_000

function bounded(details: Record<string, unknown>): Record<string, unknown> {
  const text = storableJson(details)
  return text.length > maxDetails ? {} : JSON.parse(text)
}

/**
 * The next event to be published, if any. To be called again after it: where one warning replaces another there are
 * two.
 */
export function weighWarning(
  check: CheckState,
  rules: CheckRules,
  warnings: ReadonlyMap<string, RegionWarning>,
  warned: Warned | null,
  { now, eligibilities }: World,
): WarningMove | null {
  const fresh = freshnessMs(rules)
  const voters: RegionState[] = []
  let expected = 0
  for (const region of check.regions) {
    const eligibility = eligibilities.get(region.region)
    if (eligibility?.why === null && region.vote !== null && now - region.countedAt <= fresh) voters.push(region)
    else if (
      eligibility &&
      eligibility.why !== 'suspect' &&
      now - Math.max(region.countedAt, eligibility.since) <= fresh
    )
      expected++
  }
  const [voting, asked] = [voters.length + expected, check.regions.length]
  const required = requiredToOpen(rules.policy, voting, asked)
  const sure = voters.filter(region => region.vote !== 'up' && region.outcome !== 'up' && warnings.has(region.region))
  const agreed = agreedOn(sure, warnings, required)

  if (warned) {
    const isStillReported = sure.filter(({ region }) => warnings.get(region)!.event === warned.event).length >= required
    const well = voters.filter(region => region.vote === 'up').length
    const isWell =
      check.verdict === 'up' || (check.verdict === 'warning' && well >= requiredToClose(rules.policy, voting, asked))
    const isReplaced = agreed !== null && agreed.event !== warned.event
    if (!isStillReported && (isWell || isReplaced)) return { cleared: warned }
    if (agreed?.event !== warned.event || agreed.depth <= warned.depth) return null
  }
  const mayBegin = check.verdict === 'warning' || (check.verdict === 'down' && rules.severity === null)
  return agreed && mayBegin ? { begun: agreed } : null
}

/** The warning that enough regions report, as deep as enough of them report it. */
function agreedOn(
  sure: readonly RegionState[],
  warnings: ReadonlyMap<string, RegionWarning>,
  required: number,
): WarningBegun | null {
  for (const [event, regions] of Map.groupBy(sure, ({ region }) => warnings.get(region)!.event)) {
    if (regions.length < required) continue
    const deepestFirst = regions.map(({ region }) => warnings.get(region)!).sort((a, b) => b.depth - a.depth)
    const { code, reason, details, depth } = deepestFirst[required - 1]!
    const since = regions.map(region => region.since).sort((a, b) => a - b)[required - 1]!
    return {
      event,
      depth,
      code,
      reason,
      details,
      since,
      regions: regions.map(({ region }) => region).filter(name => name !== directRegion),
    }
  }
  return null
}
