import type { StoredResult } from '#analytics/queries/stored-results.ts'
import { type Judgement, noPhases } from '#contract/check.ts'
import {
  type CheckRules,
  CheckState,
  type Effects,
  type Eligibility,
  observe,
  type RegionResult,
  reconsider,
  type World,
} from '#control-plane/engine/verdicts/core.ts'
import { type RegionWarning, type Warned, weighWarning } from '#control-plane/engine/verdicts/warning.ts'
import { type Interval, type Moment, parentsAt } from './moments.ts'

/** An incident that a set of rules yields. Milliseconds; `endedAt` null: it was still open at the end. */
export interface ReplayedIncident {
  startedAt: number
  confirmedAt: number
  endedAt: number | null
  /** The failing regions when it was opened. */
  regions: readonly string[]
}

/** The incidents and changes of verdict that a set of rules yields. */
export interface Timeline {
  readonly incidents: readonly ReplayedIncident[]
  /** When the verdict became warning or up. */
  readonly turned: readonly number[]
  /** When a warning began or was cleared. */
  readonly warned: readonly number[]
}

/** The outcome of a stored result by other settings; undefined: as it was judged when it was received. */
export type Rejudge = (result: StoredResult) => Judgement['status'] | undefined

/** One set of rules that is replayed beside others. */
export class Variant implements Timeline {
  readonly rules: CheckRules
  readonly rejudge: Rejudge | undefined
  readonly incidents: ReplayedIncident[] = []
  readonly turned: number[] = []
  readonly warned: number[] = []
  /** Confirmation runs that these rules would have requested and that were not made. */
  missingRuns = 0
  state: CheckState
  readonly #requestedAt = new Map<string, number>()
  readonly #said = new Map<string, RegionWarning>()
  #warned: Warned | null = null

  constructor(rules: CheckRules, startsAt: number, rejudge?: Rejudge) {
    this.rules = rules
    this.rejudge = rejudge
    this.state = new CheckState(rules.regions, startsAt)
  }

  apply({ runRequests, verdict, opens, resolves }: Effects, now: number): void {
    if (verdict && (verdict.to === 'warning' || verdict.to === 'up')) this.turned.push(verdict.at)
    if (runRequests.length > 0)
      for (const { region, afterMs } of runRequests)
        if (!this.#requestedAt.has(region)) this.#requestedAt.set(region, now + afterMs)
    if (opens)
      this.incidents.push({
        startedAt: opens.startedAt,
        confirmedAt: opens.confirmedAt,
        endedAt: null,
        regions: opens.quorum.failed,
      })
    const last = this.incidents.at(-1)
    if (resolves && last) last.endedAt = Math.max(last.startedAt, resolves.at)
  }

  /** Weighs the warning of a result, as when it was received. Its event is not stored, so every warning is the same. */
  weigh(region: string, status: Judgement['status'], { store, verdict }: Effects, world: World): void {
    const said = this.#said.size
    if (status === 'warning') this.#said.set(region, aWarning)
    else if (status !== 'unknown' && said > 0) this.#said.delete(region)
    if (!this.#warned && this.#said.size === 0) return
    // without a change the result weighs what the one before it did
    if (said === this.#said.size && store.length === 0 && !verdict) return
    for (let move = this.#weighed(world); move; move = this.#weighed(world)) {
      this.#warned = move.begun ?? null
      this.warned.push(world.now)
    }
  }

  #weighed(world: World) {
    return weighWarning(this.state, this.rules, this.#said, this.#warned, world)
  }

  /** The next result of a region shows whether the requested run was made. */
  noteResult({ region, at }: StoredResult): void {
    if (this.#requestedAt.size === 0) return
    const requestedAt = this.#requestedAt.get(region)
    if (requestedAt === undefined) return
    this.#requestedAt.delete(region)
    if (at > requestedAt + resultWithinMs) this.missingRuns++
  }
}

/** A requested run yields its result within this time, its timeout included. */
const resultWithinMs = 15_000

/** Verdicts depend on the status alone: reasons and codes are not replayed. */
const judgements: Record<StoredResult['outcome'], Judgement> = {
  up: { status: 'up' },
  warning: { status: 'warning', code: 'warning', reason: 'A warning.' },
  down: { status: 'down', code: 'down', reason: 'A failure.' },
  unknown: { status: 'unknown', code: 'unknown', reason: 'No result.' },
}
const aWarning: RegionWarning = { event: 'warning', depth: 1, code: 'warning', reason: 'A warning.', details: {} }
const noEvidence = { phases: noPhases, error: null, http_status: null, excerpt: null }

interface History {
  startsAt: number
  /** At its beginning. A region without an entry is eligible. */
  eligibilities: ReadonlyMap<string, Eligibility>
  moments: readonly Moment[]
  parentsDown: readonly Interval[]
}

/**
 * Replays stored results and moments for several sets of rules at once. It decides nothing itself: it calls the same
 * `observe` and `reconsider` as the verdict engine did when the results were received.
 */
export class Replay {
  readonly variants: readonly Variant[]
  readonly #moments: readonly Moment[]
  readonly #parentsDown: readonly Interval[]
  readonly #eligibilities: Map<string, Eligibility>
  #next = 0
  #isPaused = false

  constructor(variants: readonly Variant[], { startsAt, eligibilities, moments, parentsDown }: History) {
    this.variants = variants
    this.#moments = moments
    this.#parentsDown = parentsDown
    this.#eligibilities = new Map(eligibilities)
    for (const { rules } of variants)
      for (const region of rules.regions)
        if (!this.#eligibilities.has(region)) this.#eligibilities.set(region, { why: null, since: startsAt })
  }

  /** The next result, in the order in which the engine received them. */
  take(stored: StoredResult): void {
    this.#pass(stored.receivedAt)
    if (this.#isPaused) return
    const world = this.#world(stored.receivedAt)
    const { region, due, attempt, at, isUnreliable } = stored
    const result: RegionResult = {
      region,
      due,
      attempt,
      at,
      isUnreliable,
      judgement: judgements[stored.outcome],
      evidence: noEvidence,
    }
    for (const variant of this.variants) {
      result.judgement = judgements[variant.rejudge?.(stored) ?? stored.outcome]
      variant.noteResult(stored)
      const effects = observe(variant.state, variant.rules, result, world)
      variant.apply(effects, world.now)
      variant.weigh(region, result.judgement.status, effects, world)
    }
  }

  /** There are no more results before this moment. */
  end(at: number): void {
    this.#pass(at)
  }

  #world(now: number): World {
    return {
      now,
      eligibilities: this.#eligibilities,
      parents: this.#parentsDown.length === 0 ? 'clear' : parentsAt(this.#parentsDown, now),
    }
  }

  #pass(until: number): void {
    for (let moment = this.#moments[this.#next]; moment && moment.at <= until; moment = this.#moments[++this.#next])
      this.#live(moment)
  }

  #live(moment: Moment): void {
    switch (moment.kind) {
      case 'eligibility': {
        const before = this.#eligibilities.get(moment.region)
        const isSame = before && (before.why === null) === (moment.why === null)
        this.#eligibilities.set(moment.region, { why: moment.why, since: isSame ? before.since : moment.at })
        break
      }
      case 'pause':
        this.#isPaused = true
        break
      case 'resume':
        this.#isPaused = false
        for (const { state } of this.variants) state.wake(moment.at)
        this.#reconsider(moment.at, this.variants)
        break
      case 'coverage':
        this.#reconsider(
          moment.at,
          this.variants.filter(({ state }) => state.verdict !== null),
        )
        break
      case 'parents_up':
        this.#reconsider(
          moment.at,
          this.variants.filter(({ state }) => state.incident === 'withheld'),
        )
        break
    }
  }

  #reconsider(at: number, variants: readonly Variant[]): void {
    if (this.#isPaused) return
    const world = this.#world(at)
    for (const variant of variants) variant.apply(reconsider(variant.state, variant.rules, world), at)
  }
}
