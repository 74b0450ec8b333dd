import { limits } from '#contract/agent.ts'
import { type Judgement, noPhases } from '#contract/check.ts'
import {
  type CheckRules,
  CheckState,
  type Effects,
  type Eligibility,
  freshnessMs,
  observe,
  type RegionResult,
  type RegionState,
  reconsider,
} from '#control-plane/engine/verdicts/core.ts'
import { requiredToOpen } from '#control-plane/engine/verdicts/quorum.ts'
import {
  byStart,
  Chance,
  type MonitorWorld,
  makeWorld,
  merged,
  minute,
  type Outage,
  type RegionFault,
  type Span,
  second,
  type World,
} from './simulator-world.ts'

/**
 * Runs the verdict core through worlds drawn from seeds: regions cut off (both ways, one way), clocks wrong by up to a
 * day and stepping, agents overloaded, dead resolvers, zombies that send what they sent hours ago, duplicates, stops of
 * the control plane, lost packets, hiccups, a target that one region cannot reach, and real outages beside all that.
 *
 * It assumes that of the paths between regions and a target at most one is broken at a time (more than loss of a tenth
 * of the packets everywhere); any number of regions may be silent, overloaded, skewed or send results twice.
 */

/** A guard taken out, to show that the run notices. */
export const controls = ['no_quorum', 'no_eligibility', 'one_confirmation', 'no_replay_guard', 'no_moment'] as const
export type Control = (typeof controls)[number]

export interface Tally {
  seeds: number
  monitorHours: number
  runs: number
  faults: Record<string, number>
  outages: number
  /** Outages that lasted long enough while enough regions could find them. */
  detectable: number
  missed: number
  /** Incidents without an outage, and second incidents of one outage. */
  falseIncidents: number
  /** Incidents resolved without a current good result. */
  falseRecoveries: number
  /** Checks that are not up long after all faults ended. */
  stuck: number
  /** A change of eligibility alone that opened or resolved an incident. */
  movedBySilence: number
  /** From the moment an outage could be found to its incident, beyond the longest wait for the next run. */
  delaysMs: number[]
  /** The seed and monitor of each failure. */
  failures: string[]
}

const newTally = (): Tally => ({
  seeds: 0,
  monitorHours: 0,
  runs: 0,
  faults: {},
  outages: 0,
  detectable: 0,
  missed: 0,
  falseIncidents: 0,
  falseRecoveries: 0,
  stuck: 0,
  movedBySilence: 0,
  delaysMs: [],
  failures: [],
})

export interface Run {
  monitorHours: number
  firstSeed?: number
  control?: Control
  /** Monitors and hours of each seed's world. */
  monitors?: number
  hours?: number
  onSeed?(tally: Tally): void
}

/**
 * What `npm run faults` runs: 10,000 seeds of 1,000 monitor-hours each, some ten minutes of one core. `npm test` runs a
 * hundredth of it.
 */
export const goal: Run = { monitorHours: 10_000_000 }

/** Runs as many seeds as it takes. The same run gives the same tally. */
export function simulate({ monitorHours, firstSeed = 1, control, monitors = 10, hours = 100, onSeed }: Run): Tally {
  const tally = newTally()
  for (let seed = firstSeed; tally.monitorHours < monitorHours; seed++) {
    const world = makeWorld(seed, { monitors, hours })
    count(tally, world)
    world.monitors.forEach((monitor, index) => {
      new MonitorRun(
        world,
        monitor,
        new Chance(seed * 7_919 + index),
        control,
        tally,
        `seed ${seed}, monitor ${index}`,
      ).run()
    })
    tally.seeds++
    tally.monitorHours += monitors * hours
    onSeed?.(tally)
  }
  return tally
}

/** The tally as text. A zero comes with its bound. */
export function report(tally: Tally): string {
  const sorted = tally.delaysMs.toSorted((a, b) => a - b)
  const at = (share: number) =>
    ((sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? 0) / second).toFixed(1)
  const bound = (3 / tally.monitorHours).toExponential(1)
  return [
    `${tally.falseIncidents} false incidents in ${tally.monitorHours.toLocaleString('en')} monitor-hours (95 % bound ${bound} an hour), ${tally.seeds} seeds, ${tally.runs.toLocaleString('en')} runs`,
    `${tally.missed} of ${tally.detectable} outages missed (bound ${((3 / Math.max(1, tally.detectable)) * 100).toFixed(3)} %), ${tally.outages} in all`,
    `${tally.falseRecoveries} false recoveries, ${tally.stuck} stuck, ${tally.movedBySilence} moved by silence`,
    `outage to incident p50 ${at(0.5)} s, p99 ${at(0.99)} s, most ${at(1)} s`,
    `faults ${Object.entries(tally.faults)
      .map(([kind, n]) => `${kind} ${n}`)
      .join(', ')}`,
  ].join('\n')
}

function count(tally: Tally, world: World): void {
  const add = (kind: string, n = 1) => {
    tally.faults[kind] = (tally.faults[kind] ?? 0) + n
  }
  for (const { kind } of world.regionFaults) add(kind)
  add('own_stop', world.stops.length)
  for (const { targetFaults, hiccups } of world.monitors) {
    for (const { kind } of targetFaults) add(kind)
    add('hiccup', hiccups.length)
  }
}

const up: Judgement = { status: 'up' }
const refused: Judgement = { status: 'down', code: 'refused', reason: 'refused' }
const timedOut: Judgement = { status: 'down', code: 'timeout', reason: 'timed out' }
const unresolved: Judgement = { status: 'unknown', code: 'resolver_unavailable', reason: 'The resolver fails.' }
const blind: Judgement = { status: 'down', code: 'dns_failed', reason: 'no address' }
const evidence = { phases: noPhases, error: null, http_status: null, excerpt: null }

/** A result, with the outage in which its run was made (`truth`), or -1. */
interface Result extends RegionResult {
  truth: number
}

type Event = { at: number } & (
  | { kind: 'run'; region: number; attempt: number; due: number }
  | { kind: 'deliver'; region: number }
  | { kind: 'again'; results: Result[] }
  | { kind: 'zombie'; region: number }
)

/** How long a fault has effects after its end: the agent reconnects, sends what it kept, votes again. */
const aftermathMs = 45 * second
const beforeMs = 30 * second
const quietAfterMs = minute

class MonitorRun {
  readonly #world: World
  readonly #monitor: MonitorWorld
  readonly #chance: Chance
  readonly #control: Control | undefined
  readonly #tally: Tally
  readonly #name: string
  readonly #rules: CheckRules
  readonly #events: Event[] = []
  readonly #busyUntil: number[]
  /** Results that each region keeps, and when they are sent. */
  readonly #kept: { at: number; result: Result }[][]
  readonly #sentUntil: number[]
  /** Truth of the last result that counted, for each region. */
  readonly #truths: number[]
  readonly #recent: Result[] = []
  readonly #notified = new Map<number, number>()
  readonly #closing: Span[]
  readonly #faultsOf: RegionFault[][]
  readonly #eligibilities = new Map<string, Eligibility>()
  readonly #outages: Cursor<Outage>
  readonly #targetFaults: Cursor<MonitorWorld['targetFaults'][number]>
  readonly #hiccups: Cursor<Span>
  readonly #offset: number
  #eligibilityAt = 0
  #stopAt = 0
  #check: CheckState
  #openOutage = -1
  #now = 0

  constructor(
    world: World,
    monitor: MonitorWorld,
    chance: Chance,
    control: Control | undefined,
    tally: Tally,
    name: string,
  ) {
    this.#world = world
    this.#monitor = monitor
    this.#chance = chance
    this.#control = control
    this.#tally = tally
    this.#name = name
    this.#rules = {
      regions: world.regions,
      policy: control === 'no_quorum' ? { mode: 'any', count: null } : monitor.policy,
      confirmations: control === 'one_confirmation' ? 1 : 2,
      recoveryConfirmations: 2,
      severity: 'critical',
      intervalMs: monitor.intervalMs,
      timeoutMs: monitor.timeoutMs,
    }
    this.#check = new CheckState(world.regions, 0)
    this.#busyUntil = world.regions.map(() => 0)
    this.#kept = world.regions.map(() => [])
    this.#sentUntil = world.regions.map(() => 0)
    this.#truths = world.regions.map(() => -1)
    this.#faultsOf = world.regions.map((_, region) => world.regionFaults.filter(fault => fault.region === region))
    this.#outages = new Cursor(monitor.outages)
    this.#targetFaults = new Cursor(monitor.targetFaults)
    this.#hiccups = new Cursor(monitor.hiccups)
    this.#offset = Math.floor(chance.next() * monitor.intervalMs)
    this.#closing = merged(
      [...world.regionFaults, ...world.stops, ...monitor.outages, ...monitor.targetFaults, ...monitor.hiccups].map(
        ({ from, to }) => ({
          from: from - monitor.intervalMs - beforeMs,
          to: to + quietAfterMs + monitor.intervalMs,
        }),
      ),
    )
  }

  run(): void {
    const endsAt = this.#world.hours * 3_600_000
    for (let region = 0; region < this.#world.regions.length; region++) this.#plan(region, 0)
    // a zombie wakes at the end of its fault and sends again all it kept; here its generation is not checked
    for (const { kind, region, to } of this.#world.regionFaults)
      if (kind === 'zombie') this.#add({ at: to, kind, region })
    const busy = new Cursor(this.#closing)
    while (this.#events.length > 0) {
      const event = this.#take()
      if (event.at > endsAt) break
      this.#pass(event.at)
      if (event.kind === 'run') this.#run(event)
      else if (event.kind === 'deliver') this.#deliverNext(event.region)
      else
        for (const result of event.kind === 'again'
          ? event.results
          : this.#recent.filter(({ region }) => region === this.#world.regions[event.region]))
          this.#deliver(this.#world.regions.indexOf(result.region), result)
      if (event.kind === 'run' && this.#isQuiet() && !busy.at(event.at)) this.#skip(busy.next(event.at)?.from ?? endsAt)
    }
    this.#judge(endsAt)
  }

  // what the regions do

  /** The next scheduled run of a region after `after`. */
  #plan(region: number, after: number): void {
    const { intervalMs } = this.#monitor
    const phase = (this.#offset + Math.floor((region * intervalMs) / this.#world.regions.length)) % intervalMs
    const due = Math.floor((after - phase) / intervalMs + 1) * intervalMs + phase
    this.#add({ at: due, kind: 'run', region, attempt: 0, due })
  }

  #run(event: Event & { kind: 'run' }): void {
    const { region, attempt } = event
    const at = event.at
    if (at < this.#busyUntil[region]!) {
      this.#add({ ...event, at: this.#busyUntil[region]! + 1 })
      return
    }
    this.#tally.runs++
    const outage = this.#outages.at(at)
    const faults = this.#faultsOf[region]!
    const overloaded = active(faults, 'overloaded', at)
    const resolver = active(faults, 'resolver', at)
    const skewMs = active(faults, 'skew', at)?.skewMs ?? 0

    let judgement = up
    let took = this.#chance.between(20, 200)
    const target = this.#targetFaults.at(at)
    if (outage) judgement = outage.hangs ? timedOut : refused
    else if (this.#hiccups.at(at)) judgement = refused
    else if (target?.region === region && this.#chance.is(target.share))
      judgement = target.kind === 'lossy' ? timedOut : refused
    else if (this.#chance.is(this.#monitor.lossShare)) judgement = timedOut
    if (overloaded && this.#chance.is(0.6)) judgement = timedOut
    if (resolver && this.#chance.is(0.8)) judgement = unresolved
    if (judgement === timedOut) took = this.#monitor.timeoutMs
    this.#busyUntil[region] = at + took

    // the due time of a requested run is the agent's idea of now; scheduled ones lie on its idea of the grid
    const result: Result = {
      region: this.#world.regions[region]!,
      due: (attempt === 0 ? event.due : at) + skewMs,
      attempt,
      at: at + skewMs,
      judgement,
      isUnreliable: overloaded !== undefined,
      evidence,
      truth: outage ? this.#monitor.outages.indexOf(outage) : -1,
    }
    const sentAt = Math.max(
      this.#whenSent(region, at + took + this.#chance.between(10, 120)),
      this.#sentUntil[region]! + 1,
    )
    this.#sentUntil[region] = sentAt
    const kept = this.#kept[region]!
    kept.push({ at: sentAt, result })
    if (kept.length === 1) this.#add({ at: sentAt, kind: 'deliver', region })
    if (active(faults, 'duplicates', at))
      this.#add({ at: sentAt + this.#chance.spread(1, 10 * minute), kind: 'again', results: [result] })
    if (attempt === 0) this.#plan(region, at)
  }

  /** The first moment from `at` at which the region's results reach us: what was kept is sent in order. */
  #whenSent(region: number, at: number): number {
    let sentAt = at
    for (let isMoved = true; isMoved; ) {
      isMoved = false
      const stop = this.#world.stops.find(({ from, to }) => sentAt >= from && sentAt < to + second)
      const cut = active(this.#faultsOf[region]!, 'cut', sentAt) ?? active(this.#faultsOf[region]!, 'cut_out', sentAt)
      const until = Math.max(stop ? stop.to + second : 0, cut?.to ?? 0)
      if (until <= sentAt) continue
      sentAt = until + this.#chance.between(0.2 * second, 3 * second)
      isMoved = true
    }
    return sentAt
  }

  // what the control plane does

  #deliverNext(region: number): void {
    const kept = this.#kept[region]!
    const { result } = kept.shift()!
    if (kept[0]) this.#add({ at: kept[0].at, kind: 'deliver', region })
    this.#deliver(region, result)
    this.#recent.push(result)
    if (this.#recent.length > 60) this.#recent.splice(0, 20)
    // recent results may be delivered again
    if (this.#chance.is(0.01))
      this.#add({
        at: this.#now + this.#chance.spread(second, 20 * minute),
        kind: 'again',
        results: this.#recent.slice(-this.#chance.between(1, 40)),
      })
  }

  #deliver(region: number, result: Result): void {
    const now = this.#now
    if (result.at > now + limits.futureMs || result.at < now - limits.pastMs) return
    const state = this.#check.region(result.region)!
    if (this.#control === 'no_replay_guard') {
      // every result counts as if it were the next one: by its place in the order, by its moment, and against what was
      // known since
      state.due = -1
      state.countedAt = Math.min(state.countedAt, result.at - second)
      state.extendedAt = state.countedAt
      this.#check.recoveredAt = 0
    }
    // an old failure of a region is taken for a present one
    if (this.#control === 'no_moment')
      for (const other of this.#check.regions)
        if (other !== state && other.outcome === 'down') other.countedAt = Math.max(other.countedAt, result.at)
    const observed =
      this.#control === 'no_eligibility'
        ? { ...result, isUnreliable: false, judgement: result.judgement === unresolved ? blind : result.judgement }
        : result
    const wasPast = state.isPast(result.due, result.attempt)
    const effects = observe(this.#check, this.#rules, observed, this.#view())
    if (
      !wasPast &&
      !observed.isUnreliable &&
      observed.judgement.status !== 'unknown' &&
      now - result.at <= freshnessMs(this.#rules)
    )
      this.#truths[region] = result.truth
    this.#act(effects)
  }

  #act(effects: Effects): void {
    const now = this.#now
    for (const { region: name, afterMs } of effects.runRequests) {
      const region = this.#world.regions.indexOf(name)
      const isCut = active(this.#faultsOf[region]!, 'cut', now) ?? active(this.#faultsOf[region]!, 'cut_in', now)
      if (isCut) continue
      const at = now + afterMs + this.#chance.between(20, 100)
      this.#add({ at, kind: 'run', region, attempt: 1, due: at })
    }
    if (effects.opens) this.#opened(effects.opens.quorum.failed)
    if (effects.resolves) this.#resolved()
  }

  #opened(failed: readonly string[]): void {
    // an incident is true if a failure of its proof was found in an outage, and no incident was opened for that outage
    // before
    const outage = failed.map(name => this.#truths[this.#world.regions.indexOf(name)]!).find(truth => truth >= 0) ?? -1
    this.#openOutage = outage
    if (outage < 0 || this.#notified.has(outage))
      this.#fail(
        'falseIncidents',
        `false incident at ${this.#now}: ${failed.join()} ${outage < 0 ? 'without an outage' : 'again'}`,
      )
    else this.#notified.set(outage, this.#now)
  }

  #resolved(): void {
    const well = this.#check.regions.filter(
      (state, region) => state.vote !== 'down' && this.#truths[region] !== this.#openOutage,
    ).length
    if (well < Math.min(2, this.#world.regions.length)) this.#fail('falseRecoveries', `false recovery at ${this.#now}`)
  }

  /** Time goes on to `now`: eligibilities change, and the control plane may have been stopped and started in between. */
  #pass(now: number): void {
    const { eligibilities, stops, regions } = this.#world
    for (
      let change = eligibilities[this.#eligibilityAt];
      change && change.at <= now;
      change = eligibilities[++this.#eligibilityAt]
    ) {
      this.#now = change.at
      if (this.#control !== 'no_eligibility' || change.at === 0)
        this.#eligibilities.set(regions[change.region]!, { why: change.why, since: change.at })
      this.#restart(change.at)
      const effects = reconsider(this.#check, this.#rules, this.#view())
      if (effects.opens || effects.resolves) this.#fail('movedBySilence', `moved by eligibility at ${now}`)
      this.#act(effects)
    }
    this.#now = now
    if (stops.length > this.#stopAt) this.#restart(now)
  }

  /** The state is lost and read back: votes as they were last written, and the newest result of each region. */
  #restart(now: number): void {
    const stop = this.#world.stops[this.#stopAt]
    if (!stop || stop.to > now) return
    this.#stopAt++
    const fresh = new CheckState(this.#world.regions, stop.to)
    for (const [index, old] of this.#check.regions.entries()) readBack(fresh.regions[index]!, old)
    fresh.verdict = this.#check.verdict
    fresh.verdictSince = this.#check.verdictSince
    fresh.recoveredAt = this.#check.recoveredAt
    fresh.incident = this.#check.incident
    fresh.coverage = this.#check.coverage
    fresh.failing = this.#check.failing
    this.#check = fresh
  }

  #view() {
    return { now: this.#now, eligibilities: this.#eligibilities, parents: 'clear' as const }
  }

  #fail(kind: 'falseIncidents' | 'falseRecoveries' | 'movedBySilence' | 'stuck' | 'missed', what: string): void {
    this.#tally[kind]++
    if (this.#tally.failures.length < 20) this.#tally.failures.push(`${this.#name}: ${what}`)
  }

  // the judge

  #judge(endsAt: number): void {
    const required = requiredToOpen(this.#monitor.policy, this.#world.regions.length, this.#world.regions.length)
    this.#monitor.outages.forEach((outage, index) => {
      this.#tally.outages++
      const boundMs = this.#monitor.intervalMs + (outage.hangs ? 3 * this.#monitor.timeoutMs : 0) + 5 * second
      const seenFrom = this.#firstClear(outage, required, boundMs)
      if (seenFrom === null || outage.to > endsAt) return
      this.#tally.detectable++
      const notifiedAt = this.#notified.get(index)
      if (notifiedAt === undefined || notifiedAt > seenFrom + boundMs)
        this.#fail(
          'missed',
          `outage at ${outage.from} for ${outage.to - outage.from} ms ${notifiedAt ? `notified at ${notifiedAt}` : 'missed'}`,
        )
      if (notifiedAt !== undefined) this.#tally.delaysMs.push(notifiedAt - Math.min(seenFrom, notifiedAt))
    })
    const last = this.#closing.at(-1)
    if ((!last || last.to < endsAt) && !this.#isWell())
      this.#fail('stuck', `left ${this.#check.verdict} with ${this.#check.regions.map(({ vote }) => vote).join()}`)
  }

  /**
   * The first moment of an outage from which enough regions were undisturbed for as long as finding it may take.
   */
  #firstClear(outage: Outage, required: number, boundMs: number): number | null {
    const starts = [
      outage.from,
      ...[...this.#world.regionFaults, ...this.#world.stops]
        .map(({ to }) => to + this.#aftermath())
        .filter(at => at > outage.from && at < outage.to),
    ].sort((a, b) => a - b)
    for (const from of starts) {
      if (from + boundMs > outage.to) return null
      const isDisturbed = (span: Span) => span.from < from + boundMs && span.to + this.#aftermath() > from
      if (this.#world.stops.some(isDisturbed)) continue
      const able = this.#faultsOf.filter(
        faults => !faults.some(fault => blinding.has(fault.kind) && isDisturbed(fault)),
      ).length
      if (able >= required) return from
    }
    return null
  }

  /** A region whose clock was ahead sends no new result before the clock has come to where it was. */
  #aftermath(): number {
    return aftermathMs + limits.futureMs + this.#monitor.intervalMs
  }

  // time

  #isWell(): boolean {
    return (
      this.#check.verdict === 'up' &&
      this.#check.incident === 'none' &&
      this.#check.regions.every(({ vote, isSettled }) => vote === 'up' && isSettled)
    )
  }

  #isQuiet(): boolean {
    return this.#isWell() && this.#events.every(({ kind }) => kind !== 'again')
  }

  /** Nothing can happen before `until`: the results in between would all be up. */
  #skip(until: number): void {
    const { intervalMs } = this.#monitor
    if (until - this.#now < 4 * intervalMs) return
    for (const kept of this.#kept) kept.length = 0
    this.#events.splice(0, this.#events.length, ...this.#events.filter(({ kind }) => kind === 'zombie'))
    const before = until - intervalMs
    for (const [region, state] of this.#check.regions.entries()) {
      state.pass(before - intervalMs, 0)
      state.countedAt = Math.max(state.countedAt, before - intervalMs)
      this.#plan(region, before)
    }
  }

  #add(event: Event): void {
    this.#events.push(event)
  }

  #take(): Event {
    let first = 0
    for (let index = 1; index < this.#events.length; index++)
      if (this.#events[index]!.at < this.#events[first]!.at) first = index
    const event = this.#events[first]!
    const last = this.#events.pop()!
    if (first < this.#events.length) this.#events[first] = last
    return event
  }
}

/** Spans in order, for queries with times that mostly grow. */
class Cursor<Item extends Span> {
  readonly #spans: readonly Item[]
  #index = 0

  constructor(spans: readonly Item[]) {
    this.#spans = spans.toSorted(byStart)
  }

  at(time: number): Item | undefined {
    while (this.#index < this.#spans.length && this.#spans[this.#index]!.to <= time) this.#index++
    const span = this.#spans[this.#index]
    return span && span.from <= time ? span : undefined
  }

  next(time: number): Item | undefined {
    this.at(time)
    return this.#spans[this.#index]
  }
}

/** Faults that keep a region from running checks or from sending results; results sent twice remove nothing. */
const blinding = new Set<RegionFault['kind']>(['cut', 'cut_out', 'cut_in', 'skew', 'overloaded', 'resolver'])

const active = (faults: readonly RegionFault[], kind: RegionFault['kind'], at: number) => {
  for (const fault of faults) {
    if (fault.from > at) return undefined
    if (fault.kind === kind && at < fault.to) return fault
  }
  return undefined
}

function readBack(fresh: RegionState, old: RegionState): void {
  if (old.outcome === null) return
  fresh.restore({
    vote: old.vote,
    outcome: old.outcome,
    count: old.count,
    since: old.since,
    due: old.due,
    attempt: old.attempt,
    evidence: null,
  })
  fresh.countedAt = old.countedAt
  fresh.extendedAt = old.extendedAt
}
