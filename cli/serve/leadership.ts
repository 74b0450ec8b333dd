import { setTimeout as sleep } from 'node:timers/promises'
import { type IngestMetrics, ingest, type Touched } from '#analytics/ingest/ingest.ts'
import { insertRate } from '#analytics/ingest/store.ts'
import { readWatermarksSoon } from '#analytics/latest-results.ts'
import { Rollups } from '#analytics/rollup.ts'
import { shardCount } from '#contract/shards.ts'
import { watchEscalations } from '#control-plane/alerting/escalation-policies/runs/watch.ts'
import { watchSchedules } from '#control-plane/alerting/on-call-schedules/notices/watch.ts'
import { Quarantine } from '#control-plane/base/quarantine/quarantine.ts'
import { type Retries, retryQuarantined } from '#control-plane/base/quarantine/retries.ts'
import type { OwnedShards } from '#control-plane/base/shards.ts'
import { AgentRegistry } from '#control-plane/engine/agents/agent-registry.ts'
import { EligibilityLog } from '#control-plane/engine/agents/eligibility-log.ts'
import { Gateway } from '#control-plane/engine/agents/gateway.ts'
import { HistoryWaits, historyWaitsSince } from '#control-plane/engine/agents/history-waits.ts'
import { MissingResults } from '#control-plane/engine/agents/missing-results.ts'
import { startBeat } from '#control-plane/engine/agents/monitoring-gaps.ts'
import { Regions } from '#control-plane/engine/agents/regions.ts'
import { resultsHandlers } from '#control-plane/engine/agents/results.ts'
import { PurgedTenants } from '#control-plane/engine/assignments/purged.ts'
import { Registry } from '#control-plane/engine/assignments/registry.ts'
import { RequestedRuns } from '#control-plane/engine/assignments/requested-runs.ts'
import { TriedChecks } from '#control-plane/engine/assignments/tried-checks.ts'
import { WatchedResults } from '#control-plane/engine/assignments/watched-results.ts'
import { CrawlCoordinator } from '#control-plane/engine/crawls/coordinator.ts'
import { suppressionRetries, watchSuppression } from '#control-plane/engine/suppression/watch.ts'
import type { Fence } from '#control-plane/engine/verdicts/fence.ts'
import { PushedReports } from '#control-plane/engine/verdicts/pushed-reports.ts'
import { directRegion } from '#control-plane/engine/verdicts/quorum.ts'
import { RunSpans } from '#control-plane/engine/verdicts/run-spans.ts'
import { VerdictEngine } from '#control-plane/engine/verdicts/verdict-engine.ts'
import type { Services } from '#control-plane/http/services.ts'
import { watchWindows } from '#control-plane/monitoring/maintenance-windows/watch.ts'
import { watchBudgets } from '#control-plane/monitoring/objectives/watch.ts'
import { HeartbeatSweep } from '#control-plane/passive/heartbeats/sweep.ts'
import { watchServers } from '#control-plane/passive/servers/watch.ts'
import { type JudgedResults, JudgedWatch, startInstanceHeartbeat } from '#control-plane/platform/instance-heartbeat.ts'
import { watchPosts } from '#control-plane/publishing/status-pages/posts/follow.ts'
import { watchUpdates } from '#control-plane/publishing/status-pages/subscribers/fan-out.ts'
import { passTouchedOn, readTouched, touchedNotice } from './touched-hours.ts'

/** The state of a process that decides. */
export interface Leadership {
  gateway: Gateway
  regions: Regions
  readonly batchesInWork: number
  /** Why results of its shards are not judged, though checks are due; or null. */
  whyNotJudging(): string | null
  /** Since when results wait to be stored, or null. */
  readonly historyWaitsSince: Date | null
  /** Reloads after lost notifications of the database. */
  missed(): void
  /** `isLost`: another process may lead already, so no more verdicts may be written. */
  stop(isLost: boolean): Promise<void>
}

const drainMs = 4_000

/** Which checks a process decides on, and what keeps others from it. */
export interface Term {
  shards: OwnedShards
  fence: Fence
}

/**
 * Opens what a process works with that decides; what was opened is closed in reverse, also when a later step throws.
 * The owner of the first shard also has the duties that are not divided.
 */
export async function openLeadership(services: Services, term: Term): Promise<Leadership> {
  const { platform, listener, log, clickhouse } = services
  const { shards } = term
  await using opened = new AsyncDisposableStack()
  const parts = await openParts(services, term, opened)
  const { agentRegistry, registry, regions, verdictEngine, purged, ingestion } = parts
  const loaded = Promise.withResolvers<void>()
  loaded.promise.catch(() => undefined)
  opened.defer(() => loaded.reject(new Error('The ingest role failed to start.')))
  await registry.start(agentRegistry.regions)
  passChangesOn(services, parts, loaded.promise)
  const isHistoryWhole = (await historyWaitsSince(platform)) === null
  await verdictEngine.load(readWatermarksSoon(clickhouse, shards.parameter), isHistoryWhole)
  loaded.resolve()
  await parts.historyWaits.start()
  regions.refresh()
  regions.start()
  verdictEngine.start()
  parts.requestedRuns.start()
  parts.triedChecks.start()
  parts.watchedResults.start()
  parts.pushedReports.start()
  parts.crawls.start()
  const reloadAgents = () => {
    agentRegistry.load().then(
      () => regions.refresh(),
      error => log.warn({ err: error }, 'agent list reload failure'),
    )
  }
  opened.defer(listener.on('agents', reloadAgents))
  opened.defer(listener.on('purged', () => verdictEngine.forgetGone()))
  const retries = retriesOf(parts)
  const retried = retryQuarantined({ platform, listener, log, retries, shards: shards.parameter })
  opened.adopt(retried, rounds => rounds.stop())
  if (parts.singletonDuties) await startUndivided(services, parts, parts.singletonDuties, reloadAgents, opened)
  services.metrics.ingestShards.set(shards.numbers.length)
  opened.defer(() => services.metrics.ingestShards.set(0))
  log.info({ checks: registry.size, shards: shards.numbers.length, regions: agentRegistry.regions }, 'checks loaded')

  const gateway = gatewayOf(services, parts)
  const judged = new JudgedWatch(judgedResults(parts))
  const leadership = opened.move()
  return {
    gateway,
    regions,
    get batchesInWork() {
      return ingestion.inProgress
    },
    whyNotJudging: () => judged.whyNot(),
    get historyWaitsSince() {
      return parts.historyWaits.since
    },
    missed() {
      reloadAgents()
      registry.missed()
      purged.missed()
    },
    async stop(isLost) {
      if (isLost) await verdictEngine.stop(0)
      await leadership.disposeAsync()
    },
  }
}

const judgedResults = (parts: Parts): JudgedResults => ({
  get count() {
    return parts.judged
  },
  shortestIntervalMs() {
    let shortest: number | undefined
    for (const { rules } of parts.registry.all())
      if (rules.regions[0] !== directRegion && (shortest === undefined || rules.intervalMs < shortest))
        shortest = rules.intervalMs
    return shortest
  },
})

/**
 * The parts that only a process has that decides. They call each other when they run, so a part is built with this
 * object and reads the others from it later. They are started once the checks are loaded.
 */
interface Parts {
  term: Term
  agentRegistry: AgentRegistry
  quarantine: Quarantine
  /** Only of the owner of the first shard. */
  singletonDuties: SingletonDuties | undefined
  verdictEngine: VerdictEngine
  missing: MissingResults
  ingestion: ReturnType<typeof ingest>
  /** Results judged and stored so far. */
  judged: number
  pushedReports: PushedReports
  heartbeats: HeartbeatSweep
  purged: PurgedTenants
  registry: Registry
  crawls: CrawlCoordinator
  requestedRuns: RequestedRuns
  triedChecks: TriedChecks
  watchedResults: WatchedResults
  historyWaits: HistoryWaits
  regions: Regions
}

/** Duties over all tenants that one process has: what the time brings, and roll-ups. */
interface SingletonDuties {
  eligibilityLog: EligibilityLog
  servers: ReturnType<typeof watchServers>
  maintenance: ReturnType<typeof watchWindows>
  onCall: ReturnType<typeof watchSchedules>
  escalations: ReturnType<typeof watchEscalations>
  mailings: ReturnType<typeof watchUpdates>
  rolling: Rollups
}

/** Opens the parts. They are closed in reverse: what results come from before what takes them. */
async function openParts(services: Services, term: Term, opened: AsyncDisposableStack): Promise<Parts> {
  const { platform, log, clock } = services
  const parts = { judged: 0, term } as Parts
  parts.agentRegistry = new AgentRegistry({ platform, log })
  await parts.agentRegistry.load()
  parts.quarantine = new Quarantine(services)
  parts.missing = new MissingResults({
    log,
    nowMs: () => clock.nowMs(),
    missed: () => parts.regions.missedSchedules,
  })
  if (term.shards.isFirst) parts.singletonDuties = openSingletonDuties(services, opened)
  openVerdicts(services, parts, opened)
  openIngestion(services, parts, opened)
  openReports(services, parts, opened)
  parts.purged = opened.adopt(new PurgedTenants(services), tenants => tenants.stop())
  await parts.purged.start()
  openWork(services, parts, opened)
  openRegions(services, parts, opened)
  return parts
}

function openSingletonDuties(services: Services, opened: AsyncDisposableStack): SingletonDuties {
  const { platform, listener, log, clock, clickhouse, metrics } = services
  const eligibilityLog = new EligibilityLog({ platform, log })
  const servers = watchServers(services)
  const maintenance = watchWindows(services)
  const onCall = watchSchedules(services)
  const escalations = watchEscalations(services)
  const mailings = watchUpdates({ platform, listener, log })
  const posts = watchPosts({ platform, log })
  const suppression = watchSuppression({ platform, log })
  const budgets = watchBudgets({ platform, log })
  const rolling = new Rollups({
    clickhouse,
    now: () => clock.nowMs(),
    metrics: { mismatch: cells => metrics.rollupMismatch.set(cells), progress: () => undefined },
    onError: error => log.warn({ err: error }, 'roll-up failure'),
  })
  opened.defer(() => all(suppression.stop(), budgets.stop(), servers.stop(), eligibilityLog.stop()))
  opened.defer(() => all(maintenance.stop(), onCall.stop(), escalations.stop(), mailings.stop(), posts.stop()))
  opened.defer(() => drained(rolling.stop()))
  return { eligibilityLog, servers, maintenance, onCall, escalations, mailings, rolling }
}

async function startUndivided(
  services: Services,
  parts: Parts,
  singletonDuties: SingletonDuties,
  reloadAgents: () => void,
  opened: AsyncDisposableStack,
): Promise<void> {
  const { platform, listener, log } = services
  opened.adopt(await startBeat(platform, log), beat => beat.stop())
  parts.heartbeats.start()
  singletonDuties.rolling.start()
  opened.defer(listener.on(touchedNotice, payload => singletonDuties.rolling.touched(readTouched(payload))))
  const heartbeat = startInstanceHeartbeat({
    ...services,
    results: judgedResults(parts),
    isShared: !parts.term.shards.isAll,
  })
  opened.defer(async () => void (await heartbeat?.stop()))
  const retries = undividedRetriesOf(services, parts, singletonDuties, reloadAgents)
  opened.adopt(retryQuarantined({ platform, listener, log, retries }), rounds => rounds.stop())
}

function openVerdicts(services: Services, parts: Parts, opened: AsyncDisposableStack): void {
  const { platform, log, clock, metrics } = services
  parts.verdictEngine = new VerdictEngine({
    ...parts.term,
    pool: platform,
    clock,
    log,
    metrics,
    find: check => parts.registry.find(check),
    checksOf: monitor => parts.registry.checksOf(monitor),
    requestRun: (region, check, afterMs) =>
      void parts.regions.request(region, { type: 'run', check, after_ms: afterMs, reason: 'confirm' }),
    onUnreliable: unreliable => parts.regions.setUnreliable(unreliable),
    onSilent: silent => parts.missing.note(silent),
  })
  opened.defer(() => parts.verdictEngine.stop())
}

function openIngestion(services: Services, parts: Parts, opened: AsyncDisposableStack): void {
  const { log, clock, clickhouse, tracing } = services
  const runSpans = new RunSpans({
    tracing,
    clock,
    find: check => parts.registry.find(check),
    decide: (observations, spans) => parts.verdictEngine.decide(observations, spans),
  })
  const ingestion = ingest({
    clickhouse,
    everyMs: insertEveryMs(parts.term.shards),
    findAssigned: (region, check, at) => parts.registry.findFor(region, check, at),
    isPurged: tenant => parts.purged.has(tenant),
    decide: observations => runSpans.decide(observations),
    now: () => clock.nowMs(),
    onTouched: hours => touched(services, parts, hours),
    tries: {
      find: (region, check) => parts.triedChecks.find(region, check),
      completed: (region, result, judged) => parts.triedChecks.completed(region, result, judged),
    },
    onDecided: observations => parts.watchedResults.decided(observations),
    onStored: (observations, isStored) => runSpans.stored(observations, isStored),
    onRequestedRun: db => parts.requestedRuns.completed(db),
    onLost: (check, tenant, error) => void parts.quarantine.note('result', [{ key: check, tenant, error }]),
    metrics: ingestMetrics(services, parts),
    onError: error => log.warn({ err: error }, 'result batch failure'),
  })
  parts.ingestion = ingestion
  opened.defer(async () => {
    for (const end = performance.now() + drainMs; ingestion.inProgress > 0 && performance.now() < end; ) await sleep(20)
  })
}

/** All processes together insert as often as one would; a result is never stored much later for that. */
const insertEveryMs = ({ numbers }: OwnedShards) => Math.min(2_000, (insertRate.everyMs * shardCount) / numbers.length)

/** Closed hours that late results belong to are computed again by the process that computes roll-ups. */
function touched(services: Services, { singletonDuties }: Parts, hours: readonly Touched[]): void {
  if (singletonDuties) singletonDuties.rolling.touched(hours)
  else passTouchedOn(services, hours)
}

/** What decides without agents: pushed reports, and silence of jobs. */
function openReports(services: Services, parts: Parts, opened: AsyncDisposableStack): void {
  const { platform, listener, log } = services
  parts.pushedReports = new PushedReports({
    pool: platform,
    listener,
    log,
    find: check => parts.registry.find(check),
    decide: observations => parts.verdictEngine.decide(observations),
    shards: parts.term.shards,
  })
  parts.heartbeats = new HeartbeatSweep(services)
  opened.defer(() => drained(all(parts.heartbeats.stop(), parts.pushedReports.stop())))
}

/** What agents are given to do: assignments, steps of crawls, requested runs. */
function openWork(services: Services, parts: Parts, opened: AsyncDisposableStack): void {
  const { shards } = parts.term
  const lastDue = (check: string, region: string) => {
    const due = parts.verdictEngine.stateOf(check)?.region(region)?.due ?? -1
    return due < 0 ? null : due
  }
  const find = (check: string) => parts.registry.find(check)
  const send: Regions['request'] = (region, frame) => parts.regions.request(region, frame)
  const connected: Regions['connected'] = regions => parts.regions.connected(regions)
  parts.registry = opened.adopt(new Registry({ services, lastDue, shards }), list => list.stop())
  parts.crawls = opened.adopt(
    new CrawlCoordinator({
      services,
      find,
      checksOf: monitor => parts.registry.checksOf(monitor),
      regions: () => parts.regions.names,
      isListening: region => parts.regions.isListening(region),
      send,
      shards,
    }),
    crawls => crawls.stop(),
  )
  parts.requestedRuns = opened.adopt(
    new RequestedRuns({ services, find, settled: () => parts.registry.settled(), connected, send, shards }),
    asked => asked.stop(),
  )
  parts.triedChecks = opened.adopt(
    new TriedChecks({
      services,
      isListening: region => parts.regions.isListening(region),
      sendChanges: (region, assigned, withdrawn) => parts.regions.sendChanges(region, assigned, withdrawn),
      connected,
      send,
      shards,
    }),
    tried => tried.stop(),
  )
  parts.watchedResults = opened.adopt(new WatchedResults({ services }), watched => watched.stop())
}

function openRegions(services: Services, parts: Parts, opened: AsyncDisposableStack): void {
  const { agentRegistry, registry, singletonDuties, verdictEngine } = parts
  const { platform, log, metrics, clock } = services
  parts.historyWaits = opened.adopt(new HistoryWaits({ platform, log, metrics, nowMs: () => clock.nowMs() }), waits =>
    waits.stop(),
  )
  parts.regions = opened.adopt(
    new Regions({
      services,
      agentRegistry,
      work: registry,
      onEligibility(states, silentSince) {
        singletonDuties?.eligibilityLog.write(states, services.clock.nowMs())
        verdictEngine.eligibilityChanged(states, silentSince)
      },
      onRegions: names => registry.setRegions(names),
      onWaiting: (region, since) => parts.historyWaits.note(region, since),
      shards: parts.term.shards,
    }),
    all => all.stop(),
  )
}

/** Passes changes of checks and assignments on to the engine, the heartbeats and the agents. */
function passChangesOn(
  { log }: Services,
  { registry, verdictEngine, heartbeats, ingestion, regions }: Parts,
  loaded: Promise<void>,
): void {
  registry.passOnTo({
    checks(changed, gone) {
      const jobs = changed.flatMap(({ check, kind }) => (kind === 'cron' ? [check] : []))
      const take = async () => {
        const failed = (error: unknown) => log.error({ err: error }, 'check change failure')
        await verdictEngine.checksChanged(changed, gone).catch(failed)
        // schedules that changed are set again even if the verdict engine failed
        heartbeats.reconsider(jobs)
      }
      // changes during the load of the verdict engine are applied after it
      loaded.then(take, () => undefined)
    },
    regions(changes) {
      for (const [region, { assigned, withdrawn }] of changes) {
        for (const check of withdrawn) ingestion.forget(region, check)
        regions.sendChanges(
          region,
          assigned.map(check => registry.assignment(check, region)),
          withdrawn,
        )
      }
    },
  })
}

/** How each kind of quarantined row of the owned shards is handled again. */
function retriesOf({ registry, crawls, quarantine, verdictEngine, pushedReports }: Parts): Retries {
  return {
    check: checks => registry.retry(checks),
    crawl_run: runs => crawls.retry(runs),
    // released results that fail again are quarantined again
    result: checks => quarantine.release('result', checks),
    check_facts: checks => verdictEngine.retrySnapshots(checks),
    monitor_status: monitors => verdictEngine.retryWrites('monitor_status', monitors),
    pushed_report: reports => pushedReports.retry(reports),
    verdict: checks => verdictEngine.retry(checks),
    verdict_write: checks => verdictEngine.retryWrites('verdict_write', checks),
  }
}

/** How each kind of quarantined row is handled again that one process handles for all. */
function undividedRetriesOf(
  services: Services,
  { quarantine, heartbeats }: Parts,
  { servers, maintenance, onCall, escalations, mailings }: SingletonDuties,
  reloadAgents: () => void,
): Retries {
  return {
    agent: reloadAgents,
    server: monitors => servers.retry(monitors),
    server_metrics: monitors => quarantine.release('server_metrics', monitors),
    web_vitals: monitors => quarantine.release('web_vitals', monitors),
    heartbeat: checks => heartbeats.retry(checks),
    escalation_run: runs => escalations.retry(runs),
    maintenance_window: windows => maintenance.retry(windows),
    subscriber_mailing: updates => mailings.retry(updates),
    on_call_schedule: schedules => onCall.retry(schedules),
    ping_retention: checks => heartbeats.retryTrim(checks),
    ...suppressionRetries(services),
  }
}

function gatewayOf(services: Services, parts: Parts): Gateway {
  const { term, agentRegistry, regions, ingestion, crawls, registry, historyWaits } = parts
  return new Gateway({
    services,
    agentRegistry,
    regions,
    shards: term.shards,
    results: resultsHandlers({ ingest: ingestion, regions, historyWaits }),
    crawls: {
      step: (region, step) => crawls.step(region, step),
      async findings(region, check) {
        const assigned = registry.find(check)
        return assigned?.rules.regions.includes(region) ? crawls.findings(assigned) : undefined
      },
    },
  })
}

const all = async (...work: readonly Promise<unknown>[]): Promise<void> => void (await Promise.all(work))

/** Waits a limited time, because a store may hang. */
const drained = (work: Promise<void>): Promise<void> => Promise.race([work, sleep(drainMs, undefined, { ref: false })])

const ingestMetrics = ({ metrics }: Services, parts: Parts): IngestMetrics => ({
  accepted(region, results) {
    parts.judged += results
    metrics.results.inc({ region }, results)
  },
  refused: (_region, reason, results) => metrics.resultsRefused.inc({ reason }, results),
  batch: () => undefined,
  lag: (_region, milliseconds) => metrics.ingestLag.observe(milliseconds / 1_000),
})
