import type { Span } from '#control-plane/base/tracing.ts'
import type { ClearedRow, WarningRow } from '#control-plane/engine/warnings/keep.ts'
import type { ChangedRow, SnapshotRow } from '#control-plane/engine/warnings/keep-changes.ts'
import type { CheckState, IncidentEvidence, RegionState } from './core.ts'
import type { QuorumProof, RegionProof } from './proof.ts'
import type { Asked } from './region-gaps.ts'

/** Rows as PostgreSQL receives them: times in milliseconds, taken when the engine decides. */
export interface VoteRow {
  check_id: string
  region: string
  vote: string | null
  streak_outcome: string | null
  streak_count: number
  streak_since: number
  last_due: number
  last_attempt: number
  evidence: RegionProof | null
}

export interface CheckRow {
  id: string
  verdict: string | null
  verdict_since: number | null
  verdict_reason: string | null
  coverage: string
  failing_regions: readonly string[]
}

export interface ChangeRow {
  check_id: string
  at: number
  verdict: string
}

/** The regions that a check is asked from, from a moment on. */
export interface AskedRow extends Asked {
  check_id: string
}

export interface MonitorRow {
  id: string
  status: string | null
  status_reason: string | null
  coverage: string
  at: number
  /** Since when the coverage is what it is, where it was another. */
  coverage_at: number
}

export interface OpeningRow {
  check_id: string
  title: string
  cause: string
  severity: string
  started_at: number
  confirmed_at: number
  quorum: QuorumProof
  evidence: IncidentEvidence
  /** The host that the check is of, by its name and its addresses; absent where it has no target. */
  host?: { tenant: string; keys: readonly string[] }
}

/** Everything that is to be written of one check. */
export interface CheckWrites {
  votes: Map<string, VoteRow>
  dropped: Set<string>
  check: CheckRow | null
  changes: ChangeRow[]
  asked: AskedRow | null
  opens: OpeningRow | null
  resolvedAt: number | null
  /** It is no longer checked, and so its open incident ends. */
  stoppedAt: number | null
  /** What it is judged by was changed while it failed, and so its open incident ends. */
  changedAt: number | null
  warning: WarningRow | null
  cleared: ClearedRow | null
  snapshot: SnapshotRow | null
  detected: ChangedRow[]
  /** The decision that led to it, where it is recorded. */
  span: Span | null
}

/**
 * One transaction: at most one incident opening or closing for each check, and the warnings of one result, so their
 * order does not matter.
 */
export class WriteBatch {
  checks = new Map<string, CheckWrites>()
  monitors = new Map<string, MonitorRow>()
  /** Monitors that are no longer checked. */
  rests = new Set<string>()
  readonly written = Promise.withResolvers<void>()

  constructor() {
    this.written.promise.catch(() => undefined) // callers that wait receive the rejection; there may be none
  }

  get isEmpty(): boolean {
    return this.checks.size === 0 && this.monitors.size === 0 && this.rests.size === 0
  }

  /** Whether another opening or closing of this check must wait for the next transaction. */
  hasIncidentOf(check: string): boolean {
    const writes = this.checks.get(check)
    return (
      writes !== undefined &&
      [writes.opens, writes.resolvedAt, writes.stoppedAt, writes.changedAt].some(end => end !== null)
    )
  }

  hasWarningOf(check: string): boolean {
    const writes = this.checks.get(check)
    return writes !== undefined && (writes.warning !== null || writes.cleared !== null)
  }

  of(check: string): CheckWrites {
    let writes = this.checks.get(check)
    if (!writes) {
      writes = {
        votes: new Map(),
        dropped: new Set(),
        check: null,
        changes: [],
        asked: null,
        opens: null,
        resolvedAt: null,
        stoppedAt: null,
        changedAt: null,
        warning: null,
        cleared: null,
        snapshot: null,
        detected: [],
        span: null,
      }
      this.checks.set(check, writes)
    }
    return writes
  }

  /** Splits this batch into two, to find the one row that cannot be written. */
  split(): [WriteBatch, WriteBatch] {
    const halves: [WriteBatch, WriteBatch] = [new WriteBatch(), new WriteBatch()]
    let index = 0
    for (const [check, writes] of this.checks) halves[index++ % 2 === 0 ? 0 : 1].checks.set(check, writes)
    for (const [id, monitor] of this.monitors) halves[index++ % 2 === 0 ? 0 : 1].monitors.set(id, monitor)
    for (const id of this.rests) halves[index++ % 2 === 0 ? 0 : 1].rests.add(id)
    return halves
  }

  /** The one row that is left after splitting: a check, or a monitor. */
  get only(): { id: string; kind: 'verdict_write' | 'monitor_status' } | undefined {
    const [check] = this.checks.keys()
    if (check !== undefined) return { id: check, kind: 'verdict_write' }
    const [monitor] = [...this.monitors.keys(), ...this.rests]
    return monitor === undefined ? undefined : { id: monitor, kind: 'monitor_status' }
  }

  /** Removes the rows of one check or monitor and returns them. */
  take(id: string): WriteBatch | undefined {
    const [writes, monitor] = [this.checks.get(id), this.monitors.get(id)]
    const isResting = this.rests.delete(id)
    if (!writes && !monitor && !isResting) return undefined
    this.checks.delete(id)
    this.monitors.delete(id)
    const taken = new WriteBatch()
    if (writes) taken.checks.set(id, writes)
    if (monitor) taken.monitors.set(id, monitor)
    if (isResting) taken.rests.add(id)
    return taken
  }

  get size(): number {
    return this.checks.size + this.monitors.size + this.rests.size
  }
}

export const voteRow = (check: string, state: RegionState): VoteRow => ({
  check_id: check,
  region: state.region,
  vote: state.vote,
  streak_outcome: state.outcome,
  streak_count: state.count,
  streak_since: state.since,
  last_due: state.due,
  last_attempt: state.attempt,
  evidence: state.error ? state.proof() : null,
})

export const checkRow = (id: string, state: CheckState): CheckRow => ({
  id,
  verdict: state.verdict,
  verdict_since: state.verdict === null ? null : state.verdictSince,
  verdict_reason: state.reason,
  coverage: state.coverage,
  failing_regions: state.failing,
})
