import { setTimeout as sleep } from 'node:timers/promises'
import { type IngestMetrics, ingest } from '#analytics/ingest/ingest.ts'
import { readWatermarks } from '#analytics/latest-results.ts'
import { Rollups } from '#analytics/rollup.ts'
import { Quarantine } from '#control-plane/base/quarantine/quarantine.ts'
import { type Retries, retryQuarantined } from '#control-plane/base/quarantine/retries.ts'
import { AgentRegistry } from '#control-plane/engine/agents/agent-registry.ts'
import { EligibilityLog } from '#control-plane/engine/agents/eligibility-log.ts'
import { createGateway, type Gateway } from '#control-plane/engine/agents/gateway.ts'
import { MissingResults } from '#control-plane/engine/agents/missing-results.ts'
import { keepBeat } from '#control-plane/engine/agents/monitoring-gaps.ts'
import { Regions } from '#control-plane/engine/agents/regions.ts'
import { resultsHandler } from '#control-plane/engine/agents/results.ts'
import { PurgedTenants } from '#control-plane/engine/assignments/purged.ts'
import { Registry } from '#control-plane/engine/assignments/registry.ts'
import { RequestedRuns } from '#control-plane/engine/assignments/requested-runs.ts'
import { CrawlCoordinator } from '#control-plane/engine/crawls/coordinator.ts'
import { suppressionRetries, watchSuppression } from '#control-plane/engine/suppression/watch.ts'
import { PushedReports } from '#control-plane/engine/verdicts/pushed-reports.ts'
import { VerdictEngine } from '#control-plane/engine/verdicts/verdict-engine.ts'
import type { Services } from '#control-plane/http/services.ts'
import { watchServers } from '#control-plane/monitoring/agent-monitors/watch.ts'
import { HeartbeatSweep } from '#control-plane/monitoring/cron-monitors/sweep.ts'
import { watchWindows } from '#control-plane/monitoring/maintenance-windows/watch.ts'
import { watchUpdates } from '#control-plane/publishing/status-pages/subscribers/fan-out.ts'

/** The state of the leading process. */
export interface Leadership {
  gateway: Gateway
  regions: Regions
  readonly batchesInWork: number
  /** Reloads after lost notifications of the database. */
  missed(): void
  /** `isLost`: another process may lead already, so no more verdicts may be written. */
  stop(isLost: boolean): Promise<void>
}

const drainMs = 4_000

/** Opens what the leading process works with; what was opened is closed in reverse, also when a later step throws. */
export async function openLeadership(services: Services): Promise<Leadership> {
  const { platform, listener, log, clickhouse } = services
  await using opened = new AsyncDisposableStack()
  const parts = await openParts(services, opened)
  const { agentRegistry, registry, regions, verdictEngine, purged, ingestion } = parts
  const loaded = Promise.withResolvers<void>()
  loaded.promise.catch(() => undefined)
  opened.defer(() => loaded.reject(new Error('The ingest role failed to start.')))
  await registry.start(agentRegistry.regions)
  passChangesOn(services, parts, loaded.promise)
  await verdictEngine.load(readWatermarks(clickhouse))
  loaded.resolve()
  opened.adopt(await keepBeat(platform, log), beat => beat.stop())
  regions.refresh()
  regions.start()
  verdictEngine.start()
  parts.requestedRuns.start()
  parts.pushedReports.start()
  parts.heartbeats.start()
  parts.crawls.start()
  parts.rolling.start()
  const reloadAgents = () => {
    agentRegistry.load().then(
      () => regions.refresh(),
      error => log.warn({ err: error }, 'agent list reload failure'),
    )
  }
  opened.defer(listener.on('agents', reloadAgents))
  opened.defer(listener.on('purged', () => verdictEngine.forgetGone()))
  const retries = retriesOf(services, parts, reloadAgents)
  opened.adopt(retryQuarantined({ platform, listener, log, retries }), rounds => rounds.stop())
  log.info({ checks: registry.size, regions: agentRegistry.regions }, 'checks loaded')

  const gateway = gatewayOf(services, parts)
  const leadership = opened.move()
  return {
    gateway,
    regions,
    get batchesInWork() {
      return ingestion.inProgress
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

/** The engine and the loops that only the leading process runs. They are started once the checks are loaded. */
async function openParts(services: Services, opened: AsyncDisposableStack) {
  const { platform, listener, log, clock, clickhouse, metrics } = services
  const agentRegistry = new AgentRegistry({ platform, log })
  await agentRegistry.load()
  const quarantine = new Quarantine(services)
  const eligibilityLog = new EligibilityLog({ platform, log })
  const [suppression, servers] = [watchSuppression({ platform, log }), watchServers(services)]
  const maintenance = watchWindows({ platform, log })
  const mailings = watchUpdates({ platform, listener, log })
  opened.defer(() =>
    all(suppression.stop(), servers.stop(), eligibilityLog.stop(), maintenance.stop(), mailings.stop()),
  )
  const verdictEngine: VerdictEngine = new VerdictEngine({
    pool: platform,
    clock,
    log,
    metrics,
    find: check => registry.find(check),
    checksOf: monitor => registry.checksOf(monitor),
    requestRun: (region, check, afterMs) =>
      void regions.request(region, { type: 'run', check, after_ms: afterMs, reason: 'confirm' }),
    onUnreliable: unreliable => regions.setUnreliable(unreliable),
    onSilent: silent => missing.note(silent),
  })
  const missing = new MissingResults({ log, nowMs: () => clock.nowMs(), missed: () => regions.missedSchedules })
  const rolling = new Rollups({
    clickhouse,
    now: () => clock.nowMs(),
    metrics: { mismatch: cells => metrics.rollupMismatch.set(cells), progress: () => undefined },
    onError: error => log.warn({ err: error }, 'roll-up failure'),
  })
  opened.defer(() => all(verdictEngine.stop(), drained(rolling.stop())))
  const ingestion = ingest({
    clickhouse,
    findAssigned: (region, check, at) => registry.findFor(region, check, at),
    isPurged: tenant => purged.has(tenant),
    decide: observations => verdictEngine.decide(observations),
    now: () => clock.nowMs(),
    onTouched: hours => rolling.touched(hours),
    onRequestedRun: (request, check, region) => requestedRuns.completed({ request, check, region }),
    onLost: (check, tenant, error) => void quarantine.note('result', [{ key: check, tenant, error }]),
    metrics: ingestMetrics(services),
    onError: error => log.warn({ err: error }, 'result batch failure'),
  })
  opened.defer(async () => {
    for (const end = performance.now() + drainMs; ingestion.inProgress > 0 && performance.now() < end; ) await sleep(20)
  })
  const pushedReports = new PushedReports({
    pool: platform,
    listener,
    log,
    find: check => registry.find(check),
    decide: observations => verdictEngine.decide(observations),
  })
  const heartbeats = new HeartbeatSweep(services)
  opened.defer(() => drained(all(heartbeats.stop(), pushedReports.stop())))
  const purged = opened.adopt(new PurgedTenants(services), tenants => tenants.stop())
  await purged.start()
  const registry: Registry = opened.adopt(
    new Registry({
      services,
      lastDue: (check, region) => {
        const due = verdictEngine.stateOf(check)?.region(region)?.due ?? -1
        return due < 0 ? null : due
      },
    }),
    list => list.stop(),
  )
  const crawls = new CrawlCoordinator({
    services,
    find: check => registry.find(check),
    checksOf: monitor => registry.checksOf(monitor),
    regions: () => regions.names,
    isListening: region => regions.isListening(region),
    send: (region, frame) => regions.request(region, frame),
  })
  opened.defer(() => crawls.stop())
  const send = (region: string, frame: Parameters<Regions['request']>[1]) => regions.request(region, frame)
  const requestedRuns = opened.adopt(
    new RequestedRuns({ services, find: check => registry.find(check), settled: () => registry.settled(), send }),
    asked => asked.stop(),
  )
  const regions: Regions = opened.adopt(
    new Regions({
      services,
      agentRegistry,
      work: registry,
      onEligibility(states) {
        eligibilityLog.write(states, clock.nowMs())
        verdictEngine.eligibilityChanged(states)
      },
      onRegions: names => registry.setRegions(names),
    }),
    all => all.stop(),
  )
  return {
    agentRegistry,
    quarantine,
    servers,
    maintenance,
    mailings,
    verdictEngine,
    rolling,
    ingestion,
    pushedReports,
    heartbeats,
    purged,
    registry,
    crawls,
    requestedRuns,
    regions,
  }
}
type Parts = Awaited<ReturnType<typeof openParts>>

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

/** How each kind of quarantined row is handled again. */
function retriesOf(services: Services, parts: Parts, reloadAgents: () => void): Retries {
  const { registry, crawls, quarantine, servers, heartbeats, maintenance, mailings, verdictEngine, pushedReports } =
    parts
  return {
    agent: reloadAgents,
    check: checks => registry.retry(checks),
    crawl_run: runs => crawls.retry(runs),
    // released results that fail again are quarantined again
    result: checks => quarantine.release('result', checks),
    server: monitors => servers.retry(monitors),
    server_metrics: monitors => quarantine.release('server_metrics', monitors),
    web_vitals: monitors => quarantine.release('web_vitals', monitors),
    heartbeat: checks => heartbeats.retry(checks),
    maintenance_window: windows => maintenance.retry(windows),
    subscriber_mailing: updates => mailings.retry(updates),
    ping_retention: checks => heartbeats.retryTrim(checks),
    check_facts: checks => verdictEngine.retrySnapshots(checks),
    monitor_status: monitors => verdictEngine.retryWrites('monitor_status', monitors),
    pushed_report: reports => pushedReports.retry(reports),
    verdict: checks => verdictEngine.retry(checks),
    verdict_write: checks => verdictEngine.retryWrites('verdict_write', checks),
    ...suppressionRetries(services),
  }
}

function gatewayOf(services: Services, { agentRegistry, regions, ingestion, crawls, registry }: Parts): Gateway {
  return createGateway({
    services,
    agentRegistry,
    regions,
    takeResults: resultsHandler({ ingest: ingestion, regions }),
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

const ingestMetrics = ({ metrics }: Services): IngestMetrics => ({
  accepted: (region, results) => metrics.results.inc({ region }, results),
  refused: (_region, reason, results) => metrics.resultsRefused.inc({ reason }, results),
  batch: () => undefined,
  lag: (_region, milliseconds) => metrics.ingestLag.observe(milliseconds / 1_000),
})
