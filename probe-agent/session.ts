import { setTimeout as sleep } from 'node:timers/promises'
import type { Logger } from 'pino'
import { type Assignment, agentPaths, type Health, limits } from '#contract/agent.ts'
import { type FrameHandler, WorkStream } from './assignments.ts'
import type { ServerClock } from './clock.ts'
import type { KillPoint } from './config.ts'
import type { Crawls } from './crawls.ts'
import { type CheckJob, makeJob } from './job.ts'
import { type Link, messageOf } from './link.ts'
import type { Ownership, ShardOwner } from './ownership.ts'
import type { Runner } from './run.ts'
import type { Schedule } from './schedule.ts'
import type { Spool } from './spool.ts'
import { Uploads } from './stream.ts'

/** What a session shares with the others of the agent, and its own link. */
export interface SessionDeps {
  link: Link
  clock: ServerClock
  log: Logger
  schedule: Schedule<CheckJob>
  runner: Runner
  crawls: Crawls
  spool: Spool
  ownership: Ownership<Session>
  /** `revision`: of the session's assignments. */
  health: (revision: number) => Health
  lingerMs: () => number
  /** The session was replaced by another agent's. */
  onPaused: () => void
  /** The owners of the shards may have changed. */
  onDisconnected: () => void
  killPoint: ((reached: KillPoint) => void) | undefined
}

/**
 * The agent and one ingest process, which assigns the checks of the shards it owns and takes their results. The
 * generation is the number of this agent's assignment to the region; without one the checks of these shards do not run.
 */
export class Session implements FrameHandler, ShardOwner {
  readonly #deps: SessionDeps
  readonly #stopping = new AbortController()
  readonly #work: WorkStream
  readonly #uploads: Uploads
  #generation: number | undefined
  /** The stream is open and has said hello. */
  #isOpen = false
  /** A process that names no shards owns all, also while the stream is interrupted. */
  #namesShards = false
  #isSynced = false
  #beats: NodeJS.Timeout | undefined
  #working: Promise<void> | undefined

  constructor(deps: SessionDeps) {
    this.#deps = deps
    const { link, clock, spool, log, health, lingerMs, killPoint } = deps
    this.#work = new WorkStream({ link, clock, handler: this, log })
    this.#uploads = new Uploads({
      spool,
      link,
      clock,
      log,
      owner: this,
      health: () => health(this.#work.revision),
      generation: () => (this.isOwning ? this.#generation : undefined),
      onFenced: under => this.#onFenced(under),
      lingerMs,
      ...(killPoint && { killPoint }),
    })
  }

  get link() {
    return this.#deps.link
  }
  get isConnected() {
    return this.#work.isConnected
  }
  /** Whether its owner answers: it is connected, or stands by. */
  get isAnswered() {
    return this.#work.isConnected || this.#work.isStandingBy
  }
  /** Whether the region is assigned to this agent. */
  get isActive() {
    return this.#generation !== undefined
  }
  get isOwning() {
    return this.#generation !== undefined && (this.#isOpen || !this.#namesShards)
  }
  /** The list of its checks was complete once. */
  get isSynced() {
    return this.#isSynced
  }
  get uploaded() {
    const { accepted, batches, refused } = this.#uploads
    return { accepted, batches, refused }
  }

  /** The due time of the oldest result of a backlog that is being sent. */
  get waitingSince() {
    return this.#uploads.waitingSince
  }

  start() {
    this.#uploads.start()
    this.#beats = setInterval(() => void this.#beat(), limits.beatMs)
    this.#working = this.#work.run(this.#stopping.signal)
  }

  /** Sends what it quickly can, and ends. What was not acknowledged is in the spool afterwards. */
  async stop(timeoutMs: number) {
    await this.#uploads.stop(timeoutMs)
    clearInterval(this.#beats)
    this.#stopping.abort()
    await Promise.race([this.#working, sleep(1_000, undefined, { ref: false })])
  }

  /** Ends at once: its process owns no shards any more. */
  async close() {
    this.#stopping.abort()
    this.#deps.crawls.clear(this.link)
    await this.stop(0)
  }

  /** The spool has results of its shards, or may send again. */
  onSpoolReady(isUrgent: boolean) {
    this.#uploads.ready(isUrgent)
  }

  release() {
    return this.#uploads.release()
  }

  hello(generation: number, shards: readonly number[] | undefined) {
    this.#generation = generation
    this.#isOpen = true
    this.#namesShards = shards !== undefined
    this.#deps.log.info({ generation, ...(shards && { shards: shards.length }) }, 'region assigned')
    this.#deps.ownership.claim(this, shards)
    this.#uploads.resume()
  }

  assign(checks: Assignment[]) {
    const { clock, runner, schedule, spool } = this.#deps
    const now = clock.now()
    for (const assignment of checks) {
      const { check } = assignment
      const job = makeJob(assignment, spool.newestDue(check), schedule.job(check))
      if (this.#owns(job)) schedule.assign(job, now)
    }
    runner.wake()
  }

  /** Another session may have named the shard since: then it alone knows its checks. */
  #owns({ shard }: CheckJob) {
    return this.#deps.ownership.ownerOf(shard) === this
  }

  withdraw(checks: readonly string[]) {
    const { schedule } = this.#deps
    for (const check of checks) {
      const job = schedule.job(check)
      if (job && this.#owns(job)) schedule.withdraw(check)
    }
  }

  synced(checks: ReadonlySet<string>) {
    const { runner, schedule } = this.#deps
    schedule.keepOnly(checks, job => this.#owns(job))
    this.#isSynced = true
    runner.wake()
    // the region is ineligible until its agent has confirmed its assignment list
    setImmediate(() => void this.#beat())
  }

  run({ check, after_ms, reason, request }: Parameters<FrameHandler['run']>[0]) {
    const { clock, runner, schedule } = this.#deps
    const isNew = schedule.request({ check, afterMs: after_ms, reason, request }, clock.now())
    if (isNew) runner.wake()
  }

  crawl(frame: Parameters<FrameHandler['crawl']>[0]) {
    this.#deps.crawls.begin(frame, this.link)
  }

  standBy() {
    this.#pause('region served by another agent')
  }

  disconnected() {
    this.#isOpen = false
    if (this.#namesShards) this.#deps.ownership.apply()
    this.#deps.onDisconnected()
  }

  /** Stops the runs of its shards: two agents of one region would run every check twice. Spooled results stay. */
  #pause(why: string) {
    const { crawls, log, onPaused, ownership, schedule } = this.#deps
    if (this.#generation !== undefined) log.warn(why)
    this.#generation = undefined
    schedule.clear(job => this.#owns(job))
    crawls.clear(this.link)
    ownership.suspend(this)
    onPaused()
  }

  #onFenced(under: number) {
    // a refusal of an old generation of this agent is no takeover
    if (this.#generation !== under || !this.#work.isGreeted) return
    this.#pause('region taken over by another agent')
    this.#work.restart()
  }

  async #beat() {
    const { link, clock, health, log } = this.#deps
    const generation = this.#generation
    if (generation === undefined || this.#stopping.signal.aborted) return
    try {
      const body = Buffer.from(JSON.stringify({ generation, health: health(this.#work.revision) }))
      const signal = AbortSignal.any([this.#stopping.signal, AbortSignal.timeout(limits.leaseMs)])
      const reply = await link.post(agentPaths.beat, body, {}, signal)
      if (reply.status === 409) this.#onFenced(generation)
      const nowMs = reply.status === 200 ? serverTimeOf(reply.body) : undefined
      if (nowMs !== undefined) clock.sync(nowMs, reply.receivedAt, reply.requestedAt)
    } catch (error) {
      log.debug({ reason: messageOf(error) }, 'beat failure')
    }
  }
}

const serverTimeOf = (body: unknown) =>
  typeof body === 'object' && body !== null && 'now_ms' in body && typeof body.now_ms === 'number'
    ? body.now_ms
    : undefined
