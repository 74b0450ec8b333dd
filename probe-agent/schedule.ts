import { limits, type lookReasons } from '#contract/agent.ts'
import { Heap } from './heap.ts'

/** What the schedule must know of a check; the rest of the job is the runner's. */
export interface Job {
  check: string
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
  reason: (typeof lookReasons)[number]
  request: string | undefined
}

export interface Wish {
  check: string
  afterMs: number
  reason: 'confirm' | 'asked'
  request?: string | undefined
}

interface Ask {
  at: number
  reason: 'confirm' | 'asked'
  request: string | undefined
}

interface Entry<J extends Job> {
  job: J
  isListed: boolean
  /** Newest due of the grid that was taken, or is stored. */
  last: number
  /** The due that `grid` waits for; an item of another due is stale. */
  next: number
  /** A due that was missed and has its turn in `late`. */
  missed: number | undefined
  /** A due whose moment came while a look was running. */
  waiting: number | undefined
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

/** A due taken later than this had been missed, and is paced like all the missed. */
const tardyMs = 2_000
/** Missed dues are looked at with at least this many a second, and with this many at once. */
const minLateRate = 100
const lateBurst = 20
const maxAsks = 4

/** Newest due of the grid up to `now`. */
export const latestDue = (now: number, intervalMs: number, offsetMs: number) => Math.floor((now - offsetMs) / intervalMs) * intervalMs + offsetMs

/**
 * Who is looked at when. Pure: time is an argument, in the server's milliseconds.
 *
 * The grid is absolute, `due = k * interval + offset`, so neither a restart nor a pause shifts it. Of the dues that were
 * missed only the newest is looked at, late: those whose next due comes soonest first, and not all at once.
 * One look a check at a time: a due that comes meanwhile follows it, an asked look too; equal wishes are one look.
 */
export class Schedule<J extends Job> {
  readonly #entries = new Map<string, Entry<J>>()
  /** Checks with a look in flight, be they still ours or not. */
  readonly #busy = new Set<string>()
  readonly #grid = new Heap<Item<J>>()
  /** `at`: when the check's next due supersedes the missed one. */
  readonly #late = new Heap<Item<J>>()
  /** Asked looks and dues that waited for a look to end. */
  readonly #ready = new Heap<{ at: number; entry: Entry<J> }>()
  #looksPerMs = 0
  #lateTokens = lateBurst
  #lateFilledAt: number | undefined
  #skipped = 0

  get size() {
    return this.#entries.size
  }

  /** Dues that no look was made for. */
  get skipped() {
    return this.#skipped
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

  /** Adds a check, or changes it. A changed grid counts from this moment. */
  assign(job: J, now: number) {
    let entry = this.#entries.get(job.check)
    if (entry) {
      const old = entry.job
      entry.job = job
      entry.last = Math.max(entry.last, this.#stored(job, now))
      if (old.intervalMs === job.intervalMs && old.offsetMs === job.offsetMs) return
      this.#looksPerMs -= 1 / old.intervalMs
    } else {
      entry = {
        job,
        isListed: true,
        last: this.#stored(job, now),
        next: Infinity,
        missed: undefined,
        waiting: undefined,
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
    entry.missed = undefined
    entry.waiting = undefined
    entry.next = Math.max(latest, latestDue(Math.max(entry.last, latest), intervalMs, offsetMs)) + intervalMs
    this.#grid.push({ at: entry.next, entry, due: entry.next })
    // An interval of a day can leave a due so old that it would be refused: then the look stands for itself.
    if (latest > entry.last) this.#miss(entry, now - latest > limits.pastMs / 2 ? Math.floor(now) : latest)
  }

  #miss(entry: Entry<J>, due: number) {
    if (entry.missed !== undefined) this.#skipped++
    entry.missed = due
    this.#late.push({ at: entry.next, entry, due })
  }

  withdraw(check: string) {
    const entry = this.#entries.get(check)
    if (!entry) return
    entry.isListed = false
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

  /** False for a check that is not ours. */
  ask({ check, afterMs, reason, request }: Wish, now: number): boolean {
    const entry = this.#entries.get(check)
    if (!entry) return false
    const at = now + afterMs
    const like = entry.asks.find(other => other.request === request || other.request === undefined || request === undefined)
    const merged = like ?? (entry.asks.length >= maxAsks ? entry.asks.at(-1) : undefined)
    if (merged) {
      merged.at = Math.min(merged.at, at)
      merged.request ??= request
      if (reason === 'asked') merged.reason = 'asked'
    } else entry.asks.push({ at, reason, request })
    if (!this.#busy.has(check)) this.#ready.push({ at, entry })
    return true
  }

  /** The turns that have come, at most `room` of them. */
  take(now: number, room: number): Turn<J>[] {
    const turns: Turn<J>[] = []
    this.#takeReady(now, room, turns)
    this.#takeDue(now, room, turns)
    this.#takeLate(now, room, turns)
    return turns
  }

  #takeReady(now: number, room: number, turns: Turn<J>[]) {
    for (let head = this.#ready.peek(); head && head.at <= now && turns.length < room; head = this.#ready.peek()) {
      this.#ready.pop()
      const { entry } = head
      if (!entry.isListed || this.#busy.has(entry.job.check)) continue
      if (entry.waiting !== undefined) {
        const due = entry.waiting
        entry.waiting = undefined
        // The next one has come too, and is about to be taken.
        if (entry.next <= now) this.#skipped++
        else if (due > entry.last) turns.push(this.#begin(entry, due))
        continue
      }
      const index = entry.asks.findIndex(ask => ask.at <= now)
      const [ask] = index < 0 ? [] : entry.asks.splice(index, 1)
      if (ask) turns.push(this.#beginAsked(entry, ask, now))
    }
  }

  #takeDue(now: number, room: number, turns: Turn<J>[]) {
    for (let head = this.#grid.peek(); head && head.at <= now && turns.length < room; head = this.#grid.peek()) {
      this.#grid.pop()
      const { entry } = head
      if (!entry.isListed || head.due !== entry.next) continue
      const { intervalMs } = entry.job
      const passedOver = Math.floor((now - head.due) / intervalMs)
      const due = head.due + passedOver * intervalMs
      this.#skipped += passedOver
      entry.next = due + intervalMs
      this.#grid.push({ at: entry.next, entry, due: entry.next })
      if (entry.missed !== undefined) {
        entry.missed = undefined
        this.#skipped++
      }
      if (this.#busy.has(entry.job.check)) {
        if (entry.waiting !== undefined) this.#skipped++
        entry.waiting = due
      } else if (now - due > tardyMs) this.#miss(entry, due)
      else turns.push(this.#begin(entry, due))
    }
  }

  #takeLate(now: number, room: number, turns: Turn<J>[]) {
    const perMs = Math.max(minLateRate / 1_000, 2 * this.#looksPerMs)
    const burst = Math.max(lateBurst, perMs * 50)
    this.#lateTokens = Math.min(burst, this.#lateTokens + Math.max(0, now - (this.#lateFilledAt ?? now)) * perMs)
    this.#lateFilledAt = now
    for (let head = this.#late.peek(); head && this.#lateTokens >= 1 && turns.length < room; head = this.#late.peek()) {
      this.#late.pop()
      const { entry, due } = head
      if (!entry.isListed || entry.missed !== due) continue
      entry.missed = undefined
      if (this.#busy.has(entry.job.check)) {
        entry.waiting = due
        continue
      }
      this.#lateTokens--
      turns.push(this.#begin(entry, due))
    }
  }

  #begin(entry: Entry<J>, due: number): Turn<J> {
    this.#busy.add(entry.job.check)
    entry.last = due
    entry.attempts = 0
    return { job: entry.job, due, attempt: 0, reason: 'due', request: undefined }
  }

  #beginAsked(entry: Entry<J>, { reason, request }: Ask, now: number): Turn<J> {
    this.#busy.add(entry.job.check)
    entry.attempts = Math.min(entry.attempts + 1, 65_535)
    entry.asked = Math.max(Math.floor(now), entry.last, entry.asked)
    return { job: entry.job, due: entry.asked, attempt: entry.attempts, reason, request }
  }

  /** The look is over: what came meanwhile may follow. */
  finished({ job }: Turn<J>, now: number) {
    this.#busy.delete(job.check)
    const entry = this.#entries.get(job.check)
    if (!entry) return
    if (entry.waiting !== undefined) this.#ready.push({ at: now, entry })
    for (const ask of entry.asks) this.#ready.push({ at: Math.max(ask.at, now), entry })
  }

  /** When `take` has something to do again, if room allows; Infinity when nothing is planned. */
  nextAt(now: number): number {
    const late = this.#late.size === 0 ? Infinity : this.#lateTokens >= 1 ? now : now + 10
    return Math.min(this.#ready.peek()?.at ?? Infinity, this.#grid.peek()?.at ?? Infinity, late)
  }
}
