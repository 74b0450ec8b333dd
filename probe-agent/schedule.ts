import { limits, type MissedReason, missedReasons, type runReasons } from '#contract/agent.ts'
import { FairQueue, Shares } from '#contract/fair-queue.ts'
import { Heap } from '#contract/heap.ts'
import { Host } from './host.ts'

/** The scheduling data of a check; the rest of the job belongs to the runner. */
export interface Job {
  check: string
  tenant: string
  /** Host and port of the target. */
  host: string
  /** At most one run of a heavy check at a time. */
  isHeavy: boolean
  intervalMs: number
  offsetMs: number
  /** Newest due time known to be stored. */
  lastDue: number | null
}

/** A run to start now; the caller reports its end with `finished`. */
export interface DueRun<J extends Job> {
  job: J
  due: number
  /** 0: scheduled; 1 and up: confirmation or requested. */
  attempt: number
  reason: (typeof runReasons)[number]
  request: string | undefined
  /** Delay of a scheduled run after its due time, or after its check was assigned. */
  delayMs: number
}

export interface RunRequest {
  check: string
  afterMs: number
  reason: 'confirm' | 'asked'
  request?: string | undefined
}

/** Most concurrent runs: in total, and of recently started runs, which still use the CPU. */
export interface Capacity {
  slots: number
  window: number
}

interface UnscheduledRun {
  at: number
  reason: 'confirm' | 'asked'
  request: string | undefined
  /** A scheduled run was started before it. */
  isPassed: boolean
}

interface Entry<J extends Job> {
  job: J
  host: Host<Place<J>>
  isListed: boolean
  /** Newest scheduled due time that was started or is stored. */
  last: number
  /** The due time `grid` waits for; an item with another due time is stale. */
  next: number
  /** When the schedule of the check was assigned. */
  since: number
  /** A missed due time queued in `late`. */
  missed: number | undefined
  /** A due time that has been reached. */
  waiting: number | undefined
  /** Its queue: of its tenant, or of its host. */
  place: Place<J> | undefined
  /** Newest due time of an unscheduled run, and the number of those since the last scheduled run. */
  lastUnscheduledDue: number
  attempts: number
  unscheduled: UnscheduledRun[]
}

interface Item<J extends Job> {
  at: number
  entry: Entry<J>
  due: number
}

/** Withdrawn once its entry has another place, or none. */
interface Place<J extends Job> {
  at: number
  entry: Entry<J>
  /** Queued at its host; else in its tenant's queue. */
  isParked: boolean
}

interface Running<J extends Job> {
  job: J
  host: Host<Place<J>>
  startedAt: number
  isFresh: boolean
}

/** A due time reached later than this counts as missed and is rate-limited. */
const missedAfterMs = 2_000
/** Missed runs start at least at this rate per second, with this burst. */
const minLateRate = 100
const lateBurst = 20
const maxUnscheduled = 4
/** Unscheduled runs precede the scheduled ones of a tenant, because they confirm outages. */
const unscheduledPriority = 1e14

/** Newest scheduled due time up to `now`. */
export const latestDue = (now: number, intervalMs: number, offsetMs: number) =>
  Math.floor((now - offsetMs) / intervalMs) * intervalMs + offsetMs

/**
 * Decides which check runs when. Pure: time is an argument, in milliseconds of the server's clock.
 *
 * Due times are absolute, `due = k * interval + offset`, so neither a restart nor a pause shifts them. Of the missed
 * due times of a check only the newest is run, late: those with the earliest next due time first, and not all at once.
 * At most one run of a check at a time: a scheduled or unscheduled run that comes due meanwhile follows it; equal
 * requests are merged.
 *
 * Runs are shared between tenants. A due run waits in the queue of its tenant. Tenants are served by fair queueing,
 * also for missed runs, and a tenant may start a run only while it has fewer in progress than there are free slots
 * (`Shares`): so no tenant takes a slot from one that has fewer. A host of the tenant may in turn have no more in
 * progress than the tenant has left, nor than its own bound (`Host`); the rest is parked and takes no slot from the
 * tenant's other hosts.
 */
export class Schedule<J extends Job> {
  readonly #entries = new Map<string, Entry<J>>()
  /** Runs in progress by check, whether still assigned or not. */
  readonly #running = new Map<string, Running<J>>()
  readonly #hosts = new Map<string, Host<Place<J>>>()
  /** Hosts with parked runs, and their tenants. */
  readonly #crowded = new Map<Host<Place<J>>, string>()
  readonly #grid = new Heap<Item<J>>()
  /** Times of unscheduled runs. */
  readonly #unscheduled = new Heap<{ at: number; entry: Entry<J> }>()
  /** Missed due times by tenant; those whose next due time is earliest first. */
  readonly #late = new FairQueue<Item<J>>(({ entry, due }) => !entry.isListed || entry.missed !== due)
  readonly #queue = new FairQueue<Place<J>>(place => isWithdrawn(place) || this.#parks(place))
  readonly #heavyQueue = new FairQueue<Place<J>>(isWithdrawn)
  readonly #slots = new Shares(Infinity)
  readonly #window = new Shares(Infinity)
  #isHeavyUnderWay = false
  #isNarrow = false
  #runsPerMs = 0
  #lateTokens = lateBurst
  #lateFilledAt: number | undefined
  readonly #missed = Object.fromEntries(missedReasons.map(reason => [reason, 0])) as Record<MissedReason, number>

  get size() {
    return this.#entries.size
  }

  /** Number of scheduled runs that did not start, by reason. */
  get missed(): Readonly<Record<MissedReason, number>> {
    return this.#missed
  }

  /** Number of scheduled runs that did not start. */
  get skipped() {
    return Object.values(this.#missed).reduce((sum, count) => sum + count, 0)
  }

  /** Whether the window alone prevented a run from starting when runs were last taken. */
  get isNarrow() {
    return this.#isNarrow
  }

  has(check: string) {
    return this.#entries.has(check)
  }

  /** Scheduled runs per millisecond. */
  get rate() {
    return this.#runsPerMs * 1_000
  }

  /** The shortest interval of its checks; Infinity without any. Reads all of them. */
  get shortestIntervalMs() {
    let shortest = Number.POSITIVE_INFINITY
    for (const { job } of this.#entries.values()) shortest = Math.min(shortest, job.intervalMs)
    return shortest
  }

  job(check: string): J | undefined {
    return this.#entries.get(check)?.job
  }

  checks() {
    return this.#entries.keys()
  }

  /** Checks that wait for their run to start; for tests and diagnosis. */
  get waiting(): string[] {
    return [...this.#entries.values()].flatMap(({ job, place }) => (place ? [job.check] : []))
  }

  /** Adds or changes a check. A changed schedule applies from now on. */
  assign(job: J, now: number) {
    let entry = this.#entries.get(job.check)
    if (entry) {
      const old = entry.job
      entry.job = job
      entry.last = Math.max(entry.last, this.#stored(job, now))
      this.#move(entry, old, now)
      if (old.intervalMs === job.intervalMs && old.offsetMs === job.offsetMs) return
      this.#runsPerMs -= 1 / old.intervalMs
    } else {
      entry = {
        job,
        host: this.#hostOf(job),
        isListed: true,
        last: this.#stored(job, now),
        next: Infinity,
        since: now,
        missed: undefined,
        waiting: undefined,
        place: undefined,
        lastUnscheduledDue: 0,
        attempts: 0,
        unscheduled: [],
      }
      this.#entries.set(job.check, entry)
    }
    this.#runsPerMs += 1 / job.intervalMs
    this.#plan(entry, now)
  }

  /** A due time in the far future was computed with a wrong clock; waiting for it would stop the check. */
  #stored({ lastDue, intervalMs }: J, now: number) {
    return lastDue === null || lastDue > now + intervalMs + limits.futureMs ? -Infinity : lastDue
  }

  #plan(entry: Entry<J>, now: number) {
    const { intervalMs, offsetMs } = entry.job
    const latest = latestDue(now, intervalMs, offsetMs)
    entry.since = now
    entry.missed = undefined
    entry.waiting = undefined
    entry.next = Math.max(latest, latestDue(Math.max(entry.last, latest), intervalMs, offsetMs)) + intervalMs
    this.#grid.push({ at: entry.next, entry, due: entry.next })
    // With an interval of a day a missed due time may be too old to be accepted: then the run gets the current time.
    if (latest > entry.last) this.#miss(entry, now - latest > limits.pastMs / 2 ? Math.floor(now) : latest)
  }

  #miss(entry: Entry<J>, due: number) {
    if (entry.missed !== undefined) this.#missed.stalled++
    entry.missed = due
    this.#late.push(entry.job.tenant, { at: entry.next, entry, due }, entry.next)
  }

  withdraw(check: string) {
    const entry = this.#entries.get(check)
    if (!entry) return
    entry.isListed = false
    entry.place = undefined
    this.#leaveHost(entry.host, entry.job)
    this.#runsPerMs -= 1 / entry.job.intervalMs
    this.#entries.delete(check)
    if (this.#entries.size === 0) this.#runsPerMs = 0
  }

  /** Checks that are not listed are withdrawn, of those that the list is about. */
  keepOnly(checks: ReadonlySet<string>, isAbout: (job: J) => boolean = () => true) {
    for (const [check, { job }] of this.#entries) if (!checks.has(check) && isAbout(job)) this.withdraw(check)
  }

  clear(isAbout?: (job: J) => boolean) {
    this.keepOnly(new Set(), isAbout)
  }

  #hostOf(job: J): Host<Place<J>> {
    const key = hostKey(job)
    const host = this.#hosts.get(key) ?? new Host<Place<J>>()
    this.#hosts.set(key, host)
    host.checks++
    return host
  }

  #leaveHost(host: Host<Place<J>>, job: J) {
    if (--host.checks === 0) this.#hosts.delete(hostKey(job))
  }

  /** A check with a new target moves to another queue. */
  #move(entry: Entry<J>, old: J, now: number) {
    const { job } = entry
    if (old.tenant === job.tenant && old.host === job.host && old.isHeavy === job.isHeavy) return
    this.#leaveHost(entry.host, old)
    entry.host = this.#hostOf(job)
    if (entry.place) this.#enqueue(entry, now)
  }

  #queueOf({ isHeavy }: J) {
    return isHeavy ? this.#heavyQueue : this.#queue
  }

  #enqueue(entry: Entry<J>, order: number) {
    const place: Place<J> = { at: order, entry, isParked: false }
    entry.place = place
    this.#queueOf(entry.job).push(entry.job.tenant, place, order)
  }

  /** An unscheduled run precedes the scheduled runs in its tenant's queue. */
  #enqueueUnscheduled(entry: Entry<J>, order: number) {
    if (!entry.place || entry.place.at > order) this.#enqueue(entry, order)
  }

  /** Whether the host uses what its tenant has left for it: the tenant's other hosts go first. */
  #parks(place: Place<J>): boolean {
    const { host, job } = place.entry
    if (host.room(this.#leftTo(job.tenant)) >= 1) return false
    place.isParked = true
    host.park(place)
    this.#crowded.set(host, job.tenant)
    return true
  }

  #leftTo(tenant: string): number {
    return this.#slots.free - this.#slots.inUseBy(tenant)
  }

  /** Moves parked runs for which their host has room back into the tenant's queue. */
  #unpark() {
    for (const [host, tenant] of this.#crowded) {
      for (let capacity = host.room(this.#leftTo(tenant)); capacity >= 1; ) {
        const place = host.unpark()
        if (!place) {
          this.#crowded.delete(host)
          break
        }
        if (isWithdrawn(place)) continue
        place.isParked = false
        this.#queue.push(tenant, place, place.at)
        capacity--
      }
    }
  }

  /** False for a check that is not assigned. */
  request({ check, afterMs, reason, request }: RunRequest, now: number): boolean {
    const entry = this.#entries.get(check)
    if (!entry) return false
    const at = now + afterMs
    const like = entry.unscheduled.find(
      other => other.request === request || other.request === undefined || request === undefined,
    )
    const merged = like ?? (entry.unscheduled.length >= maxUnscheduled ? entry.unscheduled.at(-1) : undefined)
    if (merged) {
      merged.at = Math.min(merged.at, at)
      merged.request ??= request
      if (reason === 'asked') merged.reason = 'asked'
    } else entry.unscheduled.push({ at, reason, request, isPassed: false })
    if (!this.#running.has(check)) this.#unscheduled.push({ at, entry })
    return true
  }

  /** The runs to start now, as far as there is room. */
  take(now: number, capacity: Capacity): DueRun<J>[] {
    this.#slots.places = capacity.slots
    this.#window.places = capacity.window
    this.#isNarrow = false
    this.#enqueueDue(now)
    const runs: DueRun<J>[] = []
    this.#takeHeavy(now, runs)
    this.#takeQueue(now, runs)
    if (this.#enqueueLate(now)) this.#takeQueue(now, runs)
    return runs
  }

  /** Queues every check whose due time has been reached. */
  #enqueueDue(now: number) {
    for (let head = this.#grid.peek(); head && head.at <= now; head = this.#grid.peek()) {
      this.#grid.pop()
      const { entry } = head
      if (!entry.isListed || head.due !== entry.next) continue
      const { check, intervalMs } = entry.job
      const passedOver = Math.floor((now - head.due) / intervalMs)
      const due = head.due + passedOver * intervalMs
      this.#missed.stalled += passedOver
      entry.next = due + intervalMs
      this.#grid.push({ at: entry.next, entry, due: entry.next })
      if (entry.missed !== undefined) {
        entry.missed = undefined
        this.#missed.stalled++
      }
      if (now - due > missedAfterMs && !entry.place && !this.#running.has(check)) this.#miss(entry, due)
      else this.#setWaiting(entry, due, now)
    }
    for (let head = this.#unscheduled.peek(); head && head.at <= now; head = this.#unscheduled.peek()) {
      this.#unscheduled.pop()
      const { entry } = head
      if (!entry.isListed || this.#running.has(entry.job.check) || !entry.unscheduled.some(wanted => wanted.at <= now))
        continue
      this.#enqueueUnscheduled(entry, head.at - unscheduledPriority)
    }
  }

  /** The newest due time replaces one that still waits. */
  #setWaiting(entry: Entry<J>, due: number, now: number) {
    const { place } = entry
    if (entry.waiting !== undefined) this.#missed[!place ? 'overrun' : place.isParked ? 'host_limit' : 'capacity']++
    entry.waiting = due
    if (!place && !this.#running.has(entry.job.check)) this.#enqueue(entry, now)
  }

  /** One heavy run at a time; it takes no slot from light runs. */
  #takeHeavy(now: number, runs: DueRun<J>[]) {
    if (this.#isHeavyUnderWay) return
    for (const place of this.#heavyQueue.take()) {
      const run = this.#start(place, now)
      if (!run) continue
      runs.push(run)
      return
    }
  }

  #takeQueue(now: number, runs: DueRun<J>[]) {
    if (this.#isFull()) return
    this.#unpark()
    for (const place of this.#queue.take(tenant => this.#mayStart(tenant))) {
      const run = this.#start(place, now)
      if (!run) continue
      runs.push(run)
      if (this.#isFull()) return
    }
  }

  #isFull(): boolean {
    if (this.#slots.free < 1) return true
    if (this.#window.free >= 1) return false
    this.#isNarrow ||= !this.#queue.isEmpty
    return true
  }

  #mayStart(tenant: string): boolean {
    if (!this.#slots.mayTake(tenant)) return false
    if (this.#window.mayTake(tenant)) return true
    this.#isNarrow = true
    return false
  }

  /** Queues as many missed runs as the rate limit allows. */
  #enqueueLate(now: number): boolean {
    const perMs = Math.max(minLateRate / 1_000, 2 * this.#runsPerMs)
    const burst = Math.max(lateBurst, perMs * 50)
    this.#lateTokens = Math.min(burst, this.#lateTokens + Math.max(0, now - (this.#lateFilledAt ?? now)) * perMs)
    this.#lateFilledAt = now
    if (this.#lateTokens < 1 || this.#isFull()) return false
    for (const { entry, due } of this.#late.take()) {
      entry.missed = undefined
      this.#lateTokens--
      this.#setWaiting(entry, due, now)
      if (this.#lateTokens < 1) break
    }
    return true
  }

  #start(place: Place<J>, now: number): DueRun<J> | undefined {
    const { entry } = place
    const { host, job } = entry
    entry.place = undefined
    const run = this.#nextRun(entry, now)
    if (!run) return
    this.#running.set(job.check, { job, host, startedAt: now, isFresh: !job.isHeavy })
    if (job.isHeavy) this.#isHeavyUnderWay = true
    else {
      host.inFlight++
      this.#slots.take(job.tenant)
      this.#window.take(job.tenant)
    }
    return run
  }

  /**
   * A scheduled run goes first, because the engine ignores results older than the last one; it confirms as well as an
   * unscheduled run. A waiting unscheduled run is passed over once only, or a check whose runs last an interval would
   * never get to it.
   */
  #nextRun(entry: Entry<J>, now: number): DueRun<J> | undefined {
    const { job, waiting } = entry
    entry.waiting = undefined
    const index = entry.unscheduled.findIndex(wanted => wanted.at <= now)
    const wanted = entry.unscheduled[index]
    if (waiting !== undefined && waiting > entry.last) {
      if (!wanted?.isPassed) return this.#scheduled(entry, waiting, now)
      this.#missed.overrun++
    }
    if (!wanted) return
    entry.unscheduled.splice(index, 1)
    entry.attempts = Math.min(entry.attempts + 1, 65_535)
    entry.lastUnscheduledDue = Math.max(Math.floor(now), entry.last, entry.lastUnscheduledDue)
    return {
      job,
      due: entry.lastUnscheduledDue,
      attempt: entry.attempts,
      reason: wanted.reason,
      request: wanted.request,
      delayMs: 0,
    }
  }

  #scheduled(entry: Entry<J>, due: number, now: number): DueRun<J> {
    entry.last = due
    entry.attempts = 0
    entry.unscheduled = entry.unscheduled.filter(wanted => wanted.at > now || wanted.request !== undefined)
    for (const wanted of entry.unscheduled) wanted.isPassed ||= wanted.at <= now
    return {
      job: entry.job,
      due,
      attempt: 0,
      reason: 'due',
      request: undefined,
      delayMs: Math.max(0, now - Math.max(due, entry.since)),
    }
  }

  /** The run has lasted for long: it waits for its target and leaves the window. */
  leaveWindow({ job }: DueRun<J>) {
    const running = this.#running.get(job.check)
    if (!running?.isFresh) return
    running.isFresh = false
    this.#window.release(running.job.tenant)
  }

  /** The run has ended: the next one of its check may start. `isHung`: the target hung until the timeout. */
  finished({ job: { check } }: DueRun<J>, now: number, isHung = false) {
    const running = this.#running.get(check)
    if (!running) return
    this.#running.delete(check)
    const { job, host, isFresh, startedAt } = running
    if (job.isHeavy) this.#isHeavyUnderWay = false
    else {
      this.#slots.release(job.tenant)
      host.record({ isHung, startedAt }, now)
      host.inFlight--
    }
    if (isFresh) this.#window.release(job.tenant)
    const entry = this.#entries.get(check)
    if (!entry) return
    if (entry.waiting !== undefined) this.#enqueue(entry, now)
    for (const wanted of entry.unscheduled) this.#unscheduled.push({ at: Math.max(wanted.at, now), entry })
  }

  /** When `take` may have something to do again; Infinity when nothing is planned. */
  nextAt(now: number): number {
    const late = this.#late.isEmpty ? Infinity : this.#lateTokens >= 1 ? now : now + 10
    return Math.min(this.#unscheduled.peek()?.at ?? Infinity, this.#grid.peek()?.at ?? Infinity, late)
  }
}

const isWithdrawn = <J extends Job>(place: Place<J>) => place.entry.place !== place

const hostKey = ({ tenant, host }: Job) => `${tenant} ${host}`
