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
import { type Moment, parentsAt, type Stretch } from './moments.ts'

/** An incident as some rules would have it. Milliseconds; `endedAt` null: it was not over yet. */
export interface Replayed {
  startedAt: number
  confirmedAt: number
  endedAt: number | null
  /** The regions that saw it when it was opened. */
  regions: readonly string[]
}

/** What came of some rules. */
export interface Course {
  readonly incidents: readonly Replayed[]
  /** When it turned to a warning, or well. */
  readonly turned: readonly number[]
  /** When a warning was told, or that it was over. */
  readonly warned: readonly number[]
}

/** What a look is taken to mean: undefined for as it was judged when it came. */
export type Rejudge = (look: StoredResult) => Judgement['status'] | undefined

/** One set of rules that goes through the history beside others. */
export class Lane implements Course {
  readonly rules: CheckRules
  readonly rejudge: Rejudge | undefined
  readonly incidents: Replayed[] = []
  readonly turned: number[] = []
  readonly warned: number[] = []
  /** Looks these rules would have asked for out of turn, and that nobody made. */
  unmade = 0
  state: CheckState
  readonly #asked = new Map<string, number>()
  readonly #said = new Map<string, RegionWarning>()
  #warned: Warned | null = null

  constructor(rules: CheckRules, startsAt: number, rejudge?: Rejudge) {
    this.rules = rules
    this.rejudge = rejudge
    this.state = new CheckState(rules.regions, startsAt)
  }

  follow({ runRequests: looks, verdict, opens, resolves }: Effects, now: number): void {
    if (verdict && (verdict.to === 'warning' || verdict.to === 'up')) this.turned.push(verdict.at)
    if (looks.length > 0)
      for (const { region, afterMs } of looks) if (!this.#asked.has(region)) this.#asked.set(region, now + afterMs)
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

  /** Weighs what a look warns of, as it was weighed when it came. Which event told of it is not kept: it counts as one. */
  weigh(region: string, status: Judgement['status'], { store, verdict }: Effects, world: World): void {
    const said = this.#said.size
    if (status === 'warning') this.#said.set(region, aWarning)
    else if (status !== 'unknown' && said > 0) this.#said.delete(region)
    if (!this.#warned && this.#said.size === 0) return
    // what moved nothing weighs what the look before it did
    if (said === this.#said.size && store.length === 0 && !verdict) return
    for (let move = this.#weighed(world); move; move = this.#weighed(world)) {
      this.#warned = move.begun ?? null
      this.warned.push(world.now)
    }
  }

  #weighed(world: World) {
    return weighWarning(this.state, this.rules, this.#said, this.#warned, world)
  }

  /** The next look of a region says whether the one asked for was made. */
  looked({ region, at }: StoredResult): void {
    if (this.#asked.size === 0) return
    const wantedAt = this.#asked.get(region)
    if (wantedAt === undefined) return
    this.#asked.delete(region)
    if (at > wantedAt + answersWithinMs) this.unmade++
  }
}

/** A region that is asked to look does so within this, its timeout included. */
const answersWithinMs = 15_000

/** Verdicts go by this alone; what is said of it is not replayed. */
const meanings: Record<StoredResult['outcome'], Judgement> = {
  up: { status: 'up' },
  warning: { status: 'warning', code: 'warning', reason: 'A warning.' },
  down: { status: 'down', code: 'down', reason: 'A failure.' },
  unknown: { status: 'unknown', code: 'unknown', reason: 'No word.' },
}
const aWarning: RegionWarning = { event: 'warning', depth: 1, code: 'warning', reason: 'A warning.', details: {} }
const noEvidence = { phases: noPhases, error: null, http_status: null, excerpt: null }

interface History {
  startsAt: number
  /** Who had a say when it begins. Regions nothing is known of have. */
  standings: ReadonlyMap<string, Eligibility>
  moments: readonly Moment[]
  parentsDown: readonly Stretch[]
}

/**
 * The verdict core, led through looks as they were stored and through what else is known of that time, for several sets of rules at
 * once. Nothing is decided here: the same `observe` and `reconsider` are asked as when the looks came in.
 */
export class Replay {
  readonly lanes: readonly Lane[]
  readonly #moments: readonly Moment[]
  readonly #parentsDown: readonly Stretch[]
  readonly #standings: Map<string, Eligibility>
  #next = 0
  #isResting = false

  constructor(lanes: readonly Lane[], { startsAt, standings, moments, parentsDown }: History) {
    this.lanes = lanes
    this.#moments = moments
    this.#parentsDown = parentsDown
    this.#standings = new Map(standings)
    for (const { rules } of lanes)
      for (const region of rules.regions)
        if (!this.#standings.has(region)) this.#standings.set(region, { why: null, since: startsAt })
  }

  /** The next look, in the order in which they were decided on. */
  take(stored: StoredResult): void {
    this.#pass(stored.receivedAt)
    if (this.#isResting) return
    const world = this.#world(stored.receivedAt)
    const { region, due, attempt, at, isUnreliable: suspect } = stored
    const look: RegionResult = {
      region,
      due,
      attempt,
      at,
      isUnreliable: suspect,
      judgement: meanings[stored.outcome],
      evidence: noEvidence,
    }
    for (const lane of this.lanes) {
      look.judgement = meanings[lane.rejudge?.(stored) ?? stored.outcome]
      lane.looked(stored)
      const effects = observe(lane.state, lane.rules, look, world)
      lane.follow(effects, world.now)
      lane.weigh(region, look.judgement.status, effects, world)
    }
  }

  /** There are no more looks before this moment. */
  end(at: number): void {
    this.#pass(at)
  }

  #world(now: number): World {
    return {
      now,
      eligibilities: this.#standings,
      parents: this.#parentsDown.length === 0 ? 'clear' : parentsAt(this.#parentsDown, now),
    }
  }

  #pass(until: number): void {
    for (let moment = this.#moments[this.#next]; moment && moment.at <= until; moment = this.#moments[++this.#next])
      this.#live(moment)
  }

  #live(moment: Moment): void {
    switch (moment.kind) {
      case 'standing': {
        const before = this.#standings.get(moment.region)
        const isSame = before && (before.why === null) === (moment.why === null)
        this.#standings.set(moment.region, { why: moment.why, since: isSame ? before.since : moment.at })
        break
      }
      case 'rest':
        this.#isResting = true
        break
      case 'wake':
        this.#isResting = false
        for (const { state } of this.lanes) state.wake(moment.at)
        this.#reconsider(moment.at, this.lanes)
        break
      case 'cover':
        this.#reconsider(
          moment.at,
          this.lanes.filter(({ state }) => state.verdict !== null),
        )
        break
      case 'freed':
        this.#reconsider(
          moment.at,
          this.lanes.filter(({ state }) => state.incident === 'withheld'),
        )
        break
    }
  }

  #reconsider(at: number, lanes: readonly Lane[]): void {
    if (this.#isResting) return
    const world = this.#world(at)
    for (const lane of lanes) lane.follow(reconsider(lane.state, lane.rules, world), at)
  }
}
