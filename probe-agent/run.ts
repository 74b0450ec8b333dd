import type { Logger } from 'pino'
import type { Registries } from '#checks/domain-expiry/registries.ts'
import type { BrowserPlaces } from '#checks/lighthouse/parts.ts'
import type { Looked } from '#checks/probe.ts'
import { type Fault, noPhases, RunFailure, targetFaults } from '#contract/check.ts'
import type { Guard } from '#egress/guard.ts'
import type { ServerClock } from './clock.ts'
import type { KillPoint } from './config.ts'
import { Delays } from './delays.ts'
import type { SelfTest } from './health.ts'
import type { CheckJob } from './job.ts'
import { writeResult } from './result.ts'
import type { Schedule, Turn } from './schedule.ts'
import type { Spool } from './spool.ts'

export interface RunnerOptions {
  schedule: Schedule<CheckJob>
  clock: ServerClock
  guard: Guard
  registries?: Registries
  browser?: BrowserPlaces
  selfTest: SelfTest
  spool: Spool
  log: Logger
  /** What the control plane found out about a check by longer work than a look. */
  findings?: (check: string, signal: AbortSignal) => Promise<unknown>
  /** Runs at once, at most. */
  slots: number
  lagLimitMs: number
  /** What a probe that ignores its deadline is given before the look ends without it. */
  graceMs?: number
  killPoint?: (point: KillPoint) => void
}

/** Turns come at most this late after their moment, and at least this far apart, so that many share one wake-up. */
const maxTickMs = 50
const minTickMs = 10
/** Looks in a row after a change that are news: enough for any number of confirmations. */
const newsStreak = 12

/**
 * More looks at once than the processor can carry would all come too late together. So their number is found like a
 * congestion window: down at once when the event loop lags, up slowly while it does not and more are wanted.
 * A look that has lasted for long waits for its target and not for us, so it leaves its place to another.
 * The schedule shares the window by tenant as it does the slots: one alone has half of it.
 */
const pace = { everyMs: 200, start: 400, least: 100, lagMs: 250, down: 0.7, up: 1.15, longMs: 2_000 }

/** The target let a run wait until its time was up. */
const hangs: ReadonlySet<string> = new Set(['timeout', 'dns_timeout'])
const dnsFaults = new Set(['dns_not_found', 'dns_failed', 'dns_timeout'])
const ofTheTarget: ReadonlySet<string> = new Set(targetFaults)

interface Answer {
  looked?: Looked<Record<string, unknown>>
  error?: unknown
  /** The deadline came, but we were asleep when it did. */
  overslept: boolean
}

/** Takes turns from the schedule and makes one look of each: bounded in time and number, and every end of it a result. */
export class Runner {
  readonly #options: RunnerOptions
  readonly #running = new Set<Running>()
  #timer: NodeJS.Timeout | undefined
  #wakesAt = Infinity
  #limit = pace.start
  #pacedAt = 0
  #wasNarrow = false
  #isOpen = false
  #onIdle: (() => void) | undefined
  #looks = 0
  #faults = 0
  #suspects = 0
  readonly #delays = new Delays()
  readonly #unsupported = new Map<string, string>()

  constructor(options: RunnerOptions) {
    this.#options = options
  }

  get inFlight() {
    return this.#running.size
  }
  get looks() {
    return this.#looks
  }
  get faults() {
    return this.#faults
  }
  get suspects() {
    return this.#suspects
  }
  /** By kind, why this agent cannot look. */
  get unsupported(): Record<string, string> {
    return Object.fromEntries(this.#unsupported)
  }

  /** How late scheduled runs began. */
  get delays() {
    return this.#delays.figures
  }

  start() {
    this.#isOpen = true
    this.wake()
  }

  /** The schedule has changed. */
  wake() {
    const { clock, schedule } = this.#options
    if (!this.#isOpen || !clock.isSet) return
    const now = clock.now()
    this.#adjust(now)
    const delay = Math.min(Math.max(schedule.nextAt(now) - now, minTickMs), maxTickMs)
    if (schedule.size === 0 || now + delay >= this.#wakesAt - 1) return
    clearTimeout(this.#timer)
    this.#wakesAt = now + delay
    this.#timer = setTimeout(() => this.#tick(), delay)
  }

  #tick() {
    this.#wakesAt = Infinity
    if (!this.#isOpen) return
    const { clock, schedule, slots } = this.#options
    for (const turn of schedule.take(clock.now(), { slots, window: Math.floor(this.#limit) })) {
      if (turn.attempt === 0) this.#delays.note(turn.delayMs)
      void this.#look(turn)
    }
    this.#wasNarrow ||= schedule.isNarrow
    this.wake()
  }

  #adjust(now: number) {
    const { clock, schedule, selfTest, slots } = this.#options
    if (now - this.#pacedAt < pace.everyMs) return
    const sinceMs = Math.min(now - this.#pacedAt, 1_000)
    this.#pacedAt = now
    if (selfTest.lagSince(clock.monotonic() - sinceMs) > pace.lagMs)
      this.#limit = Math.max(pace.least, this.#limit * pace.down)
    else if (this.#wasNarrow) this.#limit = Math.min(Math.max(slots, pace.start), this.#limit * pace.up + 1)
    this.#wasNarrow = false
    for (const running of this.#running) {
      if (running.startedAt > clock.monotonic() - pace.longMs) break
      if (running.isLasting) continue
      running.isLasting = true
      schedule.lasts(running.turn)
    }
  }

  async #look(turn: Turn<CheckJob>) {
    const { clock, schedule } = this.#options
    const at = Math.floor(clock.now())
    const running = new Running(turn, this.#options)
    const { startedAt } = running
    this.#running.add(running)
    let fault: Fault | undefined
    try {
      const answer = await running.answer
      if (!running.isStopped) fault = await this.#record(turn, answer, startedAt, at)
    } catch (error) {
      // Only a bug ends here; the look is over either way, and the next one shall come.
      this.#options.log.error({ err: error }, 'a look could not be recorded')
    }
    this.#running.delete(running)
    schedule.finished(turn, clock.now(), fault !== undefined && hangs.has(fault.code))
    this.wake()
    if (this.#running.size === 0) this.#onIdle?.()
  }

  async #record(
    turn: Turn<CheckJob>,
    { looked, error, overslept }: Answer,
    startedAt: number,
    at: number,
  ): Promise<Fault | undefined> {
    const { clock, lagLimitMs, selfTest, spool, killPoint } = this.#options
    const { job } = turn
    const took = clock.monotonic() - startedAt
    let fault = looked ? undefined : this.#faultOf(error, overslept)
    let isSuspect = overslept || selfTest.lagSince(startedAt) > lagLimitMs
    if (fault && ofTheTarget.has(fault.code)) {
      const vouching = selfTest.vouch()
      if (vouching) await vouching
      if (selfTest.anchors === 'failed') isSuspect = true
      if (selfTest.resolver === 'failed' && dnsFaults.has(fault.code))
        fault = { ...fault, code: 'resolver_unavailable', message: 'The resolver of this region does not answer.' }
    }
    const phases = looked?.phases ?? (error instanceof RunFailure ? error.phases : noPhases)
    const isBad = looked ? job.isBad(looked.seen, phases, at) : true
    const isNews = this.#note(job, isBad)

    killPoint?.('measure')
    const seq = spool.nextSeq()
    const line = writeResult(seq, turn, {
      at,
      took,
      phases,
      seen: looked?.seen,
      fault,
      excerpt: looked?.excerpt ?? (error instanceof RunFailure ? error.excerpt : undefined),
      address: looked?.address,
      isSuspect,
    })
    spool.append(seq, line, isNews || turn.attempt > 0)
    this.#looks++
    if (fault) this.#faults++
    if (isSuspect) this.#suspects++
    if (fault?.code === 'unsupported') this.#unsupported.set(job.kind, fault.message)
    else if (this.#unsupported.size > 0) this.#unsupported.delete(job.kind)
    return fault
  }

  /** News: the first look, a change, and the looks that confirm it. Trouble that lasts is no news, nor is what was good from the first. */
  #note(job: CheckJob, isBad: boolean): boolean {
    job.streak = job.wasBad === isBad ? job.streak + 1 : 1
    job.wasBad = isBad
    job.hasFailed ||= isBad
    if (isBad) return job.streak <= newsStreak
    return job.streak <= (job.hasFailed ? 3 : 1)
  }

  #faultOf(error: unknown, overslept: boolean): Fault {
    if (overslept) return { code: 'overloaded', phase: 'request', message: 'The agent was not given the time to look.' }
    if (error instanceof RunFailure) return error.toFault()
    this.#options.log.error({ err: error }, 'a probe failed for a reason of our own')
    return { code: 'internal', phase: 'request', message: 'The look failed for a reason of our own.' }
  }

  /** No new looks; those in flight may end. What is still running then was never measured, and is due again. */
  async stop(patienceMs: number) {
    this.#isOpen = false
    clearTimeout(this.#timer)
    if (this.#running.size > 0) {
      const idle = new Promise<void>(resolve => {
        this.#onIdle = resolve
      })
      let timer: NodeJS.Timeout | undefined
      await Promise.race([
        idle,
        new Promise(resolve => {
          timer = setTimeout(resolve, patienceMs)
        }),
      ])
      clearTimeout(timer)
      for (const running of this.#running) running.stop()
      await new Promise(resolve => setImmediate(resolve))
    }
  }
}

/** One look on its way, and its deadline. */
class Running {
  readonly answer: Promise<Answer>
  readonly turn: Turn<CheckJob>
  readonly #options: RunnerOptions
  readonly #controller = new AbortController()
  readonly startedAt: number
  readonly #deadlineAt: number
  #timer: NodeJS.Timeout | undefined
  #settle!: (answer: Answer) => void
  #overslept = false
  isStopped = false
  isLasting = false

  constructor(turn: Turn<CheckJob>, options: RunnerOptions) {
    const { clock, guard, registries, browser, findings } = options
    const { check, lookAt, settings, target, tenant, timeoutMs } = turn.job
    this.turn = turn
    this.#options = options
    this.startedAt = clock.monotonic()
    this.#deadlineAt = this.startedAt + timeoutMs
    this.#timer = setTimeout(onDeadline, timeoutMs, this)
    this.answer = new Promise(resolve => {
      this.#settle = resolve
    })
    // By way of an async function, since a probe may throw before there is a promise.
    const { signal } = this.#controller
    const begin = async () =>
      lookAt(target, settings, {
        guard,
        signal,
        now: () => clock.now(),
        tenant,
        registries,
        browser,
        ...(findings && { findings: () => findings(check, signal) }),
      })
    begin().then(
      looked => this.#end({ looked, overslept: false }),
      error => this.#end({ error, overslept: this.#overslept }),
    )
  }

  #end(answer: Answer) {
    clearTimeout(this.#timer)
    this.#settle(answer)
  }

  /** The probe is told to let go; if it does not, the look ends without it. */
  expire() {
    const { clock, graceMs = 1_000, lagLimitMs } = this.#options
    this.#overslept = clock.monotonic() - this.#deadlineAt > lagLimitMs
    const failure = new RunFailure('timeout', 'request', `The look did not end within ${this.turn.job.timeoutMs} ms.`)
    this.#timer = setTimeout(() => this.#end({ error: failure, overslept: this.#overslept }), graceMs)
    this.#controller.abort(failure)
  }

  stop() {
    this.isStopped = true
    this.#controller.abort(new RunFailure('internal', 'request', 'The agent stops.'))
    this.#end({ overslept: false })
  }
}

const onDeadline = (running: Running) => running.expire()
