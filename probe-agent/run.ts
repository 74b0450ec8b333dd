import type { Logger } from 'pino'
import type { Registries } from '#checks/domain-expiry/registries.ts'
import type { BrowserPlaces } from '#checks/lighthouse/parts.ts'
import type { ProbeResult } from '#checks/probe.ts'
import { type Fault, noPhases, RunFailure, targetFaults } from '#contract/check.ts'
import { failureOf } from '#egress/failures.ts'
import type { Guard } from '#egress/guard.ts'
import type { ServerClock } from './clock.ts'
import type { KillPoint } from './config.ts'
import { Delays } from './delays.ts'
import type { SelfTest } from './health.ts'
import type { CheckJob } from './job.ts'
import { writeResult } from './result.ts'
import type { DueRun, Schedule } from './schedule.ts'
import type { Spool } from './spool.ts'
import { UnexpectedFaults } from './unexpected-faults.ts'

export interface RunnerOptions {
  schedule: Schedule<CheckJob>
  clock: ServerClock
  guard: Guard
  registries?: Registries
  browser?: BrowserPlaces
  selfTest: SelfTest
  spool: Spool
  log: Logger
  /** Fetches the findings that the control plane keeps for a check. */
  findings?: (check: string, signal: AbortSignal) => Promise<unknown>
  /** Most concurrent runs. */
  slots: number
  lagLimitMs: number
  /** Extra time for a probe that ignores its deadline; then the run ends without it. */
  graceMs?: number
  killPoint?: (point: KillPoint) => void
}

/**
 * Distances between ticks: the shortest, so that many runs share a wake-up; the longest while runs are in progress,
 * whose pace is watched; and the longest while there are none, after which the clock is read again.
 */
const minTickMs = 20
const maxTickMs = 50
const idleTickMs = 1_000
/** Results in a row after a change that are sent without delay: enough for any number of confirmations. */
const urgentStreak = 12

/**
 * More concurrent runs than the CPU can handle would all be late. So their number is controlled like a congestion
 * window: it shrinks at once when the event loop lags, and grows slowly while it does not and more are wanted. A run
 * that has lasted for long waits for its target and leaves its place to another. The schedule shares the window between
 * tenants like the slots: one tenant alone has half of it.
 */
const pace = { everyMs: 200, start: 400, least: 100, lagMs: 250, down: 0.7, up: 1.15, longMs: 2_000 }

/** The target hung until the timeout. */
const hangs: ReadonlySet<string> = new Set(['timeout', 'dns_timeout'])
const dnsFaults = new Set(['dns_not_found', 'dns_failed', 'dns_timeout'])
const targetPhases: ReadonlySet<string> = new Set(targetFaults)

interface Answer {
  ran?: ProbeResult<Record<string, unknown>>
  failure?: RunFailure
  /** The deadline passed while the process was suspended. */
  wasSuspended: boolean
}

/** Takes runs from the schedule and executes them with a limit of time and number. Every run ends with a result. */
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
  #runs = 0
  #faults = 0
  #unreliable = 0
  readonly #delays = new Delays()
  /** Unforeseen errors, by cause. */
  readonly unexpected: UnexpectedFaults
  readonly #unsupported = new Map<string, string>()

  constructor(options: RunnerOptions) {
    this.#options = options
    this.unexpected = new UnexpectedFaults(options.log)
  }

  get inFlight() {
    return this.#running.size
  }
  get runs() {
    return this.#runs
  }
  get faults() {
    return this.#faults
  }
  get unreliable() {
    return this.#unreliable
  }
  /** By kind, why this agent cannot run it. */
  get unsupported(): Record<string, string> {
    return Object.fromEntries(this.#unsupported)
  }

  /** Delays of scheduled runs. */
  get delays() {
    return this.#delays.figures
  }

  start() {
    this.#isOpen = true
    this.wake()
  }

  /** Called when the schedule has changed. */
  wake() {
    const { clock, schedule } = this.#options
    if (!this.#isOpen || !clock.isSet) return
    const now = clock.now()
    this.#adjust(now)
    const longest = this.#running.size === 0 ? idleTickMs : maxTickMs
    const delay = Math.min(Math.max(schedule.nextAt(now) - now, minTickMs), longest)
    if (schedule.size === 0 || now + delay >= this.#wakesAt - 1) return
    clearTimeout(this.#timer)
    this.#wakesAt = now + delay
    this.#timer = setTimeout(() => this.#tick(), delay)
  }

  #tick() {
    this.#wakesAt = Infinity
    if (!this.#isOpen) return
    const { clock, schedule, slots } = this.#options
    for (const run of schedule.take(clock.now(), { slots, window: Math.floor(this.#limit) })) {
      if (run.attempt === 0) this.#delays.record(run.delayMs)
      void this.#execute(run)
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
      schedule.leaveWindow(running.run)
    }
  }

  async #execute(run: DueRun<CheckJob>) {
    const { clock, schedule } = this.#options
    const at = Math.floor(clock.now())
    const running = new Running(run, this.#options)
    const { startedAt } = running
    this.#running.add(running)
    let fault: Fault | undefined
    try {
      const answer = await running.answer
      if (!running.isStopped) fault = await this.#record(run, answer, startedAt, at)
    } catch (error) {
      // Only a bug gets here; the run has ended, and the next one must still start.
      this.#options.log.error({ err: error }, 'result record failure')
    }
    this.#running.delete(running)
    schedule.finished(run, clock.now(), fault !== undefined && hangs.has(fault.code))
    this.wake()
    if (this.#running.size === 0) this.#onIdle?.()
  }

  async #record(run: DueRun<CheckJob>, answer: Answer, startedAt: number, at: number): Promise<Fault | undefined> {
    const { clock, lagLimitMs, selfTest, spool, killPoint } = this.#options
    const { job } = run
    const { wasSuspended } = answer
    const took = clock.monotonic() - startedAt
    const { ran, failure, isBad } = examine(job, answer, at)
    let fault = failure?.toFault()
    if (failure?.code === 'unexpected') this.unexpected.record(job.kind, failure.cause)
    let isUnreliable = wasSuspended || selfTest.lagSince(startedAt) > lagLimitMs
    if (fault && targetPhases.has(fault.code)) {
      const selfTesting = selfTest.check()
      if (selfTesting) await selfTesting
      if (selfTest.anchors === 'failed') isUnreliable = true
      if (selfTest.resolver === 'failed' && dnsFaults.has(fault.code))
        fault = { ...fault, code: 'resolver_unavailable', message: 'The resolver of this region does not answer.' }
    }
    const phases = ran?.phases ?? failure?.phases ?? noPhases
    const isUrgent = this.#updateStreak(job, isBad)

    killPoint?.('measure')
    const seq = spool.nextSeq()
    const line = writeResult(seq, run, {
      at,
      took,
      phases,
      seen: ran?.seen,
      fault,
      excerpt: ran?.excerpt ?? failure?.excerpt,
      address: ran?.address,
      isUnreliable,
    })
    spool.append(seq, line, isUrgent || run.attempt > 0, job.shard)
    this.#runs++
    if (fault) this.#faults++
    if (isUnreliable) this.#unreliable++
    if (fault?.code === 'unsupported') this.#unsupported.set(job.kind, fault.message)
    else if (this.#unsupported.size > 0) this.#unsupported.delete(job.kind)
    return fault
  }

  /** Whether a result is sent without delay: the first one, a change, and the confirmations after it. */
  #updateStreak(job: CheckJob, isBad: boolean): boolean {
    job.streak = job.wasBad === isBad ? job.streak + 1 : 1
    job.wasBad = isBad
    job.hasFailed ||= isBad
    if (isBad) return job.streak <= urgentStreak
    return job.streak <= (job.hasFailed ? 3 : 1)
  }

  /**
   * Starts no new runs and waits for those in progress. Runs that are still going at the end yield no result and are
   * due again.
   */
  async stop(timeoutMs: number) {
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
          timer = setTimeout(resolve, timeoutMs)
        }),
      ])
      clearTimeout(timer)
      for (const running of this.#running) running.stop()
      await new Promise(resolve => setImmediate(resolve))
    }
  }
}

/**
 * What a run comes to. Findings that the kind cannot read or judge are a failure: the control plane would refuse them,
 * and the check would have no result at all.
 */
function examine(
  job: CheckJob,
  { ran, failure, wasSuspended }: Answer,
  at: number,
): Pick<Answer, 'ran' | 'failure'> & { isBad: boolean } {
  if (ran) {
    try {
      return { ran, isBad: job.isBad(ran.seen, ran.phases, at) }
    } catch (error) {
      return { failure: failureOf(error), isBad: true }
    }
  }
  const suspended = new RunFailure('overloaded', 'request', 'The agent was overloaded during the run.', {
    ...(failure && { phases: failure.phases }),
  })
  return { failure: wasSuspended || !failure ? suspended : failure, isBad: true }
}

/** A run in progress, and its deadline. */
class Running {
  readonly answer: Promise<Answer>
  readonly run: DueRun<CheckJob>
  readonly #options: RunnerOptions
  readonly #controller = new AbortController()
  readonly startedAt: number
  readonly #deadlineAt: number
  #timer: NodeJS.Timeout | undefined
  #settle!: (answer: Answer) => void
  #wasSuspended = false
  isStopped = false
  isLasting = false

  constructor(run: DueRun<CheckJob>, options: RunnerOptions) {
    const { clock, guard, registries, browser, findings } = options
    const { check, runProbe, settings, target, tenant, timeoutMs } = run.job
    this.run = run
    this.#options = options
    this.startedAt = clock.monotonic()
    this.#deadlineAt = this.startedAt + timeoutMs
    this.#timer = setTimeout(onDeadline, timeoutMs, this)
    this.answer = new Promise(resolve => {
      this.#settle = resolve
    })
    // An async function, because a probe may throw synchronously.
    const { signal } = this.#controller
    const begin = async () =>
      runProbe(target, settings, {
        guard,
        signal,
        now: () => clock.now(),
        tenant,
        registries,
        browser,
        ...(findings && { findings: () => findings(check, signal) }),
      })
    begin().then(
      ran => this.#end({ ran, wasSuspended: false }),
      error => this.#end({ failure: failureOf(error), wasSuspended: this.#wasSuspended }),
    )
  }

  #end(answer: Answer) {
    clearTimeout(this.#timer)
    this.#settle(answer)
  }

  /** Aborts the probe; a probe that ignores that is abandoned. */
  expire() {
    const { clock, graceMs = 1_000, lagLimitMs } = this.#options
    this.#wasSuspended = clock.monotonic() - this.#deadlineAt > lagLimitMs
    const failure = new RunFailure('timeout', 'request', `The run did not end within ${this.run.job.timeoutMs} ms.`)
    this.#timer = setTimeout(() => this.#end({ failure, wasSuspended: this.#wasSuspended }), graceMs)
    this.#controller.abort(failure)
  }

  stop() {
    this.isStopped = true
    this.#controller.abort(new RunFailure('internal', 'request', 'The agent stops.'))
    this.#end({ wasSuspended: false })
  }
}

const onDeadline = (running: Running) => running.expire()
