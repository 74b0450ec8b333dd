import { randomUUID } from 'node:crypto'
import type { Server } from 'node:http'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Logger, pino } from 'pino'
import { Registries } from '#checks/domain-expiry/registries.ts'
import { agentPaths, type Health, limits } from '#contract/agent.ts'
import { parseAllowList } from '#egress/address.ts'
import { Guard } from '#egress/guard.ts'
import { type Worker, WorkStream } from './assignments.ts'
import { ServerClock } from './clock.ts'
import type { AgentConfig, KillPoint } from './config.ts'
import { Crawls } from './crawls.ts'
import { askFindings } from './findings.ts'
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

/** What a test may put in the place of the real thing. */
export interface AgentParts {
  log?: Logger
  guard?: Guard
  /** Gives up waiting for the control plane to enrol this agent. */
  signal?: AbortSignal
}

export interface RunningAgent {
  boot: string
  figures(): Figures
  /** Lets looks in flight end, sends what goes quickly, keeps the rest on disk. */
  stop(): Promise<void>
}

/** One region's agent. Resolves once its state is open and it is known to the control plane; it then works on its own. */
export async function startAgent(config: AgentConfig, parts: AgentParts = {}): Promise<RunningAgent> {
  const log = parts.log ?? createLog(config.logLevel).child({ region: config.region })
  const boot = randomUUID()
  const stopping = new AbortController()
  const clock = new ServerClock()
  const guard = parts.guard ?? new Guard(config.egressAllow, { deny: config.egressDeny })
  // anchors are the operator's choice: what checks may reach does not bind them
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
    onReady: isTelling => uploads.ready(isTelling),
    onIll: error => log.error({ reason: messageOf(error) }, 'the spool cannot write: results are in memory only'),
    onWell: () => log.info('the spool writes again'),
    onUnreadable: ({ name, error, isGone }) =>
      log.error({ segment: name, err: error, removed: isGone }, 'spool segment unreadable'),
  })
  const crawls = new Crawls({ link, guard, clock, selfTest, log })
  const findings = askFindings(link)
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

  /** Stops looking: two agents of one region would look twice. What is spooled stays. */
  const rest = (why: string) => {
    if (generation !== undefined || schedule.size > 0) log.warn(why)
    generation = undefined
    schedule.clear()
    crawls.clear()
  }
  const onFenced = (under: number) => {
    // a generation of before our own return is refused too, and nobody has taken anything over
    if (generation !== under || !work.isGreeted) return
    rest('another agent has taken this region over: standing by')
    work.restart()
  }

  const worker: Worker = {
    hello(given) {
      generation = given
      log.info({ generation }, 'this agent holds its region')
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
      // the region has no say before it has said that it knows its list
      setImmediate(() => void beat())
    },
    look({ check, after_ms, reason, request }) {
      if (schedule.ask({ check, afterMs: after_ms, reason, request }, clock.now())) runner.wake()
    },
    crawl: frame => crawls.begin(frame),
    standBy: () => rest('another agent holds this region: standing by'),
  }
  const work = new WorkStream({ link, clock, worker, log })
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
        clock.heard(said.now_ms, reply.heardAt, reply.askedAt)
    } catch (error) {
      log.debug({ reason: messageOf(error) }, 'a beat was not heard')
    }
  }

  const figures = (): Figures => ({
    checks: schedule.size,
    looks: runner.looks,
    faults: runner.faults,
    suspects: runner.suspects,
    missed: { ...schedule.missed },
    delays: runner.delays,
    inFlight: runner.inFlight,
    slots,
    lagMs: selfTest.lagSince(performance.now() - 10_000),
    spooled: spool.spooled,
    dropped: spool.dropped,
    corrupt: spool.corrupt,
    unreadable: spool.unreadable,
    torn: spool.torn,
    diskBytes: spool.diskBytes,
    isSpoolIll: spool.isIll,
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
  if (config.isInsecure)
    log.warn({ host: new URL(config.url).host }, 'insecure control plane address: tokens and secrets travel in clear')
  log.info(
    { spooled: spool.spooled, corrupt: spool.corrupt, torn: spool.torn, unreadable: spool.unreadable, slots },
    'the agent starts',
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
      log.info({ spooled: spool.spooled }, 'the agent has stopped')
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

/** Lines that cannot be written (a full disk) wait, a megabyte of them at most: results in memory must not die for a line. */
const createLog = (level: string) =>
  pino(
    { name: 'agent', level },
    pino.destination({ fd: 1, sync: true, maxLength: 1_000_000 }).on('error', () => {}),
  )

/** For fault tests: dies at a named step as if the machine had lost its power. */
function killer({ point, count }: { point: KillPoint; count: number }) {
  let left = count
  return (reached: KillPoint) => {
    if (reached === point && --left === 0) process.kill(process.pid, 'SIGKILL')
  }
}
