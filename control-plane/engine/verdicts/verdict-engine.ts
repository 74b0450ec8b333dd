import { setImmediate as breathe, setTimeout as pause } from 'node:timers/promises'
import type { Pool } from 'pg'
import type { Logger } from 'pino'
import type { Observation, RunWatermark } from '#analytics/ingest/observation.ts'
import { takesDown } from '#contract/check.ts'
import { shardOf } from '#contract/shards.ts'
import type { Clock } from '#control-plane/base/clock.ts'
import { eachIsolated } from '#control-plane/base/each-isolated.ts'
import type { Metrics } from '#control-plane/base/metrics.ts'
import { type BadRow, Quarantine } from '#control-plane/base/quarantine/quarantine.ts'
import { allShards, type OwnedShards } from '#control-plane/base/shards.ts'
import { activeSpan, inside, type Span } from '#control-plane/base/tracing.ts'
import { among, queries, total } from '#control-plane/db/queries.ts'
import type { Ineligibility } from '#control-plane/engine/agents/region.ts'
import type { Assigned } from '#control-plane/engine/assignments/assigned.ts'
import type { SuppressionRules } from '#control-plane/engine/suppression/rules.ts'
import { checkRow, voteRow } from './batch.ts'
import { DetectionState } from './change-detection.ts'
import { beginsToExplain, connectingCheckOf, explains } from './connecting-check.ts'
import {
  type CheckState,
  type Effects,
  type Eligibility,
  freshnessMs,
  observe,
  type Parents,
  reconsider,
  type World,
} from './core.ts'
import { type EmitDependencies, emitChanges } from './emit-changes.ts'
import { emitVerdict } from './emit-verdict.ts'
import { emitWarning } from './emit-warning.ts'
import { EngineCheck, isJudgedOtherwise } from './engine-check.ts'
import { EpochFence, type Fence } from './fence.ts'
import {
  readChecks,
  readLastBeat,
  readMonitors,
  readSnapshots,
  readVotes,
  readWarnings,
  SnapshotShape,
  type StoredSnapshot,
} from './load.ts'
import { type MonitorState, monitorStateOf } from './monitor-status.ts'
import { directRegion } from './quorum.ts'
import { awaySince, RegionGaps } from './region-gaps.ts'
import { sweepSilent } from './sweep.ts'
import { countDisagreement, leastDisputed, type RegionCount, unreliableRegions } from './unreliable-regions.ts'
import { WriteQueue } from './write-queue.ts'

/** Checks processed between two pauses for the event loop. */
const sliceChecks = 250
/** Between the first runs of checks that are watched again together, as those of a team are. */
const wakeApartMs = 10
const tickMs = 250
/**
 * Several regions become ineligible or eligible together: coverage follows once they have. After a start they get
 * longer to return.
 */
const coverAfterMs = 5_000
const coverAfterStartMs = 20_000
/** How often missing results are searched for. */
const sweepEveryMs = 5_000
/** How long the incident of a child waits for parents whose votes are not settled: of other monitors, or its own. */
const parentsWithinMs = 20_000
const requestParentEveryMs = 5_000
const unreliableEveryMs = 2_000
const countEveryMs = 15_000
/** How often checks that were deleted while they were not run are searched for. */
const forgetEveryMs = 3_600_000
const forgetPage = 5_000
/** After a read failed. */
const retryMs = 1_000
/** How old the stored number of consecutive failures may be. */
const noteEveryMs = 60_000

export interface VerdictEngineOptions {
  /** The platform's own connections. */
  pool: Pool
  clock: Pick<Clock, 'nowMs'>
  log: Pick<Logger, 'warn' | 'error' | 'info'>
  metrics?: Pick<Metrics, 'verdictChanges' | 'openIncidents' | 'verdictWritesRefused' | 'disputedChecks'>
  /** A check that runs; undefined: paused or deleted. */
  find(check: string): Assigned | undefined
  /** The checks of a monitor that run. */
  checksOf(monitor: string): readonly string[]
  /** Requests a run of a check from a region. */
  requestRun(region: string, check: string, afterMs: number): void
  /** Called when the set of unreliable regions changed: those that report failures no other region reports. */
  onUnreliable?(regions: ReadonlySet<string>): void
  /** Called every few seconds: by eligible region, the number of checks without a current result of it. */
  onSilent?(silent: ReadonlyMap<string, number>): void
  /** When single alerts are suppressed. */
  suppression?: SuppressionRules
  /** The checks it decides on; of all, unless given. */
  shards?: OwnedShards
  /** Ends the writes of earlier processes; by the epoch, unless given. */
  fence?: Fence
}

const unrecorded: ReadonlyMap<Observation, Span> = new Map()

/** Pushed reports count whether regions are eligible or not. */
const alwaysEligible: Eligibility = { why: null, since: 0 }

/** Why an incident waits: since when, whether a parent was down, and when the parents recovered. */
interface Withheld {
  since: number
  parentWasDown: boolean
  freedAt: number | null
}

/** A check that can withhold the incident of another one, and whether it does or is about to. */
interface ParentCheck {
  check: string
  state: EngineCheck
  isDown: boolean
  isSettling: boolean
}

/**
 * The engine around the pure core. It keeps the state of every check in memory, takes results in the order of their
 * arrival, and writes what they change in batches: one transaction at a time, while the next batch gathers. A result
 * that changes nothing costs no statement. Nothing is dropped while PostgreSQL is unavailable: batches wait, and with
 * them the callers of `decide`.
 */
export class VerdictEngine {
  readonly #options: VerdictEngineOptions
  readonly #shards: OwnedShards
  readonly #fence: Fence
  readonly #queue: WriteQueue
  readonly #regionGaps: RegionGaps
  readonly #emitting: EmitDependencies
  readonly #checks = new Map<string, EngineCheck>()
  readonly #monitors = new Map<string, MonitorState>()
  readonly #withheld = new Map<string, Withheld>()
  readonly #parentRequestedAt = new Map<string, number>()
  readonly #quarantine: Quarantine
  /** Checks on which deciding failed: not decided on until they are retried. */
  readonly #bad = new Set<string>()
  /** Checks that were bad: released from quarantine by the next result that is decided on. */
  readonly #retried = new Set<string>()
  #eligibilities = new Map<string, Eligibility>([[directRegion, alwaysEligible]])
  #unreliable: ReadonlySet<string> = new Set()
  #mutex: Promise<unknown> = Promise.resolve()
  #disputed = 0
  #sweepAt = 0
  /** The next sweep waits for regions that come or go together. */
  #isSweepPostponed = false
  #nextUnreliable = 0
  #nextCount = 0
  #nextNote = 0
  #nextForget = 0
  #timer: NodeJS.Timeout | undefined
  #isTicking = false

  constructor(options: VerdictEngineOptions) {
    this.#options = options
    const { pool, log, suppression, metrics, shards = allShards, fence = new EpochFence(pool) } = options
    this.#shards = shards
    this.#fence = fence
    this.#quarantine = new Quarantine({ platform: pool, log })
    this.#regionGaps = new RegionGaps(pool, fence)
    this.#queue = new WriteQueue({
      pool,
      log,
      suppression,
      metrics,
      fence,
      tenantOf: id => (options.find(id) ?? options.find(options.checksOf(id)[0] ?? ''))?.tenant ?? null,
      onStopped: () => clearInterval(this.#timer),
    })
    this.#emitting = {
      queue: this.#queue,
      log,
      requestRun: (region, check, afterMs) => options.requestRun(region, check, afterMs),
    }
  }

  /**
   * Ends the writes of any other process on these checks, and reads back their stored state. `watermarks`: the newest
   * stored runs, all of them decided on already. Where they cannot be read, or results wait to be stored (`areWhole`
   * false), votes count as current at the last moment at which a process decided: every result that changed one is in
   * PostgreSQL, and to decide again on the others, which agreed with it, changes nothing.
   */
  async load(watermarks: Iterable<RunWatermark> | AsyncIterable<RunWatermark> = [], areWhole = true): Promise<void> {
    const { pool, clock, log } = this.#options
    await this.#fence.take()
    const now = clock.nowMs()
    await this.#regionGaps.load(this.#shards)
    const { rested, woken } = await this.#restore(null)
    if (!areWhole) await this.#takeVotesForCurrent(now)
    try {
      for await (const { check, region, due, attempt } of watermarks) {
        const state = this.#checks.get(check)?.region(region)
        state?.pass(due, attempt)
        if (state?.vote) state.countedAt = Math.max(state.countedAt, Math.min(due, now))
      }
    } catch (error) {
      log.warn({ err: error }, 'watermarks unreadable: votes of before the start count as current')
      await this.#takeVotesForCurrent(now)
    }
    for await (const { id, status, status_reason, coverage } of readMonitors(pool, this.#shards))
      this.#monitors.set(id, { status: isMonitorStatus(status) ? status : null, reason: status_reason, coverage })

    for (const check of this.#checks.values())
      for (const { region } of check.regions)
        if (!this.#eligibilities.has(region)) this.#eligibilities.set(region, { why: 'never_seen', since: now })
    this.#postponeSweep(now + coverAfterStartMs)
    this.#nextForget = now + forgetEveryMs
    await this.#exclusively(async () => {
      await this.#rest(rested)
      await this.#wake(woken)
      await this.#each([...this.#checks.keys()], (check, assigned) => this.#noteOtherRegions(check, assigned))
    })
    this.#queue.write()
  }

  async #takeVotesForCurrent(now: number): Promise<void> {
    const lastBeat = await readLastBeat(this.#options.pool)
    for (const check of this.#checks.values())
      for (const region of check.regions)
        if (region.vote) region.countedAt = Math.max(region.countedAt, Math.min(lastBeat, now))
  }

  /** Reads back the stored state of checks; null: of all. */
  async #restore(only: readonly string[] | null): Promise<{ rested: string[]; woken: string[] }> {
    const { pool, clock } = this.#options
    const among = { shards: this.#shards, only }
    const now = clock.nowMs()
    const [rested, woken]: [string[], string[]] = [[], []]
    for await (const row of readChecks(pool, among)) {
      const assigned = this.#options.find(row.id)
      const check = new EngineCheck(assigned?.rules.regions ?? [], now, row.monitor_id, !assigned)
      check.judgedFor = assigned ?? null
      check.verdict = row.verdict
      check.verdictSince = row.verdict_since
      check.recoveredAt = row.recovered_at
      check.isInRegionGap = row.is_in_region_gap
      // its history says that it is measured again: the rows of the moment were not written
      const isBack = row.coverage === 'none' && !row.is_in_region_gap && isMonitorStatus(row.last_change)
      check.coverage = isBack ? 'partial' : row.coverage
      check.covering = coveringOf(check.coverage, check.regions.length)
      if (assigned && row.asked_regions)
        check.asked = { shard: shardOf(assigned.tenant), regions: row.asked_regions, since: row.asked_since }
      check.failing = row.failing_regions
      check.reason = row.verdict_reason
      if (row.is_open) check.incident = 'open'
      else if (row.verdict === 'down' && !row.had_incident && assigned?.rules.severity && this.#hasParents(assigned))
        check.incident = 'withheld'
      this.#checks.set(row.id, check)
      this.#countDisputed(check)
      if (check.incident === 'withheld') this.#withheld.set(row.id, { since: now, parentWasDown: true, freedAt: null })
      const isRecorded = row.verdict === null || row.last_change === 'paused'
      if (!assigned && (row.is_open || !isRecorded)) rested.push(row.id)
      if (assigned && (row.last_change === 'paused' || row.is_resumed)) woken.push(row.id)
    }
    for await (const row of readVotes(pool, among)) {
      this.#checks
        .get(row.check_id)
        ?.region(row.region)
        ?.restore({
          vote: row.vote,
          outcome: row.streak_outcome,
          count: row.streak_count,
          since: row.streak_since,
          due: Number(row.last_due),
          attempt: row.last_attempt,
          evidence: row.evidence,
        })
    }
    for await (const { check_id, event, depth } of readWarnings(pool, among)) {
      const check = this.#checks.get(check_id)
      if (check) check.warned = { event, depth }
    }
    await this.#restoreSnapshots(only)
    return { rested, woken }
  }

  /** Where the snapshot of a target cannot be read, change detection starts again without one. */
  async #restoreSnapshots(only: readonly string[] | null): Promise<void> {
    const { pool, clock } = this.#options
    const now = clock.nowMs()
    const known: string[] = []
    const restore = ({ check_id, target, ...stored }: StoredSnapshot) => {
      const { regions, recent } = SnapshotShape.parse(stored)
      known.push(check_id)
      const check = this.#checks.get(check_id)
      if (!check) return
      check.detection = new DetectionState(target, 0)
      check.detection.recent = recent
      for (const [region, snapshot] of Object.entries(regions)) check.detection.confirm(region, snapshot, now)
    }
    const bad: BadRow[] = []
    await eachIsolated(readSnapshots(pool, { shards: this.#shards, only }), restore, ({ check_id }, error) => {
      bad.push({ key: check_id, tenant: this.#options.find(check_id)?.tenant ?? null, error })
    })
    if (only) await this.#quarantine.release('check_facts', known)
    else await this.#quarantine.replace('check_facts', [], this.#shards.parameter)
    await this.#quarantine.add('check_facts', bad)
  }

  /** Starts the ticks: withheld incidents, coverage and unreliable regions are reviewed. */
  start(): void {
    this.#timer = setInterval(() => void this.#tick(), tickMs)
    this.#timer.unref()
  }

  /** Writes what is waiting, unless the database stays unavailable. */
  async stop(graceMs = 5_000): Promise<void> {
    clearInterval(this.#timer)
    await Promise.race([
      this.#mutex.then(() => this.#queue.written()),
      pause(graceMs, undefined, { ref: false }),
    ]).catch(() => undefined)
    this.#queue.giveUp(new Error('The service is stopping.'))
    await this.#fence.release().catch(() => undefined)
  }

  /**
   * Decides on results, in this order; resolves when all they changed, and everything before, is committed. `spans`:
   * of the decisions that are recorded.
   */
  async decide(
    observations: readonly Observation[],
    spans: ReadonlyMap<Observation, Span> = unrecorded,
  ): Promise<void> {
    if (this.#queue.isStopped) throw new Error('The service is stopping.')
    await this.#exclusively(async () => {
      for (let index = 0; index < observations.length; index += sliceChecks) {
        if (index > 0) await breathe()
        const slice = observations.slice(index, index + sliceChecks)
        await eachIsolated(
          slice,
          observation => {
            const span = spans.get(observation)
            if (span) inside(span, () => this.#decideOne(observation))
            else this.#decideOne(observation)
          },
          ({ check, tenant }, error) => this.#leave(check, tenant, error),
        )
      }
    })
    await this.#queue.written()
  }

  /** Quarantined checks are read again as they are stored, and decided on from their next result. */
  async retry(checks: readonly string[]): Promise<void> {
    const bad = checks.filter(check => this.#bad.has(check))
    await this.#exclusively(async () => void (await this.#restore(bad)))
    for (const check of checks) {
      this.#bad.delete(check)
      if (this.#options.find(check)) this.#retried.add(check)
    }
    await this.#quarantine.release(
      'verdict',
      checks.filter(check => !this.#retried.has(check)),
    )
  }

  async retrySnapshots(checks: readonly string[]): Promise<void> {
    await this.#exclusively(() => this.#restoreSnapshots(checks))
  }

  retryWrites(kind: 'verdict_write' | 'monitor_status', ids: readonly string[]): Promise<void> {
    return this.#queue.retry(kind, ids)
  }

  /** Searches soon for checks that were deleted while they were not run: the work list does not report them. */
  forgetGone(): void {
    this.#nextForget = 0
  }

  /** A check on which deciding fails is left as it is stored, and the others go on. */
  #leave(check: string, tenant: string | null, error: unknown): void {
    const state = this.#checks.get(check)
    if (state?.isDisputed) this.#disputed--
    this.#checks.delete(check)
    this.#withheld.delete(check)
    this.#parentRequestedAt.delete(check)
    this.#retried.delete(check)
    this.#bad.add(check)
    void this.#quarantine.add('verdict', [{ key: check, tenant, error }])
  }

  /** The work list changed: checks that are new or have other rules, and checks that are paused or deleted. */
  async checksChanged(changed: readonly Assigned[], gone: readonly string[]): Promise<void> {
    await this.#exclusively(async () => {
      await this.#rest(gone)
      await this.#wake(changed.filter(({ check }) => this.#checks.get(check)?.isResting).map(({ check }) => check))
      await this.#each(
        changed.map(({ check }) => check),
        (check, assigned) => {
          const state = this.#checks.get(check)
          if (state) {
            this.#followRules(check, assigned, state)
            state.expect(this.#options.clock.nowMs())
            this.#reconsider(check, assigned, state)
            this.#updateMonitor(assigned.monitor)
          } else
            this.#checks.set(
              check,
              new EngineCheck(assigned.rules.regions, this.#options.clock.nowMs(), assigned.monitor, false),
            )
        },
      )
    })
    await this.#queue.written()
    // a failure here is made up for by the next search for deleted checks
    await this.#forgetDeleted(gone).catch(error =>
      this.#options.log.warn({ err: error }, 'deleted checks read failure'),
    )
  }

  /**
   * Some region became eligible or ineligible. Votes are counted again with the next result; coverage and warnings
   * follow after some seconds. `silentSince`: of silent regions, after which moment no message came; a lease later that
   * is noticed.
   */
  eligibilityChanged(
    regions: ReadonlyMap<string, Ineligibility | null>,
    silentSince: ReadonlyMap<string, number> = new Map(),
  ): void {
    const now = this.#options.clock.nowMs()
    const eligibilities = new Map<string, Eligibility>()
    for (const [region, why] of regions) {
      const before = this.#eligibilities.get(region)
      const isSame = before && (before.why === null) === (why === null)
      const since = Math.max(before?.since ?? 0, Math.min(now, silentSince.get(region) ?? now))
      eligibilities.set(region, { why, since: isSame ? before.since : since })
    }
    for (const [region, before] of this.#eligibilities)
      if (!eligibilities.has(region))
        eligibilities.set(region, before.why === null ? { why: 'never_seen', since: now } : before)
    eligibilities.set(directRegion, alwaysEligible)
    this.#eligibilities = eligibilities
    this.#postponeSweep(now + coverAfterMs)
  }

  #postponeSweep(until: number): void {
    if (this.#isSweepPostponed) return
    this.#isSweepPostponed = true
    this.#sweepAt = until
  }

  /** The state of a check; for tests and for diagnosis. */
  stateOf(check: string): CheckState | undefined {
    return this.#checks.get(check)
  }

  get size(): number {
    return this.#checks.size
  }

  /** Checks whose changes are not yet written. */
  get waiting(): number {
    return this.#queue.size
  }

  #decideOne(observation: Observation): void {
    const assigned = this.#options.find(observation.check)
    if (!assigned || this.#bad.has(observation.check)) return
    let state = this.#checks.get(observation.check)
    if (!state) {
      state = new EngineCheck(assigned.rules.regions, this.#options.clock.nowMs(), assigned.monitor, false)
      this.#checks.set(observation.check, state)
    }
    // the work list may be newer than its last notice
    this.#followRules(observation.check, assigned, state)
    if (state.lastRegions !== assigned.rules.regions) this.#reconsider(observation.check, assigned, state)
    const mayGoDown = observation.judgement.status === 'down' && state.verdict !== 'down'
    if (mayGoDown && assigned.rules.severity !== null) this.#requestParentRuns(assigned)
    const world = this.#world(observation.check, assigned, state, mayGoDown)
    const isNew = state.region(observation.region)?.isPast(observation.due, observation.attempt) === false
    this.#queue.beginRunOf(observation.check)
    this.#apply(observation.check, assigned, state, observe(state, assigned.rules, observation, world))
    if (isNew && !observation.isUnreliable && world.now - observation.at <= freshnessMs(assigned.rules)) {
      emitWarning(this.#queue, observation, assigned.rules, state, world)
      emitChanges(this.#emitting, observation, assigned, state, world)
    }
    if (this.#retried.delete(observation.check)) void this.#quarantine.release('verdict', [observation.check])
  }

  /**
   * What fails by another address or other rules is another fault: where they change while the check is down, its
   * incident ends, it has no verdict until it is judged by them, and it runs at once.
   */
  #followRules(check: string, assigned: Assigned, state: EngineCheck): void {
    const before = state.judgedFor
    if (before === assigned) return
    state.judgedFor = assigned
    const hadIncident = before?.rules.severity || assigned.rules.severity
    if (!before || !hadIncident || state.isResting || state.verdict !== 'down') return
    if (!isJudgedOtherwise(before, assigned)) return
    const now = this.#options.clock.nowMs()
    const writes = this.#queue.of(check, state.incident === 'open')
    if (state.incident === 'open') writes.changedAt = now
    this.#withheld.delete(check)
    state.judgeAnew(now)
    state.warnings = null
    this.#countDisputed(state)
    for (const { region } of state.regions) this.#options.requestRun(region, check, 0)
    for (const region of state.regions) writes.votes.set(region.region, voteRow(check, region))
    writes.check = checkRow(check, state)
    writes.changes.push({ check_id: check, at: now, verdict: 'none' })
    this.#updateMonitor(assigned.monitor)
    this.#queue.write()
  }

  #reconsider(check: string, assigned: Assigned, state: EngineCheck, isSwept = false): void {
    state.lastRegions = assigned.rules.regions
    const effects = reconsider(state, assigned.rules, this.#world(check, assigned, state))
    this.#apply(check, assigned, state, effects, isSwept)
    this.#noteOtherRegions(check, assigned)
  }

  /** A check is asked from other regions than is stored. */
  #noteOtherRegions(check: string, assigned: Assigned): void {
    const state = this.#checks.get(check)
    if (state?.asked && !isSameSet(state.asked.regions, assigned.rules.regions))
      this.#noteRegions(check, assigned, state)
  }

  /** Stores which regions a check is asked from: from now on their gaps are its own. */
  #noteRegions(check: string, assigned: Assigned, state: EngineCheck): void {
    const since = this.#options.clock.nowMs()
    state.asked = { shard: shardOf(assigned.tenant), regions: assigned.rules.regions.toSorted(), since }
    const writes = this.#queue.of(check)
    writes.asked = { ...state.asked, check_id: check }
    if (!state.isInRegionGap) return
    // the gap was of the regions of before
    state.isInRegionGap = false
    writes.changes.push({ check_id: check, at: since, verdict: 'none' })
  }

  /** Parents are asked only where an incident may open. */
  #world(check: string, assigned: Assigned, state: EngineCheck, mayGoDown = false): World {
    const now = this.#options.clock.nowMs()
    const mayOpen = mayGoDown || state.incident === 'withheld'
    return {
      now,
      eligibilities: this.#eligibilities,
      parents: mayOpen ? this.#parents(check, assigned, state, now) : 'clear',
    }
  }

  #apply(check: string, assigned: Assigned, state: EngineCheck, effects: Effects, isSwept = false): void {
    for (const { region, afterMs } of effects.runRequests) this.#options.requestRun(region, check, afterMs)
    const { store, dropped, verdict, failing, coverage, opens, resolves } = effects
    if (state.incident === 'withheld') {
      if (!this.#withheld.has(check))
        this.#withheld.set(check, { since: this.#options.clock.nowMs(), parentWasDown: false, freedAt: null })
    } else this.#withheld.delete(check)
    if (store.length === 0 && dropped.length === 0 && !verdict && !failing && !coverage && !opens && !resolves) return

    const writes = this.#queue.of(check, opens !== null || resolves !== null)
    // the decision that opened or resolved the incident, rather than one before it in the same batch
    if (writes.span === null || opens || resolves) writes.span = activeSpan() ?? writes.span
    const isOfRegions = coverage !== null && this.#followsRegions(state, coverage, isSwept)
    emitVerdict(writes, check, assigned, state, effects, isOfRegions)
    if (state.asked === null && state.verdict !== null && !isDirect(state)) this.#noteRegions(check, assigned, state)
    if (verdict) activeSpan()?.set({ 'vedette.verdict': verdict.to })
    if (verdict) this.#options.metrics?.verdictChanges.inc({ verdict: verdict.to })
    if (failing) this.#countDisputed(state)
    if (verdict || failing || coverage) {
      writes.check = checkRow(check, state)
      this.#updateMonitor(assigned.monitor)
    }
    this.#queue.write()
  }

  /** Whether a check lost its coverage, or has it again, together with all checks of its regions. */
  #followsRegions(state: EngineCheck, coverage: NonNullable<Effects['coverage']>, isSwept: boolean): boolean {
    const { asked } = state
    const openedAt = asked ? this.#regionGaps.openedAt(asked) : undefined
    if (coverage.to !== 'none') {
      const was = state.isInRegionGap
      state.isInRegionGap = false
      return was && isSwept && openedAt === undefined
    }
    state.isInRegionGap =
      isSwept &&
      asked !== null &&
      state.verdict !== null &&
      openedAt === coverage.at &&
      asked.since <= coverage.at &&
      awaySince(asked.regions, this.#eligibilities) !== null
    return state.isInRegionGap
  }

  #countDisputed(state: EngineCheck): void {
    const isDisputed = !state.isResting && state.failing.length > 0 && state.failing.length < state.regions.length
    if (isDisputed === state.isDisputed) return
    state.isDisputed = isDisputed
    this.#disputed += isDisputed ? 1 : -1
    this.#options.metrics?.disputedChecks.set(this.#disputed)
    // many at once: examined soon
    if (this.#disputed >= leastDisputed)
      this.#nextUnreliable = Math.min(this.#nextUnreliable, this.#options.clock.nowMs() + tickMs)
  }

  #updateMonitor(monitor: string): void {
    const checks = this.#options.checksOf(monitor).flatMap(check => {
      const state = this.#checks.get(check)
      return state ? { state, severity: this.#options.find(check)?.rules.severity ?? null } : []
    })
    if (checks.length === 0) return
    const monitorState = monitorStateOf(checks)
    const before = this.#monitors.get(monitor)
    if (
      before &&
      before.status === monitorState.status &&
      before.coverage === monitorState.coverage &&
      before.reason === monitorState.reason
    )
      return
    this.#monitors.set(monitor, monitorState)
    const newest = (moment: (state: CheckState) => number) =>
      checks.reduce((latest, { state }) => Math.max(latest, moment(state)), 0)
    const now = this.#options.clock.nowMs()
    const batch = this.#queue.forMonitor(monitor)
    batch.rests.delete(monitor)
    batch.monitors.set(monitor, {
      id: monitor,
      status: monitorState.status,
      status_reason: monitorState.reason,
      coverage: monitorState.coverage,
      at: newest(({ verdictSince }) => verdictSince) || now,
      coverage_at: newest(({ coverageSince }) => coverageSince) || now,
    })
    this.#queue.write()
  }

  /** Checks that no longer run have no verdict for that time. */
  async #rest(gone: readonly string[]): Promise<void> {
    for (let index = 0; index < gone.length; index++) {
      if (index > 0 && index % sliceChecks === 0) await breathe()
      const check = gone[index]!
      const state = this.#checks.get(check)
      if (!state) continue
      state.isResting = true
      state.isInRegionGap = false
      this.#countDisputed(state)
      this.#withheld.delete(check)
      const now = this.#options.clock.nowMs()
      const writes = this.#queue.of(check, state.incident === 'open')
      writes.changes.push({ check_id: check, at: now, verdict: 'paused' })
      if (state.incident === 'open') writes.stoppedAt = now
      this.#monitors.delete(state.monitor)
      if (this.#options.checksOf(state.monitor).length > 0) this.#updateMonitor(state.monitor)
      else {
        const batch = this.#queue.forMonitor(state.monitor)
        batch.monitors.delete(state.monitor)
        batch.rests.add(state.monitor)
      }
    }
    this.#queue.write()
  }

  /** Of the checks that no longer run some may come back; deleted ones will not. */
  async #forgetDeleted(gone: readonly string[]): Promise<void> {
    for (let index = 0; index < gone.length; index += forgetPage) {
      const page = gone.slice(index, index + forgetPage)
      const rows = await queries(this.#options.pool)
        .selectFrom('checks')
        .where('id', '=', among(page))
        .select('id')
        .execute()
      const stored = new Set(rows.map(({ id }) => id))
      for (const check of page) {
        const state = this.#checks.get(check)
        if (!state?.isResting || stored.has(check)) continue
        this.#checks.delete(check)
        this.#parentRequestedAt.delete(check)
        this.#monitors.delete(state.monitor)
      }
    }
  }

  /** What is watched again has no verdict until it is judged, and runs at once, however long its interval is. */
  async #wake(checks: readonly string[]): Promise<void> {
    await this.#learnEnds(checks)
    let woken = 0
    await this.#each(checks, (check, assigned) => {
      const state = this.#checks.get(check)
      if (!state) return
      const afterMs = wakeApartMs * woken++
      for (const region of assigned.rules.regions) this.#options.requestRun(region, check, afterMs)
      const now = this.#options.clock.nowMs()
      state.isResting = false
      state.wake(now)
      state.isInRegionGap = false
      state.warnings = null
      this.#countDisputed(state)
      reconsider(state, assigned.rules, this.#world(check, assigned, state))
      const writes = this.#queue.of(check)
      writes.check = checkRow(check, state)
      writes.changes.push({ check_id: check, at: now, verdict: state.verdict ?? 'none' })
      this.#monitors.delete(state.monitor)
      this.#updateMonitor(state.monitor)
    })
    this.#queue.write()
  }

  /** Where an incident has ended with the checking, what fails then is a new one. */
  async #learnEnds(checks: readonly string[]): Promise<void> {
    const known = checks.filter(check => this.#checks.get(check)?.incident === 'open')
    for (let index = 0; index < known.length; index += forgetPage) {
      const page = known.slice(index, index + forgetPage)
      const open = await this.#openOf(page)
      for (const check of page) {
        const state = this.#checks.get(check)
        if (state && !open.has(check)) state.incident = 'none'
      }
    }
  }

  /** Which of these checks have an open incident. Asked until PostgreSQL answers: otherwise no check would be woken. */
  async #openOf(checks: readonly string[]): Promise<ReadonlySet<string | null>> {
    for (;;) {
      await this.#queue.written()
      try {
        const rows = await queries(this.#options.pool)
          .selectFrom('incidents')
          .where('check_id', '=', among(checks))
          .where('resolved_at', 'is', null)
          .select('check_id')
          .execute()
        return new Set(rows.map(({ check_id }) => check_id))
      } catch (error) {
        if (this.#queue.isStopped) throw error
        this.#options.log.warn({ err: error, checks: checks.length }, 'open incidents read retry')
        await pause(retryMs)
      }
    }
  }

  async #each(checks: readonly string[], visit: (check: string, assigned: Assigned) => void): Promise<void> {
    for (let index = 0; index < checks.length; index += sliceChecks) {
      if (index > 0) await breathe()
      const visitOne = (check: string) => {
        const assigned = this.#bad.has(check) ? undefined : this.#options.find(check)
        if (assigned) visit(assigned.check, assigned)
      }
      await eachIsolated(checks.slice(index, index + sliceChecks), visitOne, (check, error) =>
        this.#leave(check, this.#options.find(check)?.tenant ?? null, error),
      )
    }
  }

  // parents

  #parents(check: string, assigned: Assigned, state: EngineCheck, now: number): Parents {
    const waiting = this.#withheld.get(check)
    const hasWaited = waiting !== undefined && now - Math.max(waiting.since, waiting.freedAt ?? 0) > parentsWithinMs
    const beganAt = firstFailure(state)
    let isSettling = false
    for (const { state: parent, isDown, isSettling: isParentSettling } of this.#parentChecks(assigned, now)) {
      if (isDown) {
        if (waiting) {
          waiting.parentWasDown = true
          waiting.freedAt = null
        }
        return 'down'
      }
      isSettling ||= isParentSettling || (isAwaited(parent, now) && newestCountedAt(parent) < beganAt)
    }
    if (waiting?.parentWasDown) {
      // the parent is up again: the child gets the time to recover too
      if (waiting.freedAt === null) {
        waiting.freedAt = now
        for (const { region } of state.regions)
          if (this.#eligibilities.get(region)?.why === null) this.#options.requestRun(region, check, 0)
      }
      const freedAt = waiting.freedAt
      isSettling ||= state.regions.some(
        region =>
          region.vote === 'down' &&
          this.#eligibilities.get(region.region)?.why === null &&
          (region.countedAt < freedAt || !region.isSettled),
      )
    }
    return isSettling && !hasWaited ? 'settling' : 'clear'
  }

  /**
   * The checks that can take a parent down; and the check that connects to the host of the check's own monitor, where
   * the others cannot find more than that it cannot connect.
   */
  *#parentChecks(assigned: Assigned, now: number): Generator<ParentCheck> {
    for (const monitor of assigned.dependsOn)
      for (const check of this.#options.checksOf(monitor)) {
        const state = this.#checks.get(check)
        const severity = this.#options.find(check)?.rules.severity
        if (state && !state.isResting && takesDown(severity ?? null))
          yield { check, state, isDown: state.verdict === 'down', isSettling: state.isSettling(now) }
      }
    const own = this.#connectingCheck(assigned)
    const state = own && this.#checks.get(own.check)
    if (state && !state.isResting)
      yield {
        check: own.check,
        state,
        isDown: explains(state, assigned.kind),
        isSettling: beginsToExplain(state, assigned.kind, now),
      }
  }

  #connectingCheck(assigned: Assigned): Assigned | null {
    const checks = this.#options.checksOf(assigned.monitor)
    return checks.length < 2
      ? null
      : connectingCheckOf(
          assigned,
          checks.map(check => this.#options.find(check)),
        )
  }

  #hasParents(assigned: Assigned): boolean {
    return assigned.dependsOn.length > 0 || this.#connectingCheck(assigned) !== null
  }

  /** A child begins to fail: runs of its parents are requested, so that it need not wait for their schedule. */
  #requestParentRuns(assigned: Assigned): void {
    const now = this.#options.clock.nowMs()
    for (const { check, state, isDown } of this.#parentChecks(assigned, now)) {
      if (isDown || now - (this.#parentRequestedAt.get(check) ?? 0) < requestParentEveryMs) continue
      this.#parentRequestedAt.set(check, now)
      for (const { region } of state.regions)
        if (this.#eligibilities.get(region)?.why === null) this.#options.requestRun(region, check, 0)
    }
  }

  // the passing of time

  async #tick(): Promise<void> {
    if (this.#isTicking || this.#queue.isStopped) return
    this.#isTicking = true
    try {
      const now = this.#options.clock.nowMs()
      if (this.#withheld.size > 0)
        await this.#exclusively(() =>
          this.#each([...this.#withheld.keys()], (check, assigned) => this.#revisit(check, assigned)),
        )
      if (now >= this.#sweepAt) await this.#sweep(now)
      if (now >= this.#nextUnreliable) {
        this.#nextUnreliable = now + unreliableEveryMs
        await this.#findUnreliable()
      }
      if (now >= this.#nextNote) {
        this.#nextNote = now + noteEveryMs
        await this.#exclusively(() => this.#noteStreaks())
      }
      if (now >= this.#nextForget) {
        this.#nextForget = now + forgetEveryMs
        await this.#forgetDeleted([...this.#checks].flatMap(([check, state]) => (state.isResting ? [check] : [])))
      }
      this.#queue.write()
      if (now >= this.#nextCount) {
        this.#nextCount = now + countEveryMs
        await this.#countOpen()
      }
    } catch (error) {
      this.#options.log.error({ err: error }, 'verdict engine tick failure')
    } finally {
      this.#isTicking = false
    }
  }

  /** Regions that became ineligible or eligible, and missing results: coverage and warnings follow. */
  async #sweep(now: number): Promise<void> {
    this.#sweepAt = now + sweepEveryMs
    this.#isSweepPostponed = false
    const { changed, silent } = await sweepSilent(this.#checks, {
      find: check => this.#options.find(check),
      world: () => ({ now: this.#options.clock.nowMs(), eligibilities: this.#eligibilities }),
      onBad: (check, error) => this.#leave(check, this.#options.find(check)?.tenant ?? null, error),
    })
    await this.#followRegions(changed)
    if (changed.length > 0)
      await this.#exclusively(() => this.#each(changed, (check, assigned) => this.#revisit(check, assigned, true)))
    this.#options.onSilent?.(silent)
  }

  /** Begins and ends the gaps of whole groups of checks, before these follow. */
  async #followRegions(changed: readonly string[]): Promise<void> {
    const groups = changed.flatMap(check => {
      const state = this.#checks.get(check)
      return state?.asked && state.coverage !== 'none' ? [state.asked] : []
    })
    try {
      await this.#regionGaps.follow(groups, this.#eligibilities, this.#options.clock.nowMs())
    } catch (error) {
      this.#options.log.warn({ err: error }, 'region gap write failure: written of each check')
    }
  }

  /** A check without a result has no coverage to lose. */
  #revisit(check: string, assigned: Assigned, isSwept = false): void {
    const state = this.#checks.get(check)
    if (!state || state.isResting || state.verdict === null) return
    this.#reconsider(check, assigned, state, isSwept)
    const { asked } = state
    if (!state.isInRegionGap || !asked || this.#regionGaps.openedAt(asked) !== undefined) return
    // its regions are back, and have no result of it
    state.isInRegionGap = false
    this.#queue.of(check).changes.push({ check_id: check, at: this.#options.clock.nowMs(), verdict: 'none' })
    this.#queue.write()
  }

  /**
   * A region that alone reports failures everywhere is itself at fault. Costs nothing while few checks are disputed.
   */
  async #findUnreliable(): Promise<void> {
    if (!this.#options.onUnreliable || (this.#disputed < leastDisputed && this.#unreliable.size === 0)) return
    const counts = new Map<string, RegionCount>()
    let index = 0
    const count = async ([id, check]: [string, EngineCheck]) => {
      if (++index % (8 * sliceChecks) === 0) await breathe()
      if (!check.isResting && this.#options.find(id))
        countDisagreement(counts, check, this.#eligibilities, this.#unreliable)
    }
    await eachIsolated(this.#checks, count, ([id], error) =>
      this.#leave(id, this.#options.find(id)?.tenant ?? null, error),
    )
    const found = unreliableRegions(counts, this.#unreliable, this.#eligibilities)
    if (found.size === this.#unreliable.size && [...found].every(region => this.#unreliable.has(region))) return
    for (const region of found)
      if (!this.#unreliable.has(region)) this.#options.log.error({ region, alarm: 'agent' }, 'region unreliable')
    for (const region of this.#unreliable)
      if (!found.has(region)) this.#options.log.info({ region }, 'region reliable again')
    this.#unreliable = found
    this.#options.onUnreliable(found)
  }

  /**
   * Further failures of a check that is down decide nothing and are not written one by one: their number is written
   * now and then.
   */
  async #noteStreaks(): Promise<void> {
    const failing = [...this.#checks].flatMap(([check, state]) =>
      state.failing.length > 0 && !state.isResting ? [check] : [],
    )
    await this.#each(failing, check => {
      for (const region of this.#checks.get(check)?.regions ?? [])
        if (region.outcome === 'down') this.#queue.of(check).votes.set(region.region, voteRow(check, region))
    })
    if (failing.length > 0) this.#queue.write()
  }

  async #countOpen(): Promise<void> {
    const gauge = this.#options.metrics?.openIncidents
    // one process counts for all
    if (!gauge || !this.#shards.isFirst) return
    const open = await queries(this.#options.pool)
      .selectFrom('incidents')
      .where('resolved_at', 'is', null)
      .select(total)
      .executeTakeFirstOrThrow()
    gauge.set(open.total)
  }

  /** A mutex: work on the states is done one after the other, though each pauses for the event loop. */
  #exclusively(work: () => Promise<void>): Promise<void> {
    const done = this.#mutex.then(work)
    this.#mutex = done.catch(() => undefined)
    return done
  }
}

/** How many regions covered a check; -1: not known, so that its first sweep weighs it. */
const coveringOf = (coverage: CheckState['coverage'], asked: number): number =>
  coverage === 'full' ? asked : coverage === 'none' ? 0 : -1

const isSameSet = (sorted: readonly string[], regions: readonly string[]) =>
  sorted.length === regions.length && regions.every(region => sorted.includes(region))

const isMonitorStatus = (status: string | null): status is 'up' | 'warning' | 'down' =>
  status === 'up' || status === 'warning' || status === 'down'

const firstFailure = (check: CheckState): number => {
  const since = check.regions.filter(region => region.outcome === 'down').map(region => region.since)
  return since.length > 0 ? Math.min(...since) : 0
}

/** No region can be asked for another run. */
const isDirect = (check: CheckState): boolean => check.regions[0]?.region === directRegion

/** Whether a result is to be waited for: none comes where no region could ever measure. */
const isAwaited = (check: CheckState, now: number): boolean =>
  !isDirect(check) &&
  (check.regions.some(({ outcome }) => outcome !== null) || now - newestCountedAt(check) <= parentsWithinMs)

const newestCountedAt = (check: CheckState): number =>
  check.regions.reduce((newest, region) => Math.max(newest, region.countedAt), 0)
