import { setImmediate as breathe, setTimeout as pause } from 'node:timers/promises'
import type { Pool } from 'pg'
import type { Logger } from 'pino'
import type { Observation, RunWatermark } from '#analytics/ingest/observation.ts'
import type { Clock } from '#control-plane/base/clock.ts'
import { eachIsolated } from '#control-plane/base/each-isolated.ts'
import type { Metrics } from '#control-plane/base/metrics.ts'
import { type BadRow, Quarantine } from '#control-plane/base/quarantine/quarantine.ts'
import { among, queries, total } from '#control-plane/db/queries.ts'
import type { Ineligibility } from '#control-plane/engine/agents/region.ts'
import type { Assigned } from '#control-plane/engine/assignments/assigned.ts'
import type { SuppressionRules } from '#control-plane/engine/suppression/rules.ts'
import { DetectionState } from './change-detection.ts'
import {
  type CheckState,
  type Effects,
  freshnessMs,
  observe,
  type Parents,
  reconsider,
  type Standing,
  type World,
} from './core.ts'
import { type Telling, tellChanges } from './emit-changes.ts'
import { emitVerdict } from './emit-verdict.ts'
import { emitWarning } from './emit-warning.ts'
import { EngineCheck } from './engine-check.ts'
import { checkRow, voteRow } from './group.ts'
import { FactsShape, readChecks, readFacts, readMonitors, readVotes, readWarnings, type StoredFacts } from './load.ts'
import { type MonitorState, monitorStateOf } from './monitor-status.ts'
import { directRegion } from './quorum.ts'
import { countSuspicion, leastDisputed, type RegionCount, suspects } from './suspects.ts'
import { sweepSilent } from './sweep.ts'
import { takeTerm } from './write-group.ts'
import { WriteQueue } from './write-queue.ts'

/** Checks dealt with before the event loop has its turn. */
const sliceChecks = 250
const tickMs = 250
/** Regions come and go together; coverage follows once they have. After a start they get longer: they are on their way back. */
const coverAfterMs = 5_000
const coverAfterStartMs = 20_000
/** How often results are looked for that did not come. */
const sweepEveryMs = 5_000
/** How long a child's incident waits for parents that are not sure yet. */
const parentsWithinMs = 20_000
const askParentEveryMs = 5_000
const suspectsEveryMs = 2_000
const countEveryMs = 15_000
/** Checks that were deleted while they were not run are looked for so often. */
const forgetEveryMs = 3_600_000
const forgetPage = 5_000
/** How old the number of failures in a row may be that people are shown. */
const noteEveryMs = 60_000

export interface VerdictEngineOptions {
  /** The platform's own connections. */
  pool: Pool
  clock: Pick<Clock, 'nowMs'>
  log: Pick<Logger, 'warn' | 'error' | 'info'>
  metrics?: Pick<Metrics, 'verdictChanges' | 'openIncidents' | 'verdictWritesRefused'>
  /** A check that is looked at now; undefined: paused or gone. */
  find(check: string): Assigned | undefined
  /** The checks of a monitor that are looked at now. */
  checksOf(monitor: string): readonly string[]
  /** Has a region look at a check out of turn. */
  askLook(region: string, check: string, afterMs: number): void
  /** Told when the set of regions changed that see failures nobody else sees. */
  onSuspects?(regions: ReadonlySet<string>): void
  /** Told every few seconds: by region that may vote, checks of which it has no result of the present. */
  onSilent?(silent: ReadonlyMap<string, number>): void
  /** When single alerts are held. */
  noise?: SuppressionRules
}

/** What reaches us by itself has its say whatever becomes of the regions. */
const alwaysHeard: Standing = { why: null, since: 0 }

/** Why an incident waits: since when, whether a parent was down, and when the parents were first well again. */
interface Withheld {
  since: number
  parentWasDown: boolean
  freedAt: number | null
}

/**
 * The engine around the pure core. It holds every check's state in memory, takes in looks in the order they come, and writes
 * what they change in groups: one transaction at a time, while the next group gathers. A look that changes nothing costs no
 * statement. Nothing is dropped while PostgreSQL is away: groups wait, and with them whoever asked for the decision.
 */
export class VerdictEngine {
  readonly #options: VerdictEngineOptions
  readonly #writing: WriteQueue
  readonly #telling: Telling
  readonly #checks = new Map<string, EngineCheck>()
  readonly #monitors = new Map<string, MonitorState>()
  readonly #withheld = new Map<string, Withheld>()
  readonly #parentAsked = new Map<string, number>()
  readonly #quarantine: Quarantine
  /** Checks on which deciding failed, which are left alone until they are tried again. */
  readonly #bad = new Set<string>()
  /** Checks that were bad: the next result that is decided on says that they are no more. */
  readonly #triedAgain = new Set<string>()
  #standings = new Map<string, Standing>([[directRegion, alwaysHeard]])
  #suspects: ReadonlySet<string> = new Set()
  #turn: Promise<unknown> = Promise.resolve()
  #term = ''
  #disputed = 0
  #sweepAt = 0
  /** The next sweep waits for regions that come or go together. */
  #isSweepHeldOff = false
  #nextSuspects = 0
  #nextCount = 0
  #nextNote = 0
  #nextForget = 0
  #timer: NodeJS.Timeout | undefined
  #isTicking = false

  constructor(options: VerdictEngineOptions) {
    this.#options = options
    const { pool, log, noise, metrics } = options
    this.#quarantine = new Quarantine({ platform: pool, log })
    this.#writing = new WriteQueue({
      pool,
      log,
      noise,
      metrics,
      term: () => this.#term,
      tenantOf: id => (options.find(id) ?? options.find(options.checksOf(id)[0] ?? ''))?.tenant ?? null,
      onGivenUp: () => clearInterval(this.#timer),
    })
    this.#telling = {
      writing: this.#writing,
      log,
      askLook: (region, check, afterMs) => options.askLook(region, check, afterMs),
    }
  }

  /** Begins a term, which ends that of any other process, and reads back what was decided before. `watermarks`: what is stored of looks, all of it decided once already. */
  async load(watermarks: Iterable<RunWatermark> | AsyncIterable<RunWatermark> = []): Promise<void> {
    const { pool, clock } = this.#options
    this.#term = await takeTerm(pool)
    const now = clock.nowMs()
    const { rested, woken } = await this.#restore(null)
    for await (const { check, region, due, attempt } of watermarks) {
      const state = this.#checks.get(check)?.region(region)
      state?.pass(due, attempt)
      if (state?.vote) state.heard = Math.max(state.heard, Math.min(due, now))
    }
    for await (const { id, status, status_reason, coverage } of readMonitors(pool))
      this.#monitors.set(id, { status: isMonitorStatus(status) ? status : null, reason: status_reason, coverage })

    for (const check of this.#checks.values())
      for (const { region } of check.regions)
        if (!this.#standings.has(region)) this.#standings.set(region, { why: 'never_seen', since: now })
    this.#holdOffSweep(now + coverAfterStartMs)
    this.#nextForget = now + forgetEveryMs
    await this.#inTurn(async () => {
      await this.#rest(rested)
      await this.#wake(woken)
    })
  }

  /** Reads back how checks stood when they were last written; null: all of them. */
  async #restore(only: readonly string[] | null): Promise<{ rested: string[]; woken: string[] }> {
    const { pool, clock } = this.#options
    const now = clock.nowMs()
    const [rested, woken]: [string[], string[]] = [[], []]
    for await (const row of readChecks(pool, only)) {
      const assigned = this.#options.find(row.id)
      const check = new EngineCheck(assigned?.rules.regions ?? [], now, row.monitor_id, !assigned)
      check.verdict = row.verdict
      check.verdictSince = row.verdict_since
      check.recoveredAt = row.recovered_at
      check.coverage = row.coverage
      check.failing = row.failing_regions
      check.reason = row.verdict_reason
      if (row.is_open) check.incident = 'open'
      else if (row.verdict === 'down' && !row.is_told && assigned?.rules.severity && assigned.dependsOn.length > 0)
        check.incident = 'withheld'
      this.#checks.set(row.id, check)
      this.#countDisputed(check)
      if (check.incident === 'withheld') this.#withheld.set(row.id, { since: now, parentWasDown: true, freedAt: null })
      if (!assigned && row.verdict !== null && row.last_change !== 'paused') rested.push(row.id)
      if (assigned && row.last_change === 'paused') woken.push(row.id)
    }
    for await (const row of readVotes(pool, only)) {
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
    for await (const { check_id, event, depth } of readWarnings(pool, only)) {
      const check = this.#checks.get(check_id)
      if (check) check.warned = { event, depth }
    }
    await this.#restoreFacts(only)
    return { rested, woken }
  }

  /** What cannot be read of a target is not known: change detection begins anew. */
  async #restoreFacts(only: readonly string[] | null): Promise<void> {
    const { pool, clock } = this.#options
    const now = clock.nowMs()
    const known: string[] = []
    const restore = ({ check_id, target, ...stored }: StoredFacts) => {
      const { regions, recent } = FactsShape.parse(stored)
      known.push(check_id)
      const check = this.#checks.get(check_id)
      if (!check) return
      check.followed = new DetectionState(target, 0)
      check.followed.told = recent
      for (const [region, facts] of Object.entries(regions)) check.followed.confirm(region, facts, now)
    }
    const bad: BadRow[] = []
    await eachIsolated(readFacts(pool, only), restore, ({ check_id }, error) => {
      bad.push({ key: check_id, tenant: this.#options.find(check_id)?.tenant ?? null, error })
    })
    if (only) await this.#quarantine.release('check_facts', known)
    else await this.#quarantine.replace('check_facts', [])
    await this.#quarantine.add('check_facts', bad)
  }

  /** From now on time passes: withheld incidents, coverage and suspects are seen to. */
  start(): void {
    this.#timer = setInterval(() => void this.#tick(), tickMs)
    this.#timer.unref()
  }

  /** Writes what is waiting, unless the database stays away. */
  async stop(graceMs = 5_000): Promise<void> {
    clearInterval(this.#timer)
    await Promise.race([
      this.#turn.then(() => this.#writing.written()),
      pause(graceMs, undefined, { ref: false }),
    ]).catch(() => undefined)
    this.#writing.giveUp(new Error('The service is stopping.'))
  }

  /** Takes in looks, in this order; resolves when what they changed, and everything before, is committed. */
  async decide(observations: readonly Observation[]): Promise<void> {
    if (this.#writing.isStopped) throw new Error('The service is stopping.')
    await this.#inTurn(async () => {
      for (let index = 0; index < observations.length; index += sliceChecks) {
        if (index > 0) await breathe()
        const slice = observations.slice(index, index + sliceChecks)
        await eachIsolated(
          slice,
          observation => this.#decideOne(observation),
          ({ check, tenant }, error) => this.#leave(check, tenant, error),
        )
      }
    })
    await this.#writing.written()
  }

  /** Checks that were put off are read again as they are stored, and decided on from their next result. */
  async retry(checks: readonly string[]): Promise<void> {
    const bad = checks.filter(check => this.#bad.has(check))
    await this.#inTurn(async () => void (await this.#restore(bad)))
    for (const check of checks) {
      this.#bad.delete(check)
      if (this.#options.find(check)) this.#triedAgain.add(check)
    }
    await this.#quarantine.release(
      'verdict',
      checks.filter(check => !this.#triedAgain.has(check)),
    )
  }

  async retryFacts(checks: readonly string[]): Promise<void> {
    await this.#inTurn(() => this.#restoreFacts(checks))
  }

  retryWrites(kind: 'verdict_write' | 'monitor_status', ids: readonly string[]): Promise<void> {
    return this.#writing.retry(kind, ids)
  }

  /** Checks that were deleted while they were not run are looked for soon: the work list does not tell of them. */
  forgetGone(): void {
    this.#nextForget = 0
  }

  /** A check on which deciding fails is left as it is stored, and the others go on. */
  #leave(check: string, tenant: string | null, error: unknown): void {
    const held = this.#checks.get(check)
    if (held?.isDisputed) this.#disputed--
    this.#checks.delete(check)
    this.#withheld.delete(check)
    this.#parentAsked.delete(check)
    this.#triedAgain.delete(check)
    this.#bad.add(check)
    void this.#quarantine.add('verdict', [{ key: check, tenant, error }])
  }

  /** The work list changed: checks that are new or have other rules, and checks that are paused or gone. */
  async checksChanged(changed: readonly Assigned[], gone: readonly string[]): Promise<void> {
    await this.#inTurn(async () => {
      await this.#rest(gone)
      await this.#wake(changed.filter(({ check }) => this.#checks.get(check)?.isResting).map(({ check }) => check))
      await this.#each(
        changed.map(({ check }) => check),
        (check, assigned) => {
          const held = this.#checks.get(check)
          if (held) {
            held.expect(this.#options.clock.nowMs())
            this.#reconsider(check, assigned, held)
            this.#standMonitor(assigned.monitor)
          } else
            this.#checks.set(
              check,
              new EngineCheck(assigned.rules.regions, this.#options.clock.nowMs(), assigned.monitor, false),
            )
        },
      )
    })
    await this.#writing.written()
    // what cannot be told apart now is with the next look for what is gone
    await this.#forgetDeleted(gone).catch(error => this.#options.log.warn({ err: error }, 'deleted checks unknown'))
  }

  /** Some region gained or lost its say. Votes count anew with the next look; coverage and warnings follow in some seconds. */
  eligibilityChanged(regions: ReadonlyMap<string, Ineligibility | null>): void {
    const now = this.#options.clock.nowMs()
    const standings = new Map<string, Standing>()
    for (const [region, why] of regions) {
      const before = this.#standings.get(region)
      const isSame = before && (before.why === null) === (why === null)
      standings.set(region, { why, since: isSame ? before.since : now })
    }
    for (const [region, before] of this.#standings)
      if (!standings.has(region))
        standings.set(region, before.why === null ? { why: 'never_seen', since: now } : before)
    standings.set(directRegion, alwaysHeard)
    this.#standings = standings
    this.#holdOffSweep(now + coverAfterMs)
  }

  #holdOffSweep(until: number): void {
    if (this.#isSweepHeldOff) return
    this.#isSweepHeldOff = true
    this.#sweepAt = until
  }

  /** How the engine holds a check now; for tests and for diagnosis. */
  stateOf(check: string): CheckState | undefined {
    return this.#checks.get(check)
  }

  get size(): number {
    return this.#checks.size
  }

  /** Checks whose changes are not yet written. */
  get waiting(): number {
    return this.#writing.size
  }

  #decideOne(observation: Observation): void {
    const assigned = this.#options.find(observation.check)
    if (!assigned || this.#bad.has(observation.check)) return
    let held = this.#checks.get(observation.check)
    if (!held) {
      held = new EngineCheck(assigned.rules.regions, this.#options.clock.nowMs(), assigned.monitor, false)
      this.#checks.set(observation.check, held)
    }
    // the work list may be ahead of what we were told of it
    if (held.asked !== assigned.rules.regions) this.#reconsider(observation.check, assigned, held)
    if (assigned.dependsOn.length > 0 && observation.judgement.status === 'down' && held.verdict !== 'down')
      this.#askParents(assigned)
    const world = this.#world(observation.check, assigned, held)
    const isNew = held.region(observation.region)?.isPast(observation.due, observation.attempt) === false
    this.#writing.beginLookOf(observation.check)
    this.#apply(observation.check, assigned, held, observe(held, assigned.rules, observation, world))
    if (isNew && !observation.suspect && world.now - observation.at <= freshnessMs(assigned.rules)) {
      emitWarning(this.#writing, observation, assigned.rules, held, world)
      tellChanges(this.#telling, observation, assigned, held, world)
    }
    if (this.#triedAgain.delete(observation.check)) void this.#quarantine.release('verdict', [observation.check])
  }

  #reconsider(check: string, assigned: Assigned, held: EngineCheck): void {
    held.asked = assigned.rules.regions
    this.#apply(check, assigned, held, reconsider(held, assigned.rules, this.#world(check, assigned, held)))
  }

  #world(check: string, assigned: Assigned, held: EngineCheck): World {
    const now = this.#options.clock.nowMs()
    return {
      now,
      standings: this.#standings,
      parents: assigned.dependsOn.length === 0 ? 'clear' : this.#parents(check, assigned, held, now),
    }
  }

  #apply(check: string, assigned: Assigned, held: EngineCheck, effects: Effects): void {
    for (const { region, afterMs } of effects.looks) this.#options.askLook(region, check, afterMs)
    const { store, dropped, verdict, failing, coverage, opens, resolves } = effects
    if (held.incident === 'withheld') {
      if (!this.#withheld.has(check))
        this.#withheld.set(check, { since: this.#options.clock.nowMs(), parentWasDown: false, freedAt: null })
    } else if (assigned.dependsOn.length > 0) this.#withheld.delete(check)
    if (store.length === 0 && dropped.length === 0 && !verdict && !failing && !coverage && !opens && !resolves) return

    const bundle = this.#writing.of(check, opens !== null || resolves !== null)
    emitVerdict(bundle, check, assigned, held, effects)
    if (verdict) this.#options.metrics?.verdictChanges.inc({ verdict: verdict.to })
    if (failing) this.#countDisputed(held)
    if (verdict || failing || coverage) {
      bundle.check = checkRow(check, held)
      this.#standMonitor(assigned.monitor)
    }
    this.#writing.write()
  }

  #countDisputed(held: EngineCheck): void {
    const isDisputed = !held.isResting && held.failing.length > 0 && held.failing.length < held.regions.length
    if (isDisputed === held.isDisputed) return
    held.isDisputed = isDisputed
    this.#disputed += isDisputed ? 1 : -1
    // many at once: found out soon
    if (this.#disputed >= leastDisputed)
      this.#nextSuspects = Math.min(this.#nextSuspects, this.#options.clock.nowMs() + tickMs)
  }

  #standMonitor(monitor: string): void {
    const checks = this.#options.checksOf(monitor).flatMap(check => {
      const state = this.#checks.get(check)
      return state ? { state, severity: this.#options.find(check)?.rules.severity ?? null } : []
    })
    if (checks.length === 0) return
    const standing = monitorStateOf(checks)
    const before = this.#monitors.get(monitor)
    if (
      before &&
      before.status === standing.status &&
      before.coverage === standing.coverage &&
      before.reason === standing.reason
    )
      return
    this.#monitors.set(monitor, standing)
    const newest = (moment: (state: CheckState) => number) =>
      checks.reduce((latest, { state }) => Math.max(latest, moment(state)), 0)
    const now = this.#options.clock.nowMs()
    const group = this.#writing.forMonitor(monitor)
    group.rests.delete(monitor)
    group.monitors.set(monitor, {
      id: monitor,
      status: standing.status,
      status_reason: standing.reason,
      coverage: standing.coverage,
      at: newest(({ verdictSince }) => verdictSince) || now,
      coverage_at: newest(({ coverageSince }) => coverageSince) || now,
    })
    this.#writing.write()
  }

  /** Checks that are no longer looked at: no verdict is owed for that time. */
  async #rest(gone: readonly string[]): Promise<void> {
    for (let index = 0; index < gone.length; index++) {
      if (index > 0 && index % sliceChecks === 0) await breathe()
      const check = gone[index]!
      const held = this.#checks.get(check)
      if (!held) continue
      held.isResting = true
      this.#countDisputed(held)
      this.#withheld.delete(check)
      this.#writing.of(check).changes.push({ check_id: check, at: this.#options.clock.nowMs(), verdict: 'paused' })
      this.#monitors.delete(held.monitor)
      if (this.#options.checksOf(held.monitor).length > 0) this.#standMonitor(held.monitor)
      else {
        const group = this.#writing.forMonitor(held.monitor)
        group.monitors.delete(held.monitor)
        group.rests.add(held.monitor)
      }
    }
    this.#writing.write()
  }

  /** Of those no longer looked at, some may come back; deleted ones will not. */
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
        const held = this.#checks.get(check)
        if (!held?.isResting || stored.has(check)) continue
        this.#checks.delete(check)
        this.#parentAsked.delete(check)
        this.#monitors.delete(held.monitor)
      }
    }
  }

  async #wake(checks: readonly string[]): Promise<void> {
    await this.#each(checks, (check, assigned) => {
      const held = this.#checks.get(check)
      if (!held) return
      const now = this.#options.clock.nowMs()
      held.isResting = false
      held.wake(now)
      held.said = null
      this.#countDisputed(held)
      reconsider(held, assigned.rules, this.#world(check, assigned, held))
      const bundle = this.#writing.of(check)
      bundle.check = checkRow(check, held)
      bundle.changes.push({ check_id: check, at: now, verdict: held.verdict ?? 'none' })
      this.#monitors.delete(held.monitor)
      this.#standMonitor(held.monitor)
    })
    this.#writing.write()
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

  #parents(check: string, assigned: Assigned, held: EngineCheck, now: number): Parents {
    const waiting = this.#withheld.get(check)
    const hasWaited = waiting !== undefined && now - Math.max(waiting.since, waiting.freedAt ?? 0) > parentsWithinMs
    const beganAt = firstFailure(held)
    let isSettling = false
    for (const parent of this.#parentChecks(assigned)) {
      if (parent.state.verdict === 'down') {
        if (waiting) {
          waiting.parentWasDown = true
          waiting.freedAt = null
        }
        return 'down'
      }
      isSettling ||= parent.state.isSettling(now) || (!isDirect(parent.state) && newestLook(parent.state) < beganAt)
    }
    if (waiting?.parentWasDown) {
      // the parent is well again: the child gets the time to say whether it is, too
      if (waiting.freedAt === null) {
        waiting.freedAt = now
        for (const { region } of held.regions)
          if (this.#standings.get(region)?.why === null) this.#options.askLook(region, check, 0)
      }
      const freedAt = waiting.freedAt
      isSettling ||= held.regions.some(
        region =>
          region.vote === 'down' &&
          this.#standings.get(region.region)?.why === null &&
          (region.heard < freedAt || !region.isSettled),
      )
    }
    return isSettling && !hasWaited ? 'settling' : 'clear'
  }

  /** The checks that can take a parent down. */
  *#parentChecks(assigned: Assigned): Generator<{ check: string; state: EngineCheck }> {
    for (const monitor of assigned.dependsOn)
      for (const check of this.#options.checksOf(monitor)) {
        const state = this.#checks.get(check)
        const severity = this.#options.find(check)?.rules.severity
        if (state && !state.isResting && (severity === 'critical' || severity === 'major')) yield { check, state }
      }
  }

  /** A child begins to fail: its parents are looked at now, so that it need not wait for their turn. */
  #askParents(assigned: Assigned): void {
    const now = this.#options.clock.nowMs()
    for (const { check, state } of this.#parentChecks(assigned)) {
      if (state.verdict === 'down' || now - (this.#parentAsked.get(check) ?? 0) < askParentEveryMs) continue
      this.#parentAsked.set(check, now)
      for (const { region } of state.regions)
        if (this.#standings.get(region)?.why === null) this.#options.askLook(region, check, 0)
    }
  }

  // the passing of time

  async #tick(): Promise<void> {
    if (this.#isTicking || this.#writing.isStopped) return
    this.#isTicking = true
    try {
      const now = this.#options.clock.nowMs()
      if (this.#withheld.size > 0)
        await this.#inTurn(() =>
          this.#each([...this.#withheld.keys()], (check, assigned) => this.#revisit(check, assigned)),
        )
      if (now >= this.#sweepAt) await this.#sweep(now)
      if (now >= this.#nextSuspects) {
        this.#nextSuspects = now + suspectsEveryMs
        await this.#lookForSuspects()
      }
      if (now >= this.#nextNote) {
        this.#nextNote = now + noteEveryMs
        await this.#inTurn(() => this.#noteStreaks())
      }
      if (now >= this.#nextForget) {
        this.#nextForget = now + forgetEveryMs
        await this.#forgetDeleted([...this.#checks].flatMap(([check, held]) => (held.isResting ? [check] : [])))
      }
      this.#writing.write()
      if (now >= this.#nextCount) {
        this.#nextCount = now + countEveryMs
        await this.#countOpen()
      }
    } catch (error) {
      this.#options.log.error({ err: error }, 'a round of the verdict engine failed')
    } finally {
      this.#isTicking = false
    }
  }

  /** Regions that may vote no more, or again, and results that did not come: coverage and warnings follow. */
  async #sweep(now: number): Promise<void> {
    this.#sweepAt = now + sweepEveryMs
    this.#isSweepHeldOff = false
    const { changed, silent } = await sweepSilent(this.#checks, {
      find: check => this.#options.find(check),
      world: () => ({ now: this.#options.clock.nowMs(), standings: this.#standings }),
      onBad: (check, error) => this.#leave(check, this.#options.find(check)?.tenant ?? null, error),
    })
    if (changed.length > 0)
      await this.#inTurn(() => this.#each(changed, (check, assigned) => this.#revisit(check, assigned)))
    this.#options.onSilent?.(silent)
  }

  /** A check nobody has looked at yet has no coverage to lose. */
  #revisit(check: string, assigned: Assigned): void {
    const held = this.#checks.get(check)
    if (held && !held.isResting && held.verdict !== null) this.#reconsider(check, assigned, held)
  }

  /** A region that alone sees failures everywhere is itself what is wrong. Costs nothing while few checks are disputed. */
  async #lookForSuspects(): Promise<void> {
    if (!this.#options.onSuspects || (this.#disputed < leastDisputed && this.#suspects.size === 0)) return
    const counts = new Map<string, RegionCount>()
    let index = 0
    const count = async ([id, check]: [string, EngineCheck]) => {
      if (++index % (8 * sliceChecks) === 0) await breathe()
      if (!check.isResting && this.#options.find(id)) countSuspicion(counts, check, this.#standings, this.#suspects)
    }
    await eachIsolated(this.#checks, count, ([id], error) =>
      this.#leave(id, this.#options.find(id)?.tenant ?? null, error),
    )
    const found = suspects(counts, this.#suspects, this.#standings)
    if (found.size === this.#suspects.size && [...found].every(region => this.#suspects.has(region))) return
    for (const region of found)
      if (!this.#suspects.has(region))
        this.#options.log.error(
          { region, alarm: 'agent' },
          'a region alone sees failures in many places: it does not vote',
        )
    for (const region of this.#suspects)
      if (!found.has(region)) this.#options.log.info({ region }, 'a suspect region agrees with the others again')
    this.#suspects = found
    this.#options.onSuspects(found)
  }

  /** Looks that go on failing decide nothing and are not written one by one; how many there were in a row is noted now and then. */
  async #noteStreaks(): Promise<void> {
    const failing = [...this.#checks].flatMap(([check, held]) =>
      held.failing.length > 0 && !held.isResting ? [check] : [],
    )
    await this.#each(failing, check => {
      for (const region of this.#checks.get(check)?.regions ?? [])
        if (region.outcome === 'down') this.#writing.of(check).votes.set(region.region, voteRow(check, region))
    })
    if (failing.length > 0) this.#writing.write()
  }

  async #countOpen(): Promise<void> {
    const gauge = this.#options.metrics?.openIncidents
    if (!gauge) return
    const open = await queries(this.#options.pool)
      .selectFrom('incidents')
      .where('resolved_at', 'is', null)
      .select(total)
      .executeTakeFirstOrThrow()
    gauge.set(open.total)
  }

  /** Work on the states goes in turn, though it pauses for the event loop. */
  #inTurn(work: () => Promise<void>): Promise<void> {
    const turn = this.#turn.then(work)
    this.#turn = turn.catch(() => undefined)
    return turn
  }
}

const isMonitorStatus = (status: string | null): status is 'up' | 'warning' | 'down' =>
  status === 'up' || status === 'warning' || status === 'down'

const firstFailure = (check: CheckState): number => {
  const since = check.regions.filter(region => region.outcome === 'down').map(region => region.since)
  return since.length > 0 ? Math.min(...since) : 0
}

/** Nobody can be asked to look again. */
const isDirect = (check: CheckState): boolean => check.regions[0]?.region === directRegion

const newestLook = (check: CheckState): number =>
  check.regions.reduce((newest, region) => Math.max(newest, region.heard), 0)
