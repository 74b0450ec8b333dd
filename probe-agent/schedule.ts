import { limits, type MissedReason, missedReasons, type runReasons } from '#contract/agent.ts'
import { FairQueue, Shares } from '#contract/fair-queue.ts'
import { Heap } from '#contract/heap.ts'
import { Host } from './host.ts'

/** What the schedule must know of a check; the rest of the job is the runner's. */
export interface Job {
  check: string
  tenant: string
  /** Name and port of the target. */
  host: string
  /** Is run by itself: never two such at a time. */
  isHeavy: boolean
  intervalMs: number
  offsetMs: number
  /** Newest due known to be stored. */
  lastDue: number | null
}

/** The moment has come: look at this check, and say `finished` afterwards. */
export interface Turn<J extends Job> {
  job: J
  due: number
  /** 0: by the grid; 1 and up: asked for. */
  attempt: number
  reason: (typeof runReasons)[number]
  request: string | undefined
  /** How late a scheduled run begins: after its due, or after its check was assigned. */
  delayMs: number
}

export interface Wish {
  check: string
  afterMs: number
  reason: 'confirm' | 'asked'
  request?: string | undefined
}

/** How many runs may be under way: in all, and of those that began a moment ago and still use the processor. */
export interface Room {
  slots: number
  window: number
}

interface Ask {
  at: number
  reason: 'confirm' | 'asked'
  request: string | undefined
  /** A scheduled run went before it. */
  isPassed: boolean
}

interface Entry<J extends Job> {
  job: J
  host: Host<Place<J>>
  isListed: boolean
  /** Newest due of the grid that was taken, or is stored. */
  last: number
  /** The due that `grid` waits for; an item of another due is stale. */
  next: number
  /** When its grid was told. */
  since: number
  /** A due that was missed and has its turn in `late`. */
  missed: number | undefined
  /** A due whose moment has come. */
  waiting: number | undefined
  /** Where it waits for a run: in its tenant's line, or for room at its host. */
  place: Place<J> | undefined
  /** Newest due of an asked look, and how many there were since the last one of the grid. */
  asked: number
  attempts: number
  asks: Ask[]
}

interface Item<J extends Job> {
  at: number
  entry: Entry<J>
  due: number
}

/** Is gone once its entry has another place, or none. */
interface Place<J extends Job> {
  at: number
  entry: Entry<J>
  /** Waits for room at its host; else in its tenant's line. */
  isParked: boolean
}

interface Running<J extends Job> {
  job: J
  host: Host<Place<J>>
  startedAt: number
  isFresh: boolean
}

/** A due taken later than this had been missed, and is paced like all the missed. */
const tardyMs = 2_000
/** Missed dues are looked at with at least this many a second, and with this many at once. */
const minLateRate = 100
const lateBurst = 20
const maxAsks = 4
/** Runs that were asked for go before a tenant's scheduled ones: an outage is found by them. */
const beforeDues = 1e14

/** Newest due of the grid up to `now`. */
export const latestDue = (now: number, intervalMs: number, offsetMs: number) =>
  Math.floor((now - offsetMs) / intervalMs) * intervalMs + offsetMs

/**
 * Who is looked at when. Pure: time is an argument, in the server's milliseconds.
 *
 * The grid is absolute, `due = k * interval + offset`, so neither a restart nor a pause shifts it. Of the dues that were
 * missed only the newest is looked at, late: those whose next due comes soonest first, and not all at once.
 * One look a check at a time: a due that comes meanwhile follows it, an asked look too; equal wishes are one look.
 *
 * Runs are shared by tenant. What is due waits in the line of its tenant. Tenants are taken in turn by fair queueing, the missed
 * of tenants likewise, and a tenant may begin a run only while it has fewer under way than there are slots free (`Shares`): so no
 * tenant takes a slot from one that has fewer. A host of the tenant may in turn have no more under way than the tenant has left,
 * nor than its own bound (`Host`); what is beyond that is parked and keeps no place from the tenant's other hosts.
 */
export class Schedule<J extends Job> {
  readonly #entries = new Map<string, Entry<J>>()
  /** Runs under way by their check, be that still ours or not. */
  readonly #running = new Map<string, Running<J>>()
  readonly #hosts = new Map<string, Host<Place<J>>>()
  /** Hosts that some place is parked at, and their tenants. */
  readonly #crowded = new Map<Host<Place<J>>, string>()
  readonly #grid = new Heap<Item<J>>()
  /** Moments of asked looks. */
  readonly #asked = new Heap<{ at: number; entry: Entry<J> }>()
  /** Missed dues by tenant, those first that the check's next due supersedes first. */
  readonly #late = new FairQueue<Item<J>>(({ entry, due }) => !entry.isListed || entry.missed !== due)
  readonly #line = new FairQueue<Place<J>>(place => isGone(place) || this.#parks(place))
  readonly #heavyLine = new FairQueue<Place<J>>(isGone)
  readonly #slots = new Shares(Infinity)
  readonly #window = new Shares(Infinity)
  #isHeavyUnderWay = false
  #isNarrow = false
  #looksPerMs = 0
  #lateTokens = lateBurst
  #lateFilledAt: number | undefined
  readonly #missed = Object.fromEntries(missedReasons.map(reason => [reason, 0])) as Record<MissedReason, number>

  get size() {
    return this.#entries.size
  }

  /** Dues that no look was made for, by the reason. */
  get missed(): Readonly<Record<MissedReason, number>> {
    return this.#missed
  }

  /** Dues that no look was made for. */
  get skipped() {
    return Object.values(this.#missed).reduce((sum, count) => sum + count, 0)
  }

  /** Whether some tenant was kept from beginning a run by the window alone, when turns were last taken. */
  get isNarrow() {
    return this.#isNarrow
  }

  has(check: string) {
    return this.#entries.has(check)
  }

  /** Looks a second that the grid asks for. */
  get rate() {
    return this.#looksPerMs * 1_000
  }

  job(check: string): J | undefined {
    return this.#entries.get(check)?.job
  }

  checks() {
    return this.#entries.keys()
  }

  /** Checks that wait for a run to begin; for tests and for diagnosis. */
  get waiting(): string[] {
    return [...this.#entries.values()].flatMap(({ job, place }) => (place ? [job.check] : []))
  }

  /** Adds a check, or changes it. A changed grid counts from this moment. */
  assign(job: J, now: number) {
    let entry = this.#entries.get(job.check)
    if (entry) {
      const old = entry.job
      entry.job = job
      entry.last = Math.max(entry.last, this.#stored(job, now))
      this.#move(entry, old, now)
      if (old.intervalMs === job.intervalMs && old.offsetMs === job.offsetMs) return
      this.#looksPerMs -= 1 / old.intervalMs
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
        asked: 0,
        attempts: 0,
        asks: [],
      }
      this.#entries.set(job.check, entry)
    }
    this.#looksPerMs += 1 / job.intervalMs
    this.#plan(entry, now)
  }

  /** A due of the far future was told by a clock that was wrong; waiting for it would be silence. */
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
    // An interval of a day can leave a due so old that it would be refused: then the look stands for itself.
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
    this.#looksPerMs -= 1 / entry.job.intervalMs
    this.#entries.delete(check)
    if (this.#entries.size === 0) this.#looksPerMs = 0
  }

  /** Whatever is not named is no longer ours. */
  keepOnly(checks: ReadonlySet<string>) {
    for (const check of this.#entries.keys()) if (!checks.has(check)) this.withdraw(check)
  }

  clear() {
    this.keepOnly(new Set())
  }

  // hosts

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

  /** The same check of another target waits in another place. */
  #move(entry: Entry<J>, old: J, now: number) {
    const { job } = entry
    if (old.tenant === job.tenant && old.host === job.host && old.isHeavy === job.isHeavy) return
    this.#leaveHost(entry.host, old)
    entry.host = this.#hostOf(job)
    if (entry.place) this.#join(entry, now)
  }

  // lines

  #lineOf({ isHeavy }: J) {
    return isHeavy ? this.#heavyLine : this.#line
  }

  #join(entry: Entry<J>, order: number) {
    const place: Place<J> = { at: order, entry, isParked: false }
    entry.place = place
    this.#lineOf(entry.job).push(entry.job.tenant, place, order)
  }

  /** An asked look goes before what waits in its tenant's line by the grid. */
  #joinAsked(entry: Entry<J>, order: number) {
    if (!entry.place || entry.place.at > order) this.#join(entry, order)
  }

  /** What of its tenant's slots is left to this host is taken: others of the tenant go before. */
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

  /** As many as there is room for go back from their hosts into line. */
  #unpark() {
    for (const [host, tenant] of this.#crowded) {
      for (let room = host.room(this.#leftTo(tenant)); room >= 1; ) {
        const place = host.unpark()
        if (!place) {
          this.#crowded.delete(host)
          break
        }
        if (isGone(place)) continue
        place.isParked = false
        this.#line.push(tenant, place, place.at)
        room--
      }
    }
  }

  /** False for a check that is not ours. */
  ask({ check, afterMs, reason, request }: Wish, now: number): boolean {
    const entry = this.#entries.get(check)
    if (!entry) return false
    const at = now + afterMs
    const like = entry.asks.find(
      other => other.request === request || other.request === undefined || request === undefined,
    )
    const merged = like ?? (entry.asks.length >= maxAsks ? entry.asks.at(-1) : undefined)
    if (merged) {
      merged.at = Math.min(merged.at, at)
      merged.request ??= request
      if (reason === 'asked') merged.reason = 'asked'
    } else entry.asks.push({ at, reason, request, isPassed: false })
    if (!this.#running.has(check)) this.#asked.push({ at, entry })
    return true
  }

  /** The turns that have come, as far as there is room. */
  take(now: number, room: Room): Turn<J>[] {
    this.#slots.places = room.slots
    this.#window.places = room.window
    this.#isNarrow = false
    this.#comeDue(now)
    const turns: Turn<J>[] = []
    this.#takeHeavy(now, turns)
    this.#takeLine(now, turns)
    if (this.#comeLate(now)) this.#takeLine(now, turns)
    return turns
  }

  /** Whatever has its moment goes into line. */
  #comeDue(now: number) {
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
      if (now - due > tardyMs && !entry.place && !this.#running.has(check)) this.#miss(entry, due)
      else this.#wait(entry, due, now)
    }
    for (let head = this.#asked.peek(); head && head.at <= now; head = this.#asked.peek()) {
      this.#asked.pop()
      const { entry } = head
      if (!entry.isListed || this.#running.has(entry.job.check) || !entry.asks.some(ask => ask.at <= now)) continue
      this.#joinAsked(entry, head.at - beforeDues)
    }
  }

  /** The newest due takes the place of one that still waits. */
  #wait(entry: Entry<J>, due: number, now: number) {
    const { place } = entry
    if (entry.waiting !== undefined) this.#missed[!place ? 'overrun' : place.isParked ? 'host_limit' : 'capacity']++
    entry.waiting = due
    if (!place && !this.#running.has(entry.job.check)) this.#join(entry, now)
  }

  /** One at a time, and none of them takes a place from those that are light. */
  #takeHeavy(now: number, turns: Turn<J>[]) {
    if (this.#isHeavyUnderWay) return
    for (const place of this.#heavyLine.take()) {
      const turn = this.#begin(place, now)
      if (!turn) continue
      turns.push(turn)
      return
    }
  }

  #takeLine(now: number, turns: Turn<J>[]) {
    if (this.#isFull()) return
    this.#unpark()
    for (const place of this.#line.take(tenant => this.#mayBegin(tenant))) {
      const turn = this.#begin(place, now)
      if (!turn) continue
      turns.push(turn)
      if (this.#isFull()) return
    }
  }

  #isFull(): boolean {
    if (this.#slots.free < 1) return true
    if (this.#window.free >= 1) return false
    this.#isNarrow ||= !this.#line.isEmpty
    return true
  }

  #mayBegin(tenant: string): boolean {
    if (!this.#slots.mayTake(tenant)) return false
    if (this.#window.mayTake(tenant)) return true
    this.#isNarrow = true
    return false
  }

  /** So many of the missed go into line as their pace allows. */
  #comeLate(now: number): boolean {
    const perMs = Math.max(minLateRate / 1_000, 2 * this.#looksPerMs)
    const burst = Math.max(lateBurst, perMs * 50)
    this.#lateTokens = Math.min(burst, this.#lateTokens + Math.max(0, now - (this.#lateFilledAt ?? now)) * perMs)
    this.#lateFilledAt = now
    if (this.#lateTokens < 1 || this.#isFull()) return false
    for (const { entry, due } of this.#late.take()) {
      entry.missed = undefined
      this.#lateTokens--
      this.#wait(entry, due, now)
      if (this.#lateTokens < 1) break
    }
    return true
  }

  #begin(place: Place<J>, now: number): Turn<J> | undefined {
    const { entry } = place
    const { host, job } = entry
    entry.place = undefined
    const turn = this.#turnOf(entry, now)
    if (!turn) return
    this.#running.set(job.check, { job, host, startedAt: now, isFresh: !job.isHeavy })
    if (job.isHeavy) this.#isHeavyUnderWay = true
    else {
      host.inFlight++
      this.#slots.take(job.tenant)
      this.#window.take(job.tenant)
    }
    return turn
  }

  /**
   * What is due goes first, for a result of an earlier due than the one before is history; it confirms as well as a run that was
   * asked for. One that somebody waits for is passed by once, or a check whose runs last an interval would never come to it.
   */
  #turnOf(entry: Entry<J>, now: number): Turn<J> | undefined {
    const { job, waiting } = entry
    entry.waiting = undefined
    const index = entry.asks.findIndex(ask => ask.at <= now)
    const ask = entry.asks[index]
    if (waiting !== undefined && waiting > entry.last) {
      if (!ask?.isPassed) return this.#scheduled(entry, waiting, now)
      this.#missed.overrun++
    }
    if (!ask) return
    entry.asks.splice(index, 1)
    entry.attempts = Math.min(entry.attempts + 1, 65_535)
    entry.asked = Math.max(Math.floor(now), entry.last, entry.asked)
    return { job, due: entry.asked, attempt: entry.attempts, reason: ask.reason, request: ask.request, delayMs: 0 }
  }

  #scheduled(entry: Entry<J>, due: number, now: number): Turn<J> {
    entry.last = due
    entry.attempts = 0
    entry.asks = entry.asks.filter(ask => ask.at > now || ask.request !== undefined)
    for (const ask of entry.asks) ask.isPassed ||= ask.at <= now
    return {
      job: entry.job,
      due,
      attempt: 0,
      reason: 'due',
      request: undefined,
      delayMs: Math.max(0, now - Math.max(due, entry.since)),
    }
  }

  /** The run has lasted for long: it waits for its target, and its place in the window is another's. */
  lasts({ job }: Turn<J>) {
    const running = this.#running.get(job.check)
    if (!running?.isFresh) return
    running.isFresh = false
    this.#window.release(running.job.tenant)
  }

  /** The look is over: what came meanwhile may follow. `isHung`: the target let it wait until its time was up. */
  finished({ job: { check } }: Turn<J>, now: number, isHung = false) {
    const running = this.#running.get(check)
    if (!running) return
    this.#running.delete(check)
    const { job, host, isFresh, startedAt } = running
    if (job.isHeavy) this.#isHeavyUnderWay = false
    else {
      this.#slots.release(job.tenant)
      host.note({ isHung, startedAt }, now)
      host.inFlight--
    }
    if (isFresh) this.#window.release(job.tenant)
    const entry = this.#entries.get(check)
    if (!entry) return
    if (entry.waiting !== undefined) this.#join(entry, now)
    for (const ask of entry.asks) this.#asked.push({ at: Math.max(ask.at, now), entry })
  }

  /** When `take` has something to do again, if room allows; Infinity when nothing is planned. */
  nextAt(now: number): number {
    const late = this.#late.isEmpty ? Infinity : this.#lateTokens >= 1 ? now : now + 10
    return Math.min(this.#asked.peek()?.at ?? Infinity, this.#grid.peek()?.at ?? Infinity, late)
  }
}

const isGone = <J extends Job>(place: Place<J>) => place.entry.place !== place

const hostKey = ({ tenant, host }: Job) => `${tenant} ${host}`
