import { judgeSeen } from '#analytics/ingest/judge.ts'
import type { StoredResult } from '#analytics/queries/stored-results.ts'
import type { CheckKind, JudgeContext, Judgement, Phases } from '#contract/check.ts'
import type { Rejudge } from './replay.ts'

const keptTexts = 20_000

/** What was seen, read back. Most looks see the same as another before. */
export class SeenReader {
  readonly #kind: CheckKind
  readonly #known = new Map<string, unknown>()

  constructor(kind: CheckKind) {
    this.#kind = kind
  }

  /** Undefined for what is none of this kind. */
  readonly read = (text: string): unknown => {
    if (this.#known.has(text)) return this.#known.get(text)
    const seen = this.#kind.seen.safeParse(JSON.parse(text)).data
    if (this.#known.size >= keptTexts) this.#known.clear()
    this.#known.set(text, seen)
    return seen
  }
}

/** What the same region saw before. It does not depend on settings, so judges that go through the same looks share it. */
export class LookBack {
  readonly #last = new Map<string, { due: number; attempt: number; seen: unknown }>()
  #look: StoredResult | undefined
  #facts: StoredFacts | undefined

  /** Of a look that saw something; asked for each of them, in their order. */
  factsOf(look: StoredResult, seen: unknown): JudgeContext {
    if (look === this.#look && this.#facts) return this.#facts
    const { region, due, attempt } = look
    const last = this.#last.get(region)
    const isNewer = !last || due > last.due || (due === last.due && attempt > last.attempt)
    this.#look = look
    this.#facts = new StoredFacts(look, isNewer ? last?.seen : undefined)
    if (!last) this.#last.set(region, { due, attempt, seen })
    else if (isNewer) {
      last.due = due
      last.attempt = attempt
      last.seen = seen
    }
    return this.#facts
  }
}

class StoredFacts implements JudgeContext {
  readonly previous: unknown
  readonly #look: StoredResult
  #phases: Phases | undefined

  constructor(look: StoredResult, previous: unknown) {
    this.#look = look
    this.previous = previous
  }

  // few kinds ask for either
  get at(): Date {
    return new Date(this.#look.at)
  }

  get phases(): Phases {
    this.#phases ??= this.#look.phases
    return this.#phases
  }
}

/**
 * Judges stored looks once more, by other settings. What failed before anything was seen stands, whatever the settings;
 * so does what is no longer kept: `left` counts those.
 */
export class Judge {
  readonly #kind: CheckKind
  readonly settings: unknown
  readonly #back: LookBack
  /** Several lanes ask about one look. */
  #look: StoredResult | undefined
  #meaning: Judgement['status'] | undefined
  left = 0

  constructor(kind: CheckKind, settings: unknown, back: LookBack) {
    this.#kind = kind
    this.settings = settings
    this.#back = back
  }

  readonly rejudge: Rejudge = look => {
    if (look !== this.#look) {
      this.#meaning = this.#judge(look)
      this.#look = look
    }
    return this.#meaning
  }

  #judge(look: StoredResult): Judgement['status'] | undefined {
    const { seen } = look
    if (seen !== undefined) return judgeSeen(this.#kind, seen, this.settings, this.#back.factsOf(look, seen)).status
    // good looks always saw something
    if (look.outcome === 'up' || look.outcome === 'warning') this.left++
    return undefined
  }
}
