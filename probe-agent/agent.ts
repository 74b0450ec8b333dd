import { setTimeout as sleep } from 'node:timers/promises'
import type { Logger } from 'pino'
import type { Registries } from '#checks/domain-expiry/registries.ts'
import { type Health, limits } from '#contract/agent.ts'
import { build } from '#contract/version.ts'
import type { Guard } from '#egress/guard.ts'
import type { ServerClock } from './clock.ts'
import type { AgentConfig, KillPoint } from './config.ts'
import { Crawls } from './crawls.ts'
import { fetchFindings } from './findings.ts'
import type { SelfTest } from './health.ts'
import type { CheckJob } from './job.ts'
import { KeptOwners } from './kept-owners.ts'
import type { Link } from './link.ts'
import type { Figures } from './metrics.ts'
import { OwnerDirectory } from './owners.ts'
import { Ownership } from './ownership.ts'
import { Runner } from './run.ts'
import { Schedule } from './schedule.ts'
import { Session } from './session.ts'
import type { Owner, Spool } from './spool.ts'

/** What an agent works with, opened by `startAgent`. */
export interface ProbeAgentDeps {
  config: AgentConfig
  log: Logger
  clock: ServerClock
  guard: Guard
  registries: Registries
  /** To the address that the agent was given. */
  link: Link
  /** Opens a link to another process of the control plane. */
  linkTo: (url: string) => Link
  selfTest: SelfTest
  spool: Spool
  /** Most concurrent runs. */
  slots: number
  killPoint: ((reached: KillPoint) => void) | undefined
}

/** How long results that change nothing wait for others. */
const linger = { leastMs: 2_000, mostMs: 5_000, everyMs: 10_000 } as const

/**
 * The agent of one region: runs the checks that the control plane assigns to it, and uploads their results. It has a
 * session with each process of the control plane that owns shards.
 */
export class ProbeAgent {
  readonly #deps: ProbeAgentDeps
  readonly #stopping = new AbortController()
  readonly #schedule = new Schedule<CheckJob>()
  readonly #crawls: Crawls
  readonly #runner: Runner
  readonly #ownership: Ownership<Session>
  readonly #directory: OwnerDirectory
  /** By address. */
  readonly #sessions = new Map<string, Session>()
  readonly #closing = new Map<Session, Promise<void>>()
  /** Of closed sessions. */
  readonly #uploaded: Session['uploaded'] = { accepted: 0, batches: 0, refused: {} }
  #linger: number = linger.leastMs
  #lingerAt = 0
  #asking: Promise<void> | undefined

  constructor(deps: ProbeAgentDeps) {
    this.#deps = deps
    const { config, link, clock, guard, selfTest, spool, log } = deps
    this.#crawls = new Crawls({
      guard,
      clock,
      selfTest,
      log,
      onUnexpected: error => this.#runner.unexpected.record('crawl', error),
    })
    this.#ownership = new Ownership(spool)
    this.#runner = new Runner({
      ...deps,
      schedule: this.#schedule,
      browser: config.browser,
      findings: fetchFindings(check => this.#ownerOf(check)?.link),
      lagLimitMs: config.lagLimitMs,
    })
    this.#directory = new OwnerDirectory({
      link,
      url: config.url,
      others: () => [...this.#sessions].flatMap(([url, session]) => (url === config.url ? [] : session.link)),
      kept: new KeptOwners(config.dataDir, config.url),
      mayBeInsecure: config.mayBeInsecure,
      log,
      onOwners: urls => this.#setOwners(urls),
    })
  }

  start(): void {
    this.#deps.selfTest.start()
    this.#runner.start()
    this.#asking = this.#directory.run(this.#stopping.signal)
  }

  /** Waits for runs in progress and sends what it quickly can. */
  async stop(): Promise<void> {
    const { spool, selfTest } = this.#deps
    this.#stopping.abort()
    this.#crawls.clear()
    await this.#runner.stop(2_000)
    await Promise.race([spool.flush(), sleep(2_000, undefined, { ref: false })])
    await this.#asking
    const sessions = [...this.#sessions].map(async ([url, session]) => {
      await session.stop(2_000)
      await this.#closeLink(url, session)
    })
    await Promise.all([...sessions, ...this.#closing.values()])
    selfTest.stop()
  }

  /** The spool has results of this owner's shards, or may send again. */
  onSpoolReady(isUrgent: boolean, owner: Owner | undefined): void {
    if (owner instanceof Session) owner.onSpoolReady(isUrgent)
  }

  /**
   * For results of older agents, which do not name their shard. Those of a check that no owner has assigned go to any,
   * as soon as all owners have sent their lists.
   */
  takerOfCheck(check: string): Owner | undefined {
    const job = this.#schedule.job(check)
    if (job) return this.#ownership.takerOf(job.shard)
    const sessions = [...this.#sessions.values()]
    const areAllKnown = sessions.length === 1 || sessions.every(({ isSynced }) => isSynced)
    return areAllKnown ? sessions.find(({ isOwning }) => isOwning) : undefined
  }

  #ownerOf(check: string): Session | undefined {
    const job = this.#schedule.job(check)
    return job && this.#ownership.ownerOf(job.shard)
  }

  #setOwners(urls: readonly string[]) {
    for (const [url, session] of this.#sessions) {
      if (urls.includes(url)) continue
      this.#sessions.delete(url)
      const closing = session.close()
      this.#ownership.leave(session, closing)
      const closed = closing.then(() => this.#forget(url, session))
      this.#closing.set(session, closed)
    }
    for (const url of urls) if (!this.#sessions.has(url)) this.#open(url)
  }

  #open(url: string) {
    const { config, clock, link, linkTo, log, spool, killPoint } = this.#deps
    const isGiven = url === config.url
    if (!isGiven) log.info({ owner: url }, 'session start')
    const session = new Session({
      link: isGiven ? link : linkTo(url),
      clock,
      log: isGiven ? log : log.child({ owner: url }),
      schedule: this.#schedule,
      runner: this.#runner,
      crawls: this.#crawls,
      spool,
      ownership: this.#ownership,
      health: revision => this.#health(revision),
      lingerMs: () => this.#lingerMs(),
      onPaused: () => this.#onPaused(),
      onDisconnected: () => this.#directory.ask(),
      killPoint,
    })
    this.#sessions.set(url, session)
    session.start()
  }

  async #forget(url: string, session: Session) {
    this.#deps.log.info({ owner: url }, 'session end')
    this.#closing.delete(session)
    add(this.#uploaded, session.uploaded)
    await this.#closeLink(url, session)
  }

  async #closeLink(url: string, { link }: Session) {
    if (url !== this.#deps.config.url) await link.close()
  }

  /** A region without any session is served by another agent: checks of former owners must not run on. */
  #onPaused() {
    if (![...this.#sessions.values()].some(({ isActive }) => isActive)) this.#schedule.clear()
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

  #health(revision: number): Health {
    const { clock, selfTest, spool } = this.#deps
    return {
      revision,
      lag_ms: Math.round(selfTest.lagSince(clock.monotonic() - limits.leaseMs)),
      anchors: selfTest.anchors,
      resolver: selfTest.resolver,
      clock_skew_ms: Math.round(clock.skewMs),
      clock_drift_ms: Math.round(clock.driftMs),
      spooled: spool.spooled,
      unstored_since_ms: this.#waitingSince,
      dropped_total: spool.dropped,
      corrupt_total: spool.corrupt,
      in_flight: this.#runner.inFlight,
      rss_bytes: process.memoryUsage.rss(),
      version: build,
      unsupported: this.#runner.unsupported,
      schedule_delay: this.#runner.delays,
      missed_schedules: { ...this.#schedule.missed },
    }
  }

  /** The due time of the oldest result in a backlog. */
  get #waitingSince(): number | null {
    const dues = [this.#deps.spool.waitingSince, ...[...this.#sessions.values()].map(session => session.waitingSince)]
    const known = dues.filter(due => due !== undefined)
    return known.length > 0 ? Math.min(...known) : null
  }

  figures(): Figures {
    const { clock, selfTest, slots, spool } = this.#deps
    const sessions = [...this.#sessions.values()]
    const uploaded = { ...this.#uploaded, refused: { ...this.#uploaded.refused } }
    for (const session of [...sessions, ...this.#closing.keys()]) add(uploaded, session.uploaded)
    return {
      checks: this.#schedule.size,
      runs: this.#runner.runs,
      faults: this.#runner.faults,
      unexpected: this.#runner.unexpected.counts,
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
      ...uploaded,
      isConnected: sessions.length > 0 && sessions.every(({ isConnected }) => isConnected),
      isReady: sessions.length > 0 && sessions.every(({ isAnswered }) => isAnswered),
      owners: Object.fromEntries([...this.#sessions].map(([url, { isAnswered }]) => [new URL(url).host, isAnswered])),
      isActive: sessions.some(({ isActive }) => isActive),
      skewMs: clock.skewMs,
      driftMs: clock.driftMs,
    }
  }
}

function add(sum: Session['uploaded'], { accepted, batches, refused }: Session['uploaded']) {
  sum.accepted += accepted
  sum.batches += batches
  for (const [reason, count] of Object.entries(refused)) sum.refused[reason] = (sum.refused[reason] ?? 0) + count
}
