import { isReachability } from '#checks/index.ts'
import type { Assigned } from '#control-plane/engine/assignments/assigned.ts'
import { hostKeys } from '#control-plane/engine/suppression/host-keys.ts'
import { type CheckWrites, type OpeningRow, voteRow } from './batch.ts'
import type { CheckState, Effects } from './core.ts'

/**
 * Queues what follows from a result: votes, changes of verdict and coverage, and the incident that opens or resolves.
 */
export function emitVerdict(
  writes: CheckWrites,
  check: string,
  assigned: Assigned,
  state: CheckState,
  { store, dropped, verdict, coverage, opens, resolves }: Effects,
  /** The change of coverage is that of all checks of its regions, and written for them together. */
  isOfRegions: boolean,
): void {
  for (const region of dropped) {
    writes.votes.delete(region)
    writes.dropped.add(region)
  }
  for (const region of store) writes.votes.set(region.region, voteRow(check, region))
  if (verdict) writes.changes.push({ check_id: check, at: verdict.at, verdict: verdict.to })
  // results in a row may have begun before the end of a gap, after which history says what the verdict was before them
  if (verdict && verdict.at < state.uncoveredUntil && coverage?.from !== 'none')
    writes.changes.push({ check_id: check, at: state.uncoveredUntil, verdict: verdict.to })
  if (coverage?.to === 'none' && !isOfRegions && state.verdict !== null)
    writes.changes.push({ check_id: check, at: coverage.at, verdict: 'none' })
  if (coverage?.from === 'none' && !isOfRegions && state.verdict !== null && verdict?.from !== null)
    writes.changes.push({ check_id: check, at: coverage.at, verdict: state.verdict })
  if (opens && assigned.rules.severity)
    writes.opens = {
      check_id: check,
      title: titleOf(assigned, opens.evidence.error_code),
      cause: opens.cause,
      severity: assigned.rules.severity,
      started_at: opens.startedAt,
      confirmed_at: opens.confirmedAt,
      quorum: opens.quorum,
      evidence: opens.evidence,
      ...hostOf(assigned, state),
    }
  if (resolves) writes.resolvedAt = resolves.at
}

function hostOf(assigned: Assigned, state: CheckState): Pick<OpeningRow, 'host'> {
  const keys = hostKeys(
    assigned,
    state.regions.map(({ address }) => address),
  )
  return keys.length > 0 ? { host: { tenant: assigned.tenant, keys } } : {}
}

const titleOf = ({ kind, monitorName }: Assigned, code: string | null): string => {
  if (kind === 'cron') return `${monitorName} ${(code && heartbeatWords[code]) ?? 'is down'}`
  return isReachability(kind) ? `${monitorName} is down` : `${monitorName}: the ${kind} check fails`
}

const heartbeatWords: Record<string, string> = {
  missed: 'has missed a ping',
  failed: 'reported a failure',
  overrun: 'takes too long',
}
