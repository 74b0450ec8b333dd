import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import { type Logger, pino } from 'pino'
import { Registries } from '#checks/domain-expiry/registries.ts'
import { parseAllowList } from '#egress/address.ts'
import { Guard } from '#egress/guard.ts'
import { ProbeAgent } from './agent.ts'
import { ServerClock } from './clock.ts'
import type { AgentConfig, KillPoint } from './config.ts'
import { SelfTest } from './health.ts'
import { Identity } from './identity.ts'
import { Link, messageOf } from './link.ts'
import { type Figures, metricsOf, serveMetrics } from './metrics.ts'
import { slotsOf, thisMachine } from './slots.ts'
import { Spool } from './spool.ts'

/** Replacements for tests. */
export interface AgentParts {
  log?: Logger
  guard?: Guard
  /** Aborts waiting for the enrolment. */
  signal?: AbortSignal
  /** The protocol it says it speaks. */
  protocol?: number
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
  const clock = new ServerClock()
  const guard = parts.guard ?? new Guard(config.egressAllow, { deny: config.egressDeny })
  const registries = new Registries({ ...config.registries, cacheFile: join(config.dataDir, 'rdap-servers.json') })
  const selfTest = new SelfTest({
    // the operator chooses the anchors, so the deny list does not apply to them
    guard: parts.guard ?? new Guard(parseAllowList('0.0.0.0/0 ::/0')),
    anchors: config.anchors,
    resolverControlName: config.resolverControlName,
  })
  const slots = config.maxInFlight ?? slotsOf(thisMachine())
  const killPoint = config.killAt && killer(config.killAt)

  await using opened = new AsyncDisposableStack()
  const identity = await Identity.open(config.dataDir, config.region)
  const linkTo = (url: string) => new Link({ url, identity, clock, log, protocol: parts.protocol })
  const link = opened.adopt(linkTo(config.url), link => link.close())
  const spool = await Spool.open({
    dir: join(config.dataDir, 'spool'),
    boot,
    secret: identity.secret,
    maxBytes: config.spoolMaxBytes,
    onReady: (isUrgent, owner) => agent.onSpoolReady(isUrgent, owner),
    ownerOfCheck: check => agent.takerOfCheck(check),
    onDegraded: error => log.error({ reason: messageOf(error) }, 'spool write failure'),
    onRecovered: () => log.info('spool write recovered'),
    onUnreadable: ({ name, error, isGone }) =>
      log.error({ segment: name, err: error, removed: isGone }, 'spool segment unreadable'),
  })
  opened.defer(() => spool.close())
  const agent = new ProbeAgent({
    config,
    log,
    clock,
    guard,
    registries,
    link,
    linkTo,
    selfTest,
    spool,
    slots,
    killPoint,
  })
  if (config.metricsPort !== undefined)
    opened.adopt(
      await serveMetrics({
        registry: metricsOf(() => agent.figures()),
        isReady: () => agent.figures().isReady,
        port: config.metricsPort,
        host: config.metricsHost,
      }),
      server => {
        server.close()
        server.closeAllConnections()
      },
    )
  await link.enrol(config.region, config.name, config.enrolmentToken, parts.signal ?? new AbortController().signal)
  if (config.isInsecure) log.warn({ host: new URL(config.url).host }, 'insecure control plane address')
  const { spooled, corrupt, truncated, unreadable } = spool
  log.info({ spooled, corrupt, truncated, unreadable, slots }, 'agent start')
  agent.start()

  const running = opened.move()
  return {
    boot,
    figures: () => agent.figures(),
    async stop() {
      await agent.stop()
      await running.disposeAsync()
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
