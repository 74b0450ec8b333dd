import type { ClearedRow, WarningRow } from '#control-plane/engine/warnings/keep.ts'
import type { ChangedRow, FactsRow } from '#control-plane/engine/warnings/keep-changes.ts'
import type { CheckState, IncidentEvidence, RegionState } from './core.ts'
import type { QuorumProof, RegionProof } from './proof.ts'

/** Rows as they are handed to PostgreSQL: times in milliseconds, taken at the moment of the decision, so that what commits together belongs together. */
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
}

/** Everything one check has to have written. */
export interface Bundle {
  votes: Map<string, VoteRow>
  dropped: Set<string>
  check: CheckRow | null
  changes: ChangeRow[]
  opens: OpeningRow | null
  resolvedAt: number | null
  warning: WarningRow | null
  cleared: ClearedRow | null
  facts: FactsRow | null
  news: ChangedRow[]
}

/** What commits in one transaction: at most one incident move for each check, and what one look says of its warnings, so their order needs no thought. */
export class Group {
  bundles = new Map<string, Bundle>()
  monitors = new Map<string, MonitorRow>()
  /** Monitors that are not looked at any more. */
  rests = new Set<string>()
  readonly written = Promise.withResolvers<void>()

  constructor() {
    this.written.promise.catch(() => undefined) // whoever waits hears of it; nobody may be waiting
  }

  get isEmpty(): boolean {
    return this.bundles.size === 0 && this.monitors.size === 0 && this.rests.size === 0
  }

  /** Whether another opening or closing of this check must wait for the next transaction. */
  hasIncidentOf(check: string): boolean {
    const bundle = this.bundles.get(check)
    return bundle !== undefined && (bundle.opens !== null || bundle.resolvedAt !== null)
  }

  hasWarningOf(check: string): boolean {
    const bundle = this.bundles.get(check)
    return bundle !== undefined && (bundle.warning !== null || bundle.cleared !== null)
  }

  of(check: string): Bundle {
    let bundle = this.bundles.get(check)
    if (!bundle) {
      bundle = {
        votes: new Map(),
        dropped: new Set(),
        check: null,
        changes: [],
        opens: null,
        resolvedAt: null,
        warning: null,
        cleared: null,
        facts: null,
        news: [],
      }
      this.bundles.set(check, bundle)
    }
    return bundle
  }

  /** Two groups that together are this one: to find the one row that cannot be written. */
  split(): [Group, Group] {
    const halves: [Group, Group] = [new Group(), new Group()]
    let index = 0
    for (const [check, bundle] of this.bundles) halves[index++ % 2 === 0 ? 0 : 1].bundles.set(check, bundle)
    for (const [id, monitor] of this.monitors) halves[index++ % 2 === 0 ? 0 : 1].monitors.set(id, monitor)
    for (const id of this.rests) halves[index++ % 2 === 0 ? 0 : 1].rests.add(id)
    return halves
  }

  /** The one row that is left after splitting: a check, or a monitor. */
  get only(): { id: string; kind: 'verdict_write' | 'monitor_status' } | undefined {
    const [check] = this.bundles.keys()
    if (check !== undefined) return { id: check, kind: 'verdict_write' }
    const [monitor] = [...this.monitors.keys(), ...this.rests]
    return monitor === undefined ? undefined : { id: monitor, kind: 'monitor_status' }
  }

  /** What is here of one check or monitor, which then is here no more. */
  take(id: string): Group | undefined {
    const [bundle, monitor] = [this.bundles.get(id), this.monitors.get(id)]
    const isResting = this.rests.delete(id)
    if (!bundle && !monitor && !isResting) return undefined
    this.bundles.delete(id)
    this.monitors.delete(id)
    const taken = new Group()
    if (bundle) taken.bundles.set(id, bundle)
    if (monitor) taken.monitors.set(id, monitor)
    if (isResting) taken.rests.add(id)
    return taken
  }

  get size(): number {
    return this.bundles.size + this.monitors.size + this.rests.size
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
