import { randomUUID } from 'node:crypto'
import type { Server } from 'node:http'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Logger, pino } from 'pino'
import { Registries } from '#checks/domain-expiry/registries.ts'
import { agentPaths, type Health, limits } from '#contract/agent.ts'
import { parseAllowList } from '#egress/address.ts'
import { Guard } from '#egress/guard.ts'
import { type FrameHandler, WorkStream } from './assignments.ts'
import { ServerClock } from './clock.ts'
import type { AgentConfig, KillPoint } from './config.ts'
import { Crawls } from './crawls.ts'
import { fetchFindings } from './findings.ts'
import { SelfTest } from './health.ts'
import { Identity } from './identity.ts'
import { type CheckJob, makeJob } from './job.ts'
import { Link, messageOf } from './link.ts'
import { type Figures, metricsOf, serveMetrics } from './metrics.ts'
import { Runner } from './run.ts'
import { Schedule } from './schedule.ts'
import { slotsOf, thisMachine } from './slots.ts'
import { Spool } from './spool.ts'
import { Uploads } from './stream.ts'

const version = '0.1.0'

/** Replacements for tests. */
export interface AgentParts {
  log?: Logger
  guard?: Guard
  /** Aborts waiting for the enrolment. */
  signal?: AbortSignal
}

export interface RunningAgent {
  boot: string
  figures(): Figures
  /** Waits for runs in progress, sends what it quickly can, and leaves the rest on disk. */
  stop(): Promise<void>
}

/** The agent of one region. Resolves once its state is open and it is enrolled; it then works by itself. */
export async function startAgent(config: AgentConfig, parts: AgentParts = {}): Promise<RunningAgent> {
  const log = parts.log ?? createLog(config.logLevel).child({ region: config.region })
  const boot = randomUUID()
  const stopping = new AbortController()
  const clock = new ServerClock()
  const guard = parts.guard ?? new Guard(config.egressAllow, { deny: config.egressDeny })
  // the operator chooses the anchors, so the deny list does not apply to them
  const anchorGuard = parts.guard ?? new Guard(parseAllowList('0.0.0.0/0 ::/0'))
  const registries = new Registries({ ...config.registries, cacheFile: join(config.dataDir, 'rdap-servers.json') })
  const identity = await Identity.open(config.dataDir, config.region)
  const link = new Link({ url: config.url, identity, clock, log })
  const killPoint = config.killAt && killer(config.killAt)
  const slots = config.maxInFlight ?? slotsOf(thisMachine())

  let generation: number | undefined
  const schedule = new Schedule<CheckJob>()
  const selfTest = new SelfTest({
    guard: anchorGuard,
    anchors: config.anchors,
    resolverControlName: config.resolverControlName,
  })
  const spool = await Spool.open({
    dir: join(config.dataDir, 'spool'),
    boot,
    secret: identity.secret,
    maxBytes: config.spoolMaxBytes,
    onReady: isUrgent => uploads.ready(isUrgent),
    onDegraded: error => log.error({ reason: messageOf(error) }, 'spool write failure'),
    onRecovered: () => log.info('spool write recovered'),
    onUnreadable: ({ name, error, isGone }) =>
      log.error({ segment: name, err: error, removed: isGone }, 'spool segment unreadable'),
  })
  const crawls = new Crawls({ link, guard, clock, selfTest, log })
  const findings = fetchFindings(link)
  const runner = new Runner({
    schedule,
    clock,
    guard,
    registries,
    browser: config.browser,
    selfTest,
    spool,
    log,
    findings,
    slots,
    lagLimitMs: config.lagLimitMs,
    killPoint,
  })

  const health = (): Health => ({
    revision: work.revision,
    lag_ms: Math.round(selfTest.lagSince(clock.monotonic() - limits.leaseMs)),
    anchors: selfTest.anchors,
    resolver: selfTest.resolver,
    clock_skew_ms: Math.round(clock.skewMs),
    clock_drift_ms: Math.round(clock.driftMs),
    spooled: spool.spooled,
    dropped_total: spool.dropped,
    corrupt_total: spool.corrupt,
    in_flight: runner.inFlight,
    rss_bytes: process.memoryUsage.rss(),
    version,
    unsupported: runner.unsupported,
    schedule_delay: runner.delays,
    missed_schedules: { ...schedule.missed },
  })

  /** Stops runs: two agents of one region would run every check twice. Spooled results stay. */
  const rest = (why: string) => {
    if (generation !== undefined || schedule.size > 0) log.warn(why)
    generation = undefined
    schedule.clear()
    crawls.clear()
  }
  const onFenced = (under: number) => {
    // a refusal of an old generation of this agent is no takeover
    if (generation !== under || !work.isGreeted) return
    rest('region taken over by another agent')
    work.restart()
  }

  const handler: FrameHandler = {
    hello(given) {
      generation = given
      log.info({ generation }, 'region assigned')
      uploads.resume()
    },
    assign(checks) {
      const now = clock.now()
      for (const assignment of checks) {
        const { check } = assignment
        schedule.assign(makeJob(assignment, spool.newestDue(check), schedule.job(check)), now)
      }
      runner.wake()
    },
    withdraw(checks) {
      for (const check of checks) schedule.withdraw(check)
    },
    synced(checks) {
      schedule.keepOnly(checks)
      runner.wake()
      // the region is ineligible until its agent has confirmed its assignment list
      setImmediate(() => void beat())
    },
    run({ check, after_ms, reason, request }) {
      if (schedule.request({ check, afterMs: after_ms, reason, request }, clock.now())) runner.wake()
    },
    crawl: frame => crawls.begin(frame),
    standBy: () => rest('region served by another agent'),
  }
  const work = new WorkStream({ link, clock, handler, log })
  const uploads = new Uploads({ spool, link, clock, log, health, generation: () => generation, onFenced, killPoint })

  async function beat() {
    const under = generation
    if (under === undefined) return
    try {
      const body = Buffer.from(JSON.stringify({ generation: under, health: health() }))
      const reply = await link.post(
        agentPaths.beat,
        body,
        {},
        AbortSignal.any([stopping.signal, AbortSignal.timeout(limits.leaseMs)]),
      )
      if (reply.status === 409) onFenced(under)
      const { body: said } = reply
      if (
        reply.status === 200 &&
        said &&
        typeof said === 'object' &&
        'now_ms' in said &&
        typeof said.now_ms === 'number'
      )
        clock.sync(said.now_ms, reply.receivedAt, reply.requestedAt)
    } catch (error) {
      log.debug({ reason: messageOf(error) }, 'beat failure')
    }
  }

  const figures = (): Figures => ({
    checks: schedule.size,
    runs: runner.runs,
    faults: runner.faults,
    unreliable: runner.unreliable,
    missed: { ...schedule.missed },
    delays: runner.delays,
    inFlight: runner.inFlight,
    slots,
    lagMs: selfTest.lagSince(performance.now() - 10_000),
    spooled: spool.spooled,
    dropped: spool.dropped,
    corrupt: spool.corrupt,
    unreadable: spool.unreadable,
    truncated: spool.truncated,
    diskBytes: spool.diskBytes,
    isSpoolDegraded: spool.isDegraded,
    accepted: uploads.accepted,
    batches: uploads.batches,
    refused: uploads.refused,
    isConnected: work.isConnected,
    isActive: generation !== undefined,
    skewMs: clock.skewMs,
    driftMs: clock.driftMs,
  })

  let metrics: Server | undefined
  if (config.metricsPort !== undefined) metrics = await serveMetrics(metricsOf(figures), config.metricsPort)
  try {
    await link.enrol(config.region, config.name, config.enrolmentToken, parts.signal ?? stopping.signal)
  } catch (error) {
    metrics?.close()
    await spool.close()
    await link.close()
    throw error
  }
  if (config.isInsecure) log.warn({ host: new URL(config.url).host }, 'insecure control plane address')
  log.info(
    { spooled: spool.spooled, corrupt: spool.corrupt, truncated: spool.truncated, unreadable: spool.unreadable, slots },
    'agent start',
  )

  selfTest.start()
  runner.start()
  uploads.start()
  const beats = setInterval(() => void beat(), limits.beatMs)
  const working = work.run(stopping.signal)

  return {
    boot,
    figures,
    async stop() {
      crawls.clear()
      await runner.stop(2_000)
      await Promise.race([spool.flush(), sleep(2_000, undefined, { ref: false })])
      await uploads.stop(2_000)
      clearInterval(beats)
      stopping.abort()
      selfTest.stop()
      await Promise.race([working, sleep(1_000)])
      await spool.close()
      await link.close()
      metrics?.close()
      metrics?.closeAllConnections()
      log.info({ spooled: spool.spooled }, 'agent stop')
    },
  }
}

/** `vedette probe`: an agent until SIGTERM, SIGINT or `signal`. */
export async function runAgent(config: AgentConfig, { signal, ...parts }: AgentParts = {}): Promise<void> {
  const stopped = new AbortController()
  const stop = () => stopped.abort()
  const asked = new Promise<void>(resolve => stopped.signal.addEventListener('abort', () => resolve()))
  for (const name of ['SIGTERM', 'SIGINT'] as const) process.once(name, stop)
  signal?.addEventListener('abort', stop)
  try {
    const agent = await startAgent(config, { ...parts, signal: stopped.signal })
    await asked
    await agent.stop()
  } finally {
    for (const name of ['SIGTERM', 'SIGINT'] as const) process.off(name, stop)
    signal?.removeEventListener('abort', stop)
  }
}

/**
 * Buffers at most a megabyte of log lines that cannot be written (full disk): a log line must not end the process and
 * its results in memory.
 */
const createLog = (level: string) =>
  pino(
    { name: 'agent', level },
    pino.destination({ fd: 1, sync: true, maxLength: 1_000_000 }).on('error', () => {}),
  )

/** For fault tests: ends the process at a named step as a power failure would. */
function killer({ point, count }: { point: KillPoint; count: number }) {
  let left = count
  return (reached: KillPoint) => {
    if (reached === point && --left === 0) process.kill(process.pid, 'SIGKILL')
  }
}
