import { judgeSeen } from '#analytics/ingest/judge.ts'
import type { StoredResult } from '#analytics/queries/stored-results.ts'
import type { CheckKind, JudgeContext, Judgement, Phases } from '#contract/check.ts'
import type { Rejudge } from './replay.ts'

const cachedTexts = 20_000

/** Parses stored observations. Most results observe the same as an earlier one, so parsed texts are cached. */
export class SeenReader {
  readonly #kind: CheckKind
  readonly #known = new Map<string, unknown>()

  constructor(kind: CheckKind) {
    this.#kind = kind
  }

  /** Undefined for an observation of another kind. */
  readonly read = (text: string): unknown => {
    if (this.#known.has(text)) return this.#known.get(text)
    const seen = this.#kind.seen.safeParse(JSON.parse(text)).data
    if (this.#known.size >= cachedTexts) this.#known.clear()
    this.#known.set(text, seen)
    return seen
  }
}

/** The previous observation of each region. It does not depend on settings, so judges of the same results share it. */
export class PreviousResults {
  readonly #last = new Map<string, { due: number; attempt: number; seen: unknown }>()
  #result: StoredResult | undefined
  #context: StoredContext | undefined

  /** For a result with an observation; called for each of them, in their order. */
  contextOf(result: StoredResult, seen: unknown): JudgeContext {
    if (result === this.#result && this.#context) return this.#context
    const { region, due, attempt } = result
    const last = this.#last.get(region)
    const isNewer = !last || due > last.due || (due === last.due && attempt > last.attempt)
    this.#result = result
    this.#context = new StoredContext(result, isNewer ? last?.seen : undefined)
    if (!last) this.#last.set(region, { due, attempt, seen })
    else if (isNewer) {
      last.due = due
      last.attempt = attempt
      last.seen = seen
    }
    return this.#context
  }
}

class StoredContext implements JudgeContext {
  readonly previous: unknown
  readonly #result: StoredResult
  #phases: Phases | undefined

  constructor(result: StoredResult, previous: unknown) {
    this.#result = result
    this.previous = previous
  }

  // few kinds read either, so both are made when read
  get at(): Date {
    return new Date(this.#result.at)
  }

  get phases(): Phases {
    this.#phases ??= this.#result.phases
    return this.#phases
  }
}

/**
 * Judges stored results by other settings. A result that failed without an observation keeps its outcome, and so does
 * one whose observation is no longer stored: `notRejudged` counts the latter.
 */
export class Judge {
  readonly #kind: CheckKind
  readonly settings: unknown
  readonly #back: PreviousResults
  /** Several variants judge one result, so the last status is kept. */
  #result: StoredResult | undefined
  #status: Judgement['status'] | undefined
  notRejudged = 0

  constructor(kind: CheckKind, settings: unknown, back: PreviousResults) {
    this.#kind = kind
    this.settings = settings
    this.#back = back
  }

  readonly rejudge: Rejudge = result => {
    if (result !== this.#result) {
      this.#status = this.#judge(result)
      this.#result = result
    }
    return this.#status
  }

  #judge(result: StoredResult): Judgement['status'] | undefined {
    const { seen } = result
    if (seen !== undefined) return judgeSeen(this.#kind, seen, this.settings, this.#back.contextOf(result, seen)).status
    // a good result always had an observation
    if (result.outcome === 'up' || result.outcome === 'warning') this.notRejudged++
    return undefined
  }
}
