import { limits } from '#contract/agent.ts'
import type { Judgement, Outcome, Phases, Severity } from '#contract/check.ts'
import { storable } from '#contract/text.ts'
import { stamp } from '#contract/time.ts'
import type { Ineligibility } from '#control-plane/engine/agents/region.ts'
import { failedPhase } from './failed-phase.ts'
import type { failedPhases, QuorumProof, RegionProof } from './proof.ts'
import { type Policy, requiredToClose, requiredToOpen } from './quorum.ts'

/*
 * The verdict core. Pure: the clock, the eligibility of the regions and the state of the parents are arguments,
 * nothing here waits, draws random numbers or does I/O. States are changed in place (180,000 of them live in memory),
 * so one caller owns them.
 *
 * A region's vote changes by streaks of results that agree; unreliable and unknown results are not counted, and results
 * less than `apartMs` after one that counted belong to it:
 *
 * | Vote    | Result   | Streak                                       | Vote afterwards              |
 * |---------|----------|----------------------------------------------|------------------------------|
 * | any     | down     | down `confirmations` times in a row          | down                         |
 * | none    | up       | first                                        | up                           |
 * | none    | warning  | first                                        | warning                      |
 * | up      | not up   | `confirmations` in a row, not all of it down | warning                      |
 * | warning | up       | up `recoveryConfirmations` times in a row    | up                           |
 * | down    | not down | `recoveryConfirmations` in a row             | up if all were, else warning |
 * | any     | any      | shorter                                      | unchanged                    |
 *
 * While a streak is too short, the region is asked for another run after a second. The first result of a streak also
 * requests runs from all other regions whose last result does not agree yet.
 *
 * Only a result of an eligible region moves the verdict. A region is sure when its vote and its last result agree;
 * regions that are not sure count for neither side:
 *
 * - not down (none, up or warning):
 *   - becomes down when the result is down, the region's vote is down, and `requiredToOpen` regions are surely down at
 *     one moment. An incident opens, or is withheld while a parent is down.
 *   - else becomes warning when some vote is down or warning, unless a quorum of down is just forming, or the vote is
 *     of a region that follows the others out of an outage (`isFollowing`).
 *   - else becomes up when every vote is up.
 * - down:
 *   - becomes up or warning when the result is not down, fewer votes than required are down, and `requiredToClose`
 *     regions are surely not down. The incident resolves.
 *   - else stays down, and so does the incident.
 *
 * Silence: a region without a vote (ineligible, or eligible and without results) counts for nothing. While its vote is
 * still expected (`freshnessMs` since its last counted result or change of eligibility) it belongs to the regions whose
 * majority is needed, so that a region falling silent neither opens nor closes an incident; later it is left out. A
 * region found unreliable is left out at once. A region covers a check while it is eligible and its newest result is
 * current (`silenceMs`): one whose runs are late or missing counts as silent for that check, though it reports.
 * Coverage is the share of the regions that cover the check. A result not newer by (due, attempt) than the last one is
 * a replay, and an old one is history: neither moves anything. Nor does a result from before the last recovery.
 */

export interface CheckRules {
  regions: readonly string[]
  policy: Policy
  /** Failures in a row before a region votes down. */
  confirmations: number
  /** Good results in a row before a region that voted down votes up. */
  recoveryConfirmations: number
  /** `null`: failures only ever warn, no incident opens. */
  severity: Severity | null
  intervalMs: number
  /** After which a run is given up; never longer than the interval. */
  timeoutMs: number
}

/** The part of a result that is kept for the proof. */
export interface Evidence {
  phases: Phases
  error: { code: string; message: string } | null
  http_status: number | null
  excerpt: string | null
  /** The address of the target that the probe connected to, where that is known. */
  address?: string | null
}

/**
 * One judged result of one region: the part of an observation that the core needs. Times are milliseconds of the
 * server's clock.
 */
export interface RegionResult {
  region: string
  due: number
  attempt: number
  at: number
  judgement: Judgement
  /** The agent failed its self-check: no vote. */
  isUnreliable: boolean
  evidence: Evidence
}

/** Whether a region may vote now (`why` is null), and since when that has been so. */
export interface Eligibility {
  why: Ineligibility | null
  since: number
}

/** `settling`: a parent may be about to go down, so a child waits. */
export type Parents = 'clear' | 'settling' | 'down'

/** The input of the core beside the results at this moment. */
export interface World {
  now: number
  eligibilities: ReadonlyMap<string, Eligibility>
  parents: Parents
}

export type Coverage = 'full' | 'partial' | 'none'

export interface RunRequest {
  region: string
  afterMs: number
}

export interface VerdictChange {
  from: Outcome | null
  to: Outcome
  at: number
}

/** The result of the first failing region, as the incident shows it. */
export interface IncidentEvidence {
  error_code: string | null
  http_status: number | null
  phase: (typeof failedPhases)[number] | null
  snippet: string | null
}

export interface Opening {
  startedAt: number
  confirmedAt: number
  quorum: QuorumProof
  cause: string
  evidence: IncidentEvidence
}

/** The consequences of a result or a reconsideration. Empty fields: nothing of that kind. */
export interface Effects {
  /** Region states that differ from what is stored. */
  store: RegionState[]
  /** Regions that are no longer asked: their votes can be forgotten. */
  dropped: string[]
  runRequests: RunRequest[]
  verdict: VerdictChange | null
  /** The regions that now fail, if that changed. */
  failing: readonly string[] | null
  coverage: { from: Coverage; to: Coverage; at: number } | null
  opens: Opening | null
  resolves: { at: number } | null
}

const nothing: Effects = Object.freeze({
  store: [],
  dropped: [],
  runRequests: [],
  verdict: null,
  failing: null,
  coverage: null,
  opens: null,
  resolves: null,
})

/** How soon a region confirms an unsettled result: longer than a brief disturbance lasts. */
export const confirmAfterMs = 1_000
/**
 * Results closer together than this count once: two regions may request the same run, and a brief disturbance must not
 * be counted twice.
 */
const apartMs = 900
/** Runs requested between two scheduled ones, at most: a target may change with every run. */
const maxRequests = 12
/** A region that began to fail this recently is about to be sure: a warning can wait for it. */
const settlingMs = 30_000

/** A region whose last result is up follows the others out of an outage for this long: its vote warns of nothing. */
const followingMs = settlingMs

const none: readonly string[] = Object.freeze([])

/** How old a result may be and still decide. */
export const freshnessMs = (rules: { intervalMs: number }) => Math.max(3 * rules.intervalMs, 300_000)

/**
 * How long a region's newest result of a check is current: two intervals and a run, at least as long as a lease.
 */
export const silenceMs = ({ intervalMs, timeoutMs }: Pick<CheckRules, 'intervalMs' | 'timeoutMs'>) =>
  Math.max(2 * intervalMs + timeoutMs, limits.leaseMs)

/**
 * The state of one check in one region. Phases are kept as whole microseconds, -1 for none: there are very many of
 * these.
 */
export class RegionState {
  readonly region: string
  vote: Outcome | null = null
  /** The last result that counted, how many like it came in a row, and the time of the first of them. */
  outcome: Outcome | null = null
  count = 0
  since = 0
  /** Results in a row that were not up, and that were not down. */
  bad = 0
  clear = 0
  /** The newest result, counted or not. */
  due = -1
  attempt = 0
  /** The time of the last result that counted, or when the region was first asked. */
  countedAt: number
  /** The time of the result that last extended the streak: only one well after it extends it again. */
  extendedAt: number
  /** When the newest result was made, counted or not, or since when one is expected. */
  resultAt: number
  requests = 0
  requestedAt = 0
  error: { code: string; message: string } | null = null
  httpStatus: number | null = null
  excerpt: string | null = null
  /** The address of the target that it connected to last. */
  address: string | null = null
  #dns = -1
  #connect = -1
  #tls = -1
  #firstByte = -1
  #total = -1

  constructor(region: string, requestedAt: number) {
    this.region = region
    this.countedAt = requestedAt
    this.extendedAt = requestedAt
    this.resultAt = requestedAt
  }

  get isSettled(): boolean {
    return this.outcome === this.vote
  }

  get phases(): Phases {
    return {
      dns: ms(this.#dns),
      connect: ms(this.#connect),
      tls: ms(this.#tls),
      first_byte: ms(this.#firstByte),
      total: ms(this.#total),
    }
  }

  set phases(phases: Phases) {
    this.#dns = micros(phases.dns)
    this.#connect = micros(phases.connect)
    this.#tls = micros(phases.tls)
    this.#firstByte = micros(phases.first_byte)
    this.#total = micros(phases.total)
  }

  /** Puts back what was stored. Mixed streaks count as long as the plain one: at worst one more run is made. */
  restore(stored: {
    vote: Outcome | null
    outcome: Outcome | null
    count: number
    since: number
    due: number
    attempt: number
    evidence: RegionProof | null
  }): void {
    this.vote = stored.vote
    this.outcome = stored.outcome
    this.count = stored.count
    this.since = stored.since
    this.bad = stored.outcome === 'up' ? 0 : stored.count
    this.clear = stored.outcome === 'down' ? 0 : stored.count
    this.pass(stored.due, stored.attempt)
    this.countedAt = stored.evidence ? Date.parse(stored.evidence.at) : Math.max(stored.since, stored.due)
    this.extendedAt = this.countedAt
    if (!stored.evidence) return
    this.phases = stored.evidence.phases
    this.error = stored.evidence.error
    this.httpStatus = stored.evidence.http_status
    this.excerpt = stored.evidence.excerpt
  }

  /** Forgets the vote. Earlier results remain replays. */
  forget(now: number): void {
    this.vote = null
    this.outcome = null
    this.count = 0
    this.bad = 0
    this.clear = 0
    this.since = 0
    this.requests = 0
    this.countedAt = now
    this.extendedAt = now
    this.resultAt = now
    this.error = null
    this.excerpt = null
  }

  /** Marks every run up to this one as decided on. */
  pass(due: number, attempt: number): void {
    if (!this.isPast(due, attempt)) {
      this.due = due
      this.attempt = attempt
    }
  }

  isPast(due: number, attempt: number): boolean {
    return due < this.due || (due === this.due && attempt <= this.attempt)
  }

  proof(): RegionProof {
    return {
      phases: this.phases,
      error: this.error,
      http_status: this.httpStatus,
      excerpt: this.excerpt,
      at: stamp(new Date(this.countedAt)),
    }
  }
}

const ms = (micros: number) => (micros < 0 ? null : micros / 1_000)
const micros = (ms: number | null) => (ms === null ? -1 : Math.min(Math.round(ms * 1_000), 0x7fff_ffff))

/** The state of one check. `incident` is withheld while a parent is down. */
export class CheckState {
  regions: RegionState[]
  verdict: Outcome | null = null
  verdictSince = 0
  coverage: Coverage = 'none'
  coverageSince = 0
  /** When it had coverage again the last time: history says from that moment on what the verdict was then. */
  uncoveredUntil = 0
  /** How many regions covered it when it was last weighed. */
  covering = 0
  /** As long as no region's eligibility and no rule changes, that number falls at this moment at the earliest. */
  coveredUntil = 0
  incident: 'none' | 'withheld' | 'open' = 'none'
  failing: readonly string[] = none
  /** When it last recovered: a late result from before then does not take it down again. */
  recoveredAt = 0
  /** Since when it is judged by its rules of now: results of runs before then are of others. */
  judgedFrom = 0
  /** What is wrong, as one sentence. */
  reason: string | null = null

  constructor(regions: readonly string[], now: number) {
    this.regions = regions.map(region => new RegionState(region, now))
  }

  region(name: string): RegionState | undefined {
    for (const region of this.regions) if (region.region === name) return region
    return undefined
  }

  /** Checked again after a pause: earlier results no longer count. An open incident stays until the check is up. */
  wake(now: number): void {
    for (const region of this.regions) region.forget(now)
    this.verdict = this.incident === 'open' ? 'down' : null
    this.verdictSince = now
    this.failing = none
    this.reason = null
    if (this.incident === 'withheld') this.incident = 'none'
    this.coveredUntil = 0
  }

  /** What it is judged by changed while it failed: what fails from now on is another fault. */
  judgeAnew(now: number): void {
    this.incident = 'none'
    this.wake(now)
    this.judgedFrom = now
  }

  /** Its schedule changed: earlier results do not show when the next ones are due. */
  expect(now: number): void {
    for (const region of this.regions) region.resultAt = Math.max(region.resultAt, now)
    this.coveredUntil = 0
  }

  /** Whether some region began to fail and is not sure yet. */
  isSettling(now: number): boolean {
    return this.verdict !== 'down' && this.regions.some(region => isBeginningToFail(region, now))
  }
}

/** Takes one result. Changes the state in place. */
export function observe(check: CheckState, rules: CheckRules, result: RegionResult, world: World): Effects {
  const region = check.region(result.region)
  if (!region || region.isPast(result.due, result.attempt)) return nothing
  if (world.now - result.at > freshnessMs(rules)) return nothing
  if (result.at < check.judgedFrom && rules.policy.mode !== 'direct') return nothing
  const wasCovering = covers(region, rules, world)
  region.due = result.due
  region.attempt = result.attempt
  region.resultAt = Math.max(region.resultAt, Math.min(result.at, world.now))
  if (result.attempt === 0) region.requests = 0

  const { status } = result.judgement
  if (result.isUnreliable || status === 'unknown') {
    const isSure = region.outcome === null || region.isSettled
    if (isSure && wasCovering) return nothing
    const effects = effectsOf()
    if (!isSure) request(region, confirmAfterMs, world.now, effects.runRequests)
    if (!wasCovering) weigh(check, rules, null, world, effects)
    return effects
  }

  const wasSettled = region.isSettled
  const voted = region.vote
  count(region, status, result, world.now)
  region.vote = voteAfter(region, rules)
  const isSteady = wasSettled && region.isSettled && region.vote === voted
  if (isSteady && wasCovering && status === 'up' && check.verdict === 'up') return nothing

  const effects = effectsOf()
  if (!isSteady) {
    effects.store.push(region)
    requestRuns(check, region, voted, world, effects.runRequests)
  }
  weigh(check, rules, region, world, effects)
  return effects
}

/**
 * Applies a change of the rules, of a region's eligibility or of the parents: to the regions asked, to coverage and
 * warnings, and to an incident withheld for a parent that has recovered. A change of eligibility neither opens nor
 * resolves anything.
 */
export function reconsider(check: CheckState, rules: CheckRules, world: World): Effects {
  const effects = effectsOf()
  for (const region of check.regions) if (!rules.regions.includes(region.region)) effects.dropped.push(region.region)
  if (effects.dropped.length > 0 || check.regions.length !== rules.regions.length)
    check.regions = rules.regions.map(name => check.region(name) ?? new RegionState(name, world.now))
  weigh(check, rules, null, world, effects)
  return effects
}

const effectsOf = (): Effects => ({
  store: [],
  dropped: [],
  runRequests: [],
  verdict: null,
  failing: null,
  coverage: null,
  opens: null,
  resolves: null,
})

function count(region: RegionState, outcome: Outcome, { at, judgement, evidence }: RegionResult, now: number): void {
  const madeAt = Math.min(at, now) // an agent's clock may be a little ahead of ours
  const one = madeAt - region.extendedAt >= apartMs ? 1 : 0
  if (one === 1 || region.outcome !== outcome) region.extendedAt = Math.max(region.extendedAt, madeAt)
  if (region.outcome === outcome) region.count += one
  else {
    region.outcome = outcome
    region.count = 1
    region.since = madeAt
  }
  region.bad = outcome === 'up' ? 0 : Math.max(1, region.bad + one)
  region.clear = outcome === 'down' ? 0 : Math.max(1, region.clear + one)
  region.countedAt = Math.max(region.countedAt, madeAt)
  region.phases = evidence.phases
  region.httpStatus = evidence.http_status
  if (evidence.address) region.address = evidence.address
  if (judgement.status === 'up') {
    region.error = null
    region.excerpt = null
  } else {
    region.error = { code: judgement.code, message: storable(judgement.reason, 500) }
    region.excerpt = evidence.excerpt === null ? null : storable(evidence.excerpt, limits.excerptChars)
  }
}

function voteAfter({ vote, outcome, count, bad, clear }: RegionState, rules: CheckRules): Outcome | null {
  if (outcome === 'down' && count >= rules.confirmations) return 'down'
  switch (vote) {
    case null:
      return outcome === 'down' ? null : outcome
    case 'up':
      return bad >= rules.confirmations ? 'warning' : 'up'
    case 'warning':
      return outcome === 'up' && count >= rules.recoveryConfirmations ? 'up' : 'warning'
    case 'down':
      if (clear < rules.recoveryConfirmations) return 'down'
      return outcome === 'up' && count >= rules.recoveryConfirmations ? 'up' : 'warning'
  }
}

/** The same region repeats an unsettled run; the others run at once when one of them begins to fail, or to recover. */
function requestRuns(
  check: CheckState,
  region: RegionState,
  voted: Outcome | null,
  world: World,
  runRequests: RunRequest[],
): void {
  // from the result that counted: one that timed out has waited already, and one that came in between delays nothing
  if (!region.isSettled)
    request(
      region,
      Math.min(Math.max(region.extendedAt + confirmAfterMs - world.now, 0), confirmAfterMs),
      world.now,
      runRequests,
    )
  const beginsToFail = region.outcome === 'down' && region.count === 1 && voted !== 'down'
  const beginsToRecover = region.clear === 1 && voted === 'down' && check.verdict === 'down'
  if (!(beginsToFail || beginsToRecover) || !votes(region, world)) return
  const { now } = world
  for (const other of check.regions) {
    if (other === region || now - other.requestedAt < confirmAfterMs || !votes(other, world)) continue
    const hasAgreed = beginsToFail
      ? other.outcome === 'down' && other.countedAt >= region.since - apartMs
      : other.outcome !== 'down'
    if (!hasAgreed) request(other, 0, now, runRequests)
  }
}

function request(region: RegionState, afterMs: number, now: number, runRequests: RunRequest[]): void {
  if (region.requests >= maxRequests) return
  region.requests++
  region.requestedAt = now + afterMs
  runRequests.push({ region: region.region, afterMs })
}

const votes = (region: RegionState, world: World) => world.eligibilities.get(region.region)?.why === null

const isBeginningToFail = (region: RegionState, now: number) =>
  region.outcome === 'down' && region.vote !== 'down' && now - region.countedAt < settlingMs

/**
 * Whether a region that still votes down has not contradicted the recovery of the check: it has had no result since, or
 * is well and needs more results like the last one.
 */
const isFollowing = (check: CheckState, { vote, outcome, countedAt }: RegionState, now: number): boolean =>
  vote === 'down' && (countedAt < check.recoveredAt || (outcome === 'up' && now - check.recoveredAt < followingMs))

/** When the region stops covering the check, unless another result comes; when it did, for an ineligible one. */
function coversUntil({ region, resultAt }: RegionState, rules: CheckRules, { eligibilities }: World): number {
  const eligibility = eligibilities.get(region)
  if (eligibility?.why !== null) return eligibility?.since ?? 0
  return Math.max(resultAt, eligibility.since) + silenceMs(rules)
}

/** Since when the region measures the check no more, once it is known not to cover it. */
function unmeasuredSince({ region, resultAt }: RegionState, { eligibilities }: World): number {
  const eligibility = eligibilities.get(region)
  return eligibility?.why === null ? Math.max(resultAt, eligibility.since) : (eligibility?.since ?? 0)
}

const covers = (region: RegionState, rules: CheckRules, world: World): boolean =>
  votes(region, world) && world.now <= coversUntil(region, rules, world)

/**
 * How many regions cover the check at this moment; records in the check until when that holds. `onSilent` is called for
 * each eligible region without a current result. Runs for very many checks, so each map is read once.
 */
export function countCovering(
  check: CheckState,
  rules: CheckRules,
  { now, eligibilities }: World,
  onSilent?: (region: string) => void,
): number {
  const silence = silenceMs(rules)
  let covering = 0
  let until = Infinity
  for (const { region, resultAt } of check.regions) {
    const eligibility = eligibilities.get(region)
    if (eligibility?.why !== null) continue
    const coversUntil = Math.max(resultAt, eligibility.since) + silence
    if (coversUntil >= now) covering++
    else onSilent?.(region)
    until = Math.min(until, coversUntil)
  }
  check.coveredUntil = until
  return covering
}

/**
 * Counts the votes and moves verdict, incident, coverage and the list of failing regions. `trigger`: the
 * region whose result is the reason.
 */
function weigh(
  check: CheckState,
  rules: CheckRules,
  trigger: RegionState | null,
  world: World,
  effects: Effects,
): void {
  const { now } = world
  const fresh = freshnessMs(rules)
  let covering = 0
  let expected = 0
  let down = 0
  let following = 0
  let warning = 0
  let up = 0
  const failing: RegionState[] = []
  let well = 0
  let beginning = 0
  for (const region of check.regions) {
    const eligibility = world.eligibilities.get(region.region)
    const isEligible = eligibility?.why === null
    const isCovering = covers(region, rules, world)
    if (isCovering) covering++
    const isLate = region.vote === 'down' && region.countedAt < check.recoveredAt
    if (isCovering && region.vote !== null && !isLate && now - region.countedAt <= fresh) {
      if (region.vote === 'down') {
        down++
        if (isFollowing(check, region, now)) following++
      } else if (region.vote === 'warning') warning++
      else up++
      // a region on the way from one vote to the other moves nothing
      if (region.vote === 'down' && region.outcome === 'down') failing.push(region)
      if (region.vote !== 'down' && region.outcome !== 'down') well++
      if (isBeginningToFail(region, now)) beginning++
    } else if (
      eligibility &&
      eligibility.why !== 'suspect' &&
      now - Math.max(region.countedAt, eligibility.since) <= fresh
    ) {
      expected++
      if (isEligible && isBeginningToFail(region, now)) beginning++
    }
  }
  cover(check, rules, covering, world, effects)

  const asked = check.regions.length
  const voting = down + warning + up + expected
  const required = requiredToOpen(rules.policy, voting, asked)
  const mayMove = trigger !== null && votes(trigger, world)
  // a result that changed nothing in its region did not begin anything either
  const changedAt = trigger !== null && effects.store.includes(trigger) ? countsSince(trigger, world) : now

  if (check.verdict === 'down') {
    const isOver =
      mayMove && trigger.outcome !== 'down' && down < required && well >= requiredToClose(rules.policy, voting, asked)
    if (isOver) leaveDown(check, rules, voting, world, effects)
  } else if (
    mayMove &&
    trigger.outcome === 'down' &&
    trigger.vote === 'down' &&
    trigger.countedAt >= check.recoveredAt &&
    mostAtOnce(failing, rules) >= required
  ) {
    goDown(check, rules, required, world, effects)
  } else if (down - following + warning > 0) {
    if (check.verdict === 'warning' || down + beginning < required || down === 0)
      changeVerdict(check, 'warning', changedAt, now, effects)
  } else if (up > 0) {
    changeVerdict(check, 'up', changedAt, now, effects)
  }

  if (check.verdict === 'down' && check.incident === 'withheld') release(check, rules, required, world, effects)
  nameFailing(check, rules, world, effects)
  if (effects.verdict || effects.failing) check.reason = reasonOf(check)
}

/**
 * How many of them failed at one moment: a failure that ended before another region began to fail is not the same
 * fault. With one confirmation a region has no streak to compare, so results within half a minute count as one moment.
 */
function mostAtOnce(failing: RegionState[], rules: CheckRules): number {
  const apart = rules.confirmations > 1 ? apartMs : settlingMs
  let most = 0
  for (const { since } of failing) {
    let together = 0
    for (const other of failing) if (other.since - apart <= since && since <= other.countedAt + apart) together++
    most = Math.max(most, together)
  }
  return most
}

/**
 * Coverage is lost with the last result before a region fell silent, or at the moment it became ineligible, and
 * regained when we notice. A check that is asked from other regions loses it at that moment, whenever they were lost.
 */
function cover(check: CheckState, rules: CheckRules, covering: number, world: World, effects: Effects): void {
  check.covering = covering
  const coverage = covering === 0 ? 'none' : covering < check.regions.length ? 'partial' : 'full'
  if (coverage === check.coverage) return
  const { now } = world
  const isLost = coverage === 'none' || (coverage === 'partial' && check.coverage === 'full')
  const lostAt =
    isLost && effects.dropped.length === 0
      ? Math.max(
          ...check.regions
            .filter(region => coversUntil(region, rules, world) < now)
            .map(region => unmeasuredSince(region, world)),
        )
      : now
  const at = Number.isFinite(lostAt) && lostAt > 0 ? Math.max(lostAt, check.coverageSince, check.verdictSince) : now
  effects.coverage = { from: check.coverage, to: coverage, at }
  if (check.coverage === 'none' && check.verdict !== null) check.uncoveredUntil = at
  check.coverage = coverage
  check.coverageSince = at
}

function changeVerdict(check: CheckState, to: Outcome, at: number, now: number, effects: Effects): void {
  if (check.verdict === to) return
  const changedAt = Math.min(Math.max(at, check.verdictSince), now)
  effects.verdict = { from: check.verdict, to, at: changedAt }
  check.verdict = to
  check.verdictSince = changedAt
}

/** Down began with the first failure of the region that completed the quorum. */
function goDown(check: CheckState, rules: CheckRules, required: number, world: World, effects: Effects): void {
  const failingSince = voters(check, rules, world)
    .filter(region => region.vote === 'down')
    .map(region => countsSince(region, world))
  changeVerdict(check, 'down', nth(failingSince, required), world.now, effects)
  if (rules.severity === null) return
  check.incident = 'withheld'
}

function leaveDown(check: CheckState, rules: CheckRules, voting: number, world: World, effects: Effects): void {
  const { now } = world
  const present = voters(check, rules, world)
  const wellSince = present.filter(region => region.vote !== 'down').map(region => countsSince(region, world))
  const at = nth(wellSince, requiredToClose(rules.policy, voting, check.regions.length))
  check.recoveredAt = Math.min(Math.max(at, check.verdictSince), now)
  const isAllWell = present.every(region => region.vote === 'up' || isFollowing(check, region, now))
  changeVerdict(check, isAllWell ? 'up' : 'warning', check.recoveredAt, now, effects)
  if (check.incident === 'open') effects.resolves = { at: check.verdictSince }
  check.incident = 'none'
}

function release(check: CheckState, rules: CheckRules, required: number, world: World, effects: Effects): void {
  if (world.parents !== 'clear') return
  if (rules.severity === null) {
    check.incident = 'none'
    return
  }
  const first =
    voters(check, rules, world).find(region => region.vote === 'down') ??
    check.regions.find(region => region.vote === 'down')
  check.incident = 'open'
  effects.opens = {
    startedAt: check.verdictSince,
    confirmedAt: world.now,
    quorum: proofOf(check, rules, required, world),
    cause: first?.error?.message ?? 'The target failed.',
    evidence: {
      error_code: first?.error?.code ?? null,
      http_status: first?.httpStatus ?? null,
      phase: first && rules.policy.mode !== 'direct' ? failedPhase(first) : null,
      snippet: first?.excerpt ?? null,
    },
  }
}

function voters(check: CheckState, rules: CheckRules, world: World): RegionState[] {
  return check.regions.filter(
    region =>
      covers(region, rules, world) && region.vote !== null && world.now - region.countedAt <= freshnessMs(rules),
  )
}

/** When the streak of a region began, as far as it was eligible: time before that is not measured, up or down. */
const countsSince = ({ region, since }: RegionState, { eligibilities }: World): number =>
  Math.max(since, eligibilities.get(region)?.since ?? 0)

const nth = (times: number[], n: number) => times.sort((a, b) => a - b)[Math.min(n, times.length) - 1] ?? 0

function nameFailing(check: CheckState, rules: CheckRules, world: World, effects: Effects): void {
  if (check.verdict === 'up' && check.failing.length === 0) return
  const failing: string[] = []
  for (const region of voters(check, rules, world)) {
    const isFailing = region.vote === 'down' || region.vote === 'warning'
    if (isFailing && (check.verdict === 'down' || !isFollowing(check, region, world.now))) failing.push(region.region)
  }
  // a region that fell silent while the check is down is still named: no result contradicts it
  if (check.verdict === 'down' && failing.length === 0) return
  if (failing.length === check.failing.length && failing.every((name, index) => name === check.failing[index])) return
  check.failing = failing.length > 0 ? failing : none
  effects.failing = check.failing
}

function reasonOf(check: CheckState): string | null {
  if (check.verdict === 'up' || check.verdict === null) return null
  const first = check.regions.find(region => check.failing.includes(region.region))
  const message = first?.error?.message ?? 'The target failed.'
  if (check.verdict === 'down') return message
  return check.failing.length === check.regions.length
    ? message
    : `Seen from ${check.failing.join(', ')} only: ${message}`
}

/**
 * By the last result of each region: a region that has just begun to fail does not vote yet, but it does not count as
 * `ok` either.
 */
function proofOf(check: CheckState, rules: CheckRules, required: number, world: World): QuorumProof {
  const fresh = freshnessMs(rules)
  const proof: QuorumProof = {
    policy: { mode: rules.policy.mode, count: rules.policy.count },
    required,
    asked: check.regions.map(({ region }) => region),
    failed: [],
    ok: [],
    silent: [],
    excluded: [],
    regions: {},
  }
  for (const region of check.regions) {
    const why = world.eligibilities.get(region.region)?.why
    if (why !== null) proof.excluded.push({ region: region.region, why: why ?? 'never_seen' })
    else if (region.outcome === null || world.now - region.countedAt > fresh || !covers(region, rules, world))
      proof.silent.push(region.region)
    else if (region.outcome === 'down') proof.failed.push(region.region)
    else proof.ok.push(region.region)
    if (region.outcome !== null) proof.regions[region.region] = region.proof()
  }
  return proof
}
