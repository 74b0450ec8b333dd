import { isKindName, kinds } from '#checks/index.ts'
import type { Result } from '#contract/agent.ts'
import type { CheckKind, JudgeContext, Judgement, Phases } from '#contract/check.ts'
import { judgeFault } from '#contract/check.ts'
import { storableJson } from '#contract/text.ts'
import type { AssignedCheck } from './observation.ts'

export interface Judged {
  judgement: Judgement
  /** What was seen, as its kind describes it; undefined when nothing was. */
  seen: Record<string, unknown> | undefined
  /** The response time of a good look. */
  responseMs: number | null
  /** The kind compared it with what this region saw before. */
  hasLookedBack: boolean
  /** What a kind that tells changes remembers of it. */
  facts?: string | undefined
}

/** What a region saw of a check before a look; asked only by kinds that detect change. */
export interface Recall {
  recall(check: string, due: number, attempt: number): unknown
}

class Facts implements JudgeContext {
  hasLookedBack = false
  readonly at: Date
  readonly phases: Phases
  readonly #result: Result
  readonly #past: Recall

  constructor(result: Result, past: Recall) {
    this.at = new Date(result.at)
    this.phases = result.phases
    this.#result = result
    this.#past = past
  }

  get previous(): unknown {
    this.hasLookedBack = true
    return this.#past.recall(this.#result.check, this.#result.due, this.#result.attempt)
  }
}

const unjudged: Judgement = { status: 'unknown', code: 'internal', reason: 'The result could not be judged.' }

/** What a kind says of what was seen: the only caller of `kind.judge`. What it cannot judge is unknown. */
export function judgeSeen(kind: CheckKind, seen: unknown, settings: unknown, facts: JudgeContext): Judgement {
  try {
    return kind.judge(seen, settings, facts)
  } catch {
    return unjudged
  }
}

/** Gives a result its meaning. Undefined: what was seen is not what the kind sees. */
export function judge(result: Result, check: AssignedCheck, past: Recall): Judged | undefined {
  if (!isKindName(check.kind)) return undefined
  if (result.fault)
    return { judgement: judgeFault(result.fault), seen: undefined, responseMs: null, hasLookedBack: false }
  const kind: CheckKind = kinds[check.kind]
  const seen = kind.seen.safeParse(result.seen).data as Record<string, unknown> | undefined
  if (!seen) return undefined
  const facts = new Facts(result, past)
  try {
    const judgement = judgeSeen(kind, seen, check.settings, facts)
    const isGood = judgement.status === 'up' || judgement.status === 'warning'
    const responseMs = isGood ? (kind.responseMs ? kind.responseMs(seen, result.phases) : result.phases.total) : null
    return {
      judgement,
      seen,
      responseMs,
      hasLookedBack: facts.hasLookedBack,
      facts: factsOf(kind, seen, check.settings),
    }
  } catch {
    return { judgement: unjudged, seen, responseMs: null, hasLookedBack: facts.hasLookedBack }
  }
}

/** Longer ones are not followed: they are held in memory for each region. */
const maxFacts = 32_000

function factsOf({ changeDetection }: CheckKind, seen: unknown, settings: unknown): string | undefined {
  const facts = changeDetection?.snapshotOf(seen, settings)
  if (!changeDetection || !facts) return undefined
  const text = storableJson(changeDetection.snapshot.parse(facts))
  return text.length <= maxFacts ? text : undefined
}
