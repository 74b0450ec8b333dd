import { isKindName, kinds } from '#checks/index.ts'
import type { Result } from '#contract/agent.ts'
import type { CheckKind, Judgement } from '#contract/check.ts'
import { judgeFault } from '#contract/check.ts'
import type { AssignedCheck } from './observation.ts'

export interface Judged {
  judgement: Judgement
  /** What was seen, as its kind describes it; undefined when nothing was. */
  seen: Record<string, unknown> | undefined
  /** The response time of a good look. */
  responseMs: number | null
  /** The kind compared it with what this region saw before. */
  hasLookedBack: boolean
}

/** What a region saw of a check before; asked only by kinds that detect change. */
export type Recall = () => unknown

/** Gives a result its meaning. The only caller of `kind.judge`. Undefined: what was seen is not what the kind sees. */
export function judge(result: Result, check: AssignedCheck, recall: Recall): Judged | undefined {
  if (!isKindName(check.kind)) return undefined
  if (result.fault) return { judgement: judgeFault(result.fault), seen: undefined, responseMs: null, hasLookedBack: false }
  const kind: CheckKind = kinds[check.kind]
  const parsed = kind.seen.safeParse(result.seen)
  if (!parsed.success) return undefined
  const seen = parsed.data as Record<string, unknown>
  let hasLookedBack = false
  const facts = {
    at: new Date(result.at),
    phases: result.phases,
    get previous() {
      hasLookedBack = true
      return recall()
    },
  }
  try {
    const judgement = kind.judge(seen, check.settings, facts)
    const isGood = judgement.status === 'up' || judgement.status === 'warning'
    const responseMs = isGood ? (kind.responseMs ? kind.responseMs(seen, result.phases) : result.phases.total) : null
    return { judgement, seen, responseMs, hasLookedBack }
  } catch {
    const reason = 'The result could not be judged.'
    return { judgement: { status: 'unknown', code: 'internal', reason }, seen, responseMs: null, hasLookedBack }
  }
}
