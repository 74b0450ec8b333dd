import type { Assigned } from '#control-plane/engine/assignments/assigned.ts'
import type { CheckState, Effects } from './core.ts'
import { type Bundle, voteRow } from './group.ts'

/** What follows from a look, as it is written: votes, changes of verdict and coverage, and the incident that opens or is over. */
export function emitVerdict(
  bundle: Bundle,
  check: string,
  assigned: Assigned,
  held: CheckState,
  { store, dropped, verdict, coverage, opens, resolves }: Effects,
): void {
  for (const region of dropped) {
    bundle.votes.delete(region)
    bundle.dropped.add(region)
  }
  for (const region of store) bundle.votes.set(region.region, voteRow(check, region))
  if (verdict) bundle.changes.push({ check_id: check, at: verdict.at, verdict: verdict.to })
  if (coverage?.to === 'none' && held.verdict !== null)
    bundle.changes.push({ check_id: check, at: coverage.at, verdict: 'none' })
  if (coverage?.from === 'none' && held.verdict !== null && verdict?.from !== null)
    bundle.changes.push({ check_id: check, at: coverage.at, verdict: held.verdict })
  if (opens && assigned.rules.severity)
    bundle.opens = {
      check_id: check,
      title: titleOf(assigned, opens.evidence.error_code),
      cause: opens.cause,
      severity: assigned.rules.severity,
      started_at: opens.startedAt,
      confirmed_at: opens.confirmedAt,
      quorum: opens.quorum,
      evidence: opens.evidence,
    }
  if (resolves) bundle.resolvedAt = resolves.at
}

const titleOf = ({ kind, monitorName }: Assigned, code: string | null): string => {
  if (kind === 'cron') return `${monitorName} ${(code && heartbeatWords[code]) ?? 'is down'}`
  return kind === 'uptime' || kind === 'tcp' || kind === 'ping'
    ? `${monitorName} is down`
    : `${monitorName}: the ${kind} check fails`
}

const heartbeatWords: Record<string, string> = {
  missed: 'has missed a ping',
  failed: 'reported a failure',
  overrun: 'takes too long',
}
