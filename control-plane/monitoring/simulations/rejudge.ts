import { judgeSeen } from '#analytics/ingest/judge.ts'
import type { StoredLook } from '#analytics/queries/stored-looks.ts'
import type { CheckKind, Judgement, LookFacts, Phases } from '#contract/check.ts'
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
  read(text: string): unknown {
    if (this.#known.has(text)) return this.#known.get(text)
    const seen = this.#kind.seen.safeParse(JSON.parse(text)).data
    if (this.#known.size >= keptTexts) this.#known.clear()
    this.#known.set(text, seen)
    return seen
  }
}

interface Last {
  due: number
  attempt: number
  seen: unknown
}

/**
 * Judges stored looks once more, by other settings. What failed before anything was seen stands, whatever the settings;
 * so does what is no longer kept: `left` counts those.
 */
export class Judge {
  readonly #kind: CheckKind
  readonly #settings: unknown
  readonly #reader: SeenReader
  readonly #lastSeen = new Map<string, Last>()
  /** Several lanes ask about one look. */
  #look: StoredLook | undefined
  #judgement: Judgement | undefined
  left = 0

  constructor(kind: CheckKind, settings: unknown, reader: SeenReader) {
    this.#kind = kind
    this.#settings = settings
    this.#reader = reader
  }

  readonly rejudge: Rejudge = look => {
    if (look !== this.#look) {
      this.#judgement = this.#judge(look)
      this.#look = look
    }
    return this.#judgement
  }

  #judge(look: StoredLook): Judgement | undefined {
    const seen = look.seen === null ? undefined : this.#reader.read(look.seen)
    if (seen === undefined) {
      // good looks always saw something
      if (look.outcome === 'up' || look.outcome === 'warning') this.left++
      return undefined
    }
    const last = this.#lastSeen.get(look.region)
    const isNewer = !last || look.due > last.due || (look.due === last.due && look.attempt > last.attempt)
    const facts = new StoredFacts(look, isNewer ? last?.seen : undefined)
    if (isNewer) this.#lastSeen.set(look.region, { due: look.due, attempt: look.attempt, seen })
    return judgeSeen(this.#kind, seen, this.#settings, facts)
  }
}

class StoredFacts implements LookFacts {
  readonly #at: number
  readonly phases: Phases
  readonly previous: unknown

  constructor(look: StoredLook, previous: unknown) {
    this.#at = look.at
    this.phases = look.phases
    this.previous = previous
  }

  /** Few kinds ask. */
  get at(): Date {
    return new Date(this.#at)
  }
}
