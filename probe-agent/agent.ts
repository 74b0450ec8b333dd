import { setTimeout as sleep } from 'node:timers/promises'
import type { Logger } from 'pino'
import type { Registries } from '#checks/domain-expiry/registries.ts'
import { type Assignment, agentPaths, type Health, limits } from '#contract/agent.ts'
import { version } from '#contract/version.ts'
import type { Guard } from '#egress/guard.ts'
import { type FrameHandler, WorkStream } from './assignments.ts'
import type { ServerClock } from './clock.ts'
import type { AgentConfig, KillPoint } from './config.ts'
import { Crawls } from './crawls.ts'
import { fetchFindings } from './findings.ts'
import type { SelfTest } from './health.ts'
import { type CheckJob, makeJob } from './job.ts'
import { type Link, messageOf } from './link.ts'
import type { Figures } from './metrics.ts'
import { Runner } from './run.ts'
import { Schedule } from './schedule.ts'
import type { Spool } from './spool.ts'
import { Uploads } from './stream.ts'

/** What an agent works with, opened by `startAgent`. */
export interface ProbeAgentDeps {
  config: AgentConfig
  log: Logger
  clock: ServerClock
  guard: Guard
  registries: Registries
  link: Link
  selfTest: SelfTest
  spool: Spool
  /** Most concurrent runs. */
  slots: number
  killPoint: ((reached: KillPoint) => void) | undefined
}

/** How long results that change nothing wait for others. */
const linger = { leastMs: 2_000, mostMs: 5_000, everyMs: 10_000 } as const

/**
 * The agent of one region: runs the checks that the work stream assigns to it, and uploads their results. The
 * generation is the number of its assignment to the region; without one it runs nothing.
 */
export class ProbeAgent implements FrameHandler {
  readonly #deps: ProbeAgentDeps
  readonly #stopping = new AbortController()
  readonly #schedule = new Schedule<CheckJob>()
  readonly #crawls: Crawls
  readonly #runner: Runner
  readonly #work: WorkStream
  readonly #uploads: Uploads
  #generation: number | undefined
  #beats: NodeJS.Timeout | undefined
  #linger: number = linger.leastMs
  #lingerAt = 0
  #working: Promise<void> | undefined

  constructor(deps: ProbeAgentDeps) {
    this.#deps = deps
    const { config, link, clock, guard, selfTest, spool, log, killPoint } = deps
    this.#crawls = new Crawls({ link, guard, clock, selfTest, log })
    this.#runner = new Runner({
      ...deps,
      schedule: this.#schedule,
      browser: config.browser,
      findings: fetchFindings(link),
      lagLimitMs: config.lagLimitMs,
    })
    this.#work = new WorkStream({ link, clock, handler: this, log })
    this.#uploads = new Uploads({
      spool,
      link,
      clock,
      log,
      health: () => this.#health(),
      generation: () => this.#generation,
      onFenced: under => this.#onFenced(under),
      lingerMs: () => this.#lingerMs(),
      killPoint,
    })
  }

  start(): void {
    this.#deps.selfTest.start()
    this.#runner.start()
    this.#uploads.start()
    this.#beats = setInterval(() => void this.#beat(), limits.beatMs)
    this.#working = this.#work.run(this.#stopping.signal)
  }

  /** Waits for runs in progress and sends what it quickly can. */
  async stop(): Promise<void> {
    const { spool, selfTest } = this.#deps
    this.#crawls.clear()
    await this.#runner.stop(2_000)
    await Promise.race([spool.flush(), sleep(2_000, undefined, { ref: false })])
    await this.#uploads.stop(2_000)
    clearInterval(this.#beats)
    this.#stopping.abort()
    selfTest.stop()
    await Promise.race([this.#working, sleep(1_000)])
  }

  /** The spool has results, or may send again. */
  onSpoolReady(isUrgent: boolean): void {
    this.#uploads.ready(isUrgent)
  }

  hello(generation: number): void {
    this.#generation = generation
    this.#deps.log.info({ generation }, 'region assigned')
    this.#uploads.resume()
  }

  assign(checks: Assignment[]): void {
    const { clock, spool } = this.#deps
    const now = clock.now()
    for (const assignment of checks) {
      const { check } = assignment
      this.#schedule.assign(makeJob(assignment, spool.newestDue(check), this.#schedule.job(check)), now)
    }
    this.#runner.wake()
  }

  withdraw(checks: readonly string[]): void {
    for (const check of checks) this.#schedule.withdraw(check)
  }

  synced(checks: ReadonlySet<string>): void {
    this.#schedule.keepOnly(checks)
    this.#runner.wake()
    // the region is ineligible until its agent has confirmed its assignment list
    setImmediate(() => void this.#beat())
  }

  run({ check, after_ms, reason, request }: Parameters<FrameHandler['run']>[0]): void {
    const isNew = this.#schedule.request({ check, afterMs: after_ms, reason, request }, this.#deps.clock.now())
    if (isNew) this.#runner.wake()
  }

  crawl(frame: Parameters<FrameHandler['crawl']>[0]): void {
    this.#crawls.begin(frame)
  }

  standBy(): void {
    this.#pause('region served by another agent')
  }

  /** Stops runs: two agents of one region would run every check twice. Spooled results stay. */
  #pause(why: string) {
    if (this.#generation !== undefined || this.#schedule.size > 0) this.#deps.log.warn(why)
    this.#generation = undefined
    this.#schedule.clear()
    this.#crawls.clear()
  }

  /** A twelfth of the shortest interval, within bounds. Computed every ten seconds, as it reads all checks. */
  #lingerMs(): number {
    const now = performance.now()
    if (now - this.#lingerAt < linger.everyMs) return this.#linger
    this.#lingerAt = now
    const { size, shortestIntervalMs } = this.#schedule
    const share = size === 0 ? 0 : shortestIntervalMs / 12
    this.#linger = Math.min(Math.max(share, linger.leastMs), linger.mostMs)
    return this.#linger
  }

  #onFenced(under: number) {
    // a refusal of an old generation of this agent is no takeover
    if (this.#generation !== under || !this.#work.isGreeted) return
    this.#pause('region taken over by another agent')
    this.#work.restart()
  }

  async #beat() {
    const { link, clock, log } = this.#deps
    const generation = this.#generation
    if (generation === undefined) return
    try {
      const body = Buffer.from(JSON.stringify({ generation, health: this.#health() }))
      const signal = AbortSignal.any([this.#stopping.signal, AbortSignal.timeout(limits.leaseMs)])
      const reply = await link.post(agentPaths.beat, body, {}, signal)
      if (reply.status === 409) this.#onFenced(generation)
      const nowMs = reply.status === 200 ? serverTimeOf(reply.body) : undefined
      if (nowMs !== undefined) clock.sync(nowMs, reply.receivedAt, reply.requestedAt)
    } catch (error) {
      log.debug({ reason: messageOf(error) }, 'beat failure')
    }
  }

  #health(): Health {
    const { clock, selfTest, spool } = this.#deps
    return {
      revision: this.#work.revision,
      lag_ms: Math.round(selfTest.lagSince(clock.monotonic() - limits.leaseMs)),
      anchors: selfTest.anchors,
      resolver: selfTest.resolver,
      clock_skew_ms: Math.round(clock.skewMs),
      clock_drift_ms: Math.round(clock.driftMs),
      spooled: spool.spooled,
      dropped_total: spool.dropped,
      corrupt_total: spool.corrupt,
      in_flight: this.#runner.inFlight,
      rss_bytes: process.memoryUsage.rss(),
      version,
      unsupported: this.#runner.unsupported,
      schedule_delay: this.#runner.delays,
      missed_schedules: { ...this.#schedule.missed },
    }
  }

  figures(): Figures {
    const { clock, selfTest, slots, spool } = this.#deps
    return {
      checks: this.#schedule.size,
      runs: this.#runner.runs,
      faults: this.#runner.faults,
      unreliable: this.#runner.unreliable,
      missed: { ...this.#schedule.missed },
      delays: this.#runner.delays,
      inFlight: this.#runner.inFlight,
      slots,
      lagMs: selfTest.lagSince(performance.now() - 10_000),
      spooled: spool.spooled,
      dropped: spool.dropped,
      corrupt: spool.corrupt,
      unreadable: spool.unreadable,
      truncated: spool.truncated,
      diskBytes: spool.diskBytes,
      isSpoolDegraded: spool.isDegraded,
      accepted: this.#uploads.accepted,
      batches: this.#uploads.batches,
      refused: this.#uploads.refused,
      isConnected: this.#work.isConnected,
      isActive: this.#generation !== undefined,
      skewMs: clock.skewMs,
      driftMs: clock.driftMs,
    }
  }
}

const serverTimeOf = (body: unknown) =>
  typeof body === 'object' && body !== null && 'now_ms' in body && typeof body.now_ms === 'number'
    ? body.now_ms
    : undefined
