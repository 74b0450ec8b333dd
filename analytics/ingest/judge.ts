import { isKindName, kinds } from '#checks/index.ts'
import type { Result } from '#contract/agent.ts'
import type { CheckKind, JudgeContext, Judgement, Phases } from '#contract/check.ts'
import { judgeFault } from '#contract/check.ts'
import { storableJson } from '#contract/text.ts'
import type { AssignedCheck } from './observation.ts'

export interface Judged {
  judgement: Judgement
  /** The findings, parsed by the kind's schema; undefined for a failed run. */
  seen: Record<string, unknown> | undefined
  /** The response time of a successful result. */
  responseMs: number | null
  /** The kind compared the result with the previous one of the region. */
  usesPrevious: boolean
  /** The snapshot, for kinds that detect changes. */
  snapshot?: string | undefined
}

/** The previous findings of a region for a check; read only by kinds that compare. */
export interface Recall {
  recall(check: string, due: number, attempt: number): unknown
}

class LazyContext implements JudgeContext {
  usesPrevious = false
  readonly at: Date
  readonly phases: Phases
  readonly #result: Result
  readonly #recallPrevious: Recall

  constructor(result: Result, recallPrevious: Recall) {
    this.at = new Date(result.at)
    this.phases = result.phases
    this.#result = result
    this.#recallPrevious = recallPrevious
  }

  get previous(): unknown {
    this.usesPrevious = true
    return this.#recallPrevious.recall(this.#result.check, this.#result.due, this.#result.attempt)
  }
}

const unjudged: Judgement = { status: 'unknown', code: 'internal', reason: 'The result could not be judged.' }

/** Judges findings: the only caller of `kind.judge`. An error in it yields the outcome unknown. */
export function judgeSeen(kind: CheckKind, seen: unknown, settings: unknown, snapshot: JudgeContext): Judgement {
  try {
    return kind.judge(seen, settings, snapshot)
  } catch {
    return unjudged
  }
}

/** Judges a result. Undefined: the findings do not match the kind's schema. */
export function judge(result: Result, check: AssignedCheck, recallPrevious: Recall): Judged | undefined {
  if (!isKindName(check.kind)) return undefined
  if (result.fault)
    return { judgement: judgeFault(result.fault), seen: undefined, responseMs: null, usesPrevious: false }
  const kind: CheckKind = kinds[check.kind]
  const seen = kind.seen.safeParse(result.seen).data as Record<string, unknown> | undefined
  if (!seen) return undefined
  const snapshot = new LazyContext(result, recallPrevious)
  try {
    const judgement = judgeSeen(kind, seen, check.settings, snapshot)
    const isGood = judgement.status === 'up' || judgement.status === 'warning'
    const responseMs = isGood ? (kind.responseMs ? kind.responseMs(seen, result.phases) : result.phases.total) : null
    return {
      judgement,
      seen,
      responseMs,
      usesPrevious: snapshot.usesPrevious,
      snapshot: snapshotText(kind, seen, check.settings),
    }
  } catch {
    return { judgement: unjudged, seen, responseMs: null, usesPrevious: snapshot.usesPrevious }
  }
}

/** Larger snapshots are ignored, because one per region is kept in memory. */
const maxSnapshotChars = 32_000

function snapshotText({ changeDetection }: CheckKind, seen: unknown, settings: unknown): string | undefined {
  const snapshot = changeDetection?.snapshotOf(seen, settings)
  if (!changeDetection || !snapshot) return undefined
  const text = storableJson(changeDetection.snapshot.parse(snapshot))
  return text.length <= maxSnapshotChars ? text : undefined
}
