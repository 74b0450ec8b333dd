import type { RequestListener } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { type IngestMetrics, ingest } from '#analytics/ingest/take.ts'
import { readWatermarks } from '#analytics/latest-looks.ts'
import { rollups } from '#analytics/rollup.ts'
import type { Services } from '#control-plane/kernel/services.ts'
import { watchServers } from '#control-plane/monitoring/agent-monitors/watch.ts'
import { keepBeat } from '#control-plane/monitoring/agents/blind-spells.ts'
import { createGateway, type Gateway } from '#control-plane/monitoring/agents/gateway.ts'
import { StandingsNote } from '#control-plane/monitoring/agents/note-standings.ts'
import { Regions } from '#control-plane/monitoring/agents/regions.ts'
import { resultsHandler } from '#control-plane/monitoring/agents/results.ts'
import { Roster } from '#control-plane/monitoring/agents/roster.ts'
import { AskedLooks } from '#control-plane/monitoring/assignments/asked-looks.ts'
import { PurgedTenants } from '#control-plane/monitoring/assignments/purged.ts'
import { Registry } from '#control-plane/monitoring/assignments/registry.ts'
import { CrawlDesk } from '#control-plane/monitoring/crawl-runs/desk.ts'
import { HeartbeatSweep } from '#control-plane/monitoring/cron-monitors/sweep.ts'
import { watchNoise } from '#control-plane/monitoring/noise/watch.ts'
import { Decider } from '#control-plane/monitoring/verdicts/decide.ts'
import { DirectWords } from '#control-plane/monitoring/verdicts/direct.ts'
import { sendJson } from './health.ts'
import { Leader } from './leader.ts'

export interface Ingest {
  handle: RequestListener
  /** Why this process takes no results, or null. */
  readonly whyNot: string | null
  /** Regions without a say at the moment. */
  readonly silentRegions: string[]
  readonly batchesInWork: number
  close(): Promise<void>
}

/** While one process leads: everything it holds in memory. */
interface Term {
  gateway: Gateway
  regions: Regions
  readonly batchesInWork: number
  /** Notices of the database were lost. */
  missed(): void
  /** `isLost`: another process may lead already, so nothing may be decided any more. */
  stop(isLost: boolean): Promise<void>
}

const drainMs = 4_000

/** The ingest role: one process at a time hears the agents, judges and remembers; the others stand by. */
export async function openIngest(services: Services): Promise<Ingest> {
  let term: Term | undefined
  const leader = new Leader({
    url: services.config.platformUrl,
    log: services.log,
    async lead() {
      const begun = await beginTerm(services)
      term = begun
      return {
        async stop(isLost) {
          term = undefined
          await begun.stop(isLost)
        },
      }
    },
  })
  services.listener.onMissed(() => term?.missed())
  await leader.start()
  return {
    handle(request, response) {
      if (term) return void term.gateway(request, response)
      sendJson(
        response,
        503,
        { message: 'This process does not take results at the moment.', code: 'unavailable' },
        { 'Retry-After': '1', Connection: 'close' },
      )
    },
    get whyNot() {
      return leader.whyNot
    },
    get silentRegions() {
      return term?.regions.silent ?? []
    },
    get batchesInWork() {
      return term?.batchesInWork ?? 0
    },
    close: () => leader.stop(),
  }
}

async function beginTerm(services: Services): Promise<Term> {
  const { platform, listener, log, clock, clickhouse, metrics } = services
  const roster = new Roster(platform)
  await roster.load()
  const purged = new PurgedTenants(services)
  await purged.start()
  const registry: Registry = new Registry({
    services,
    lastDue: (check, region) => {
      const due = decider.stateOf(check)?.region(region)?.due ?? -1
      return due < 0 ? null : due
    },
  })
  const decider: Decider = new Decider({
    pool: platform,
    clock,
    log,
    metrics,
    find: check => registry.find(check),
    checksOf: monitor => registry.checksOf(monitor),
    askLook: (region, check, afterMs) => void regions.ask(region, { type: 'look', check, after_ms: afterMs, reason: 'confirm' }),
    onSuspects: suspects => regions.setSuspects(suspects),
  })
  const standings = new StandingsNote({ platform, log })
  const regions: Regions = new Regions({
    services,
    roster,
    work: registry,
    onEligibility(states) {
      standings.write(states, clock.nowMs())
      decider.eligibilityChanged(states)
    },
    onRegions: names => registry.setRegions(names),
  })
  const looks = new AskedLooks({
    services,
    find: check => registry.find(check),
    settled: () => registry.settled(),
    ask: (region, frame) => regions.ask(region, frame),
  })
  const words = new DirectWords({
    pool: platform,
    listener,
    log,
    find: check => registry.find(check),
    decide: observations => decider.decide(observations),
  })
  const heartbeats = new HeartbeatSweep(services)
  const desk = new CrawlDesk({
    services,
    find: check => registry.find(check),
    checksOf: monitor => registry.checksOf(monitor),
    regions: () => regions.names,
    isListening: region => regions.isListening(region),
    ask: (region, frame) => regions.ask(region, frame),
  })
  const rolling = rollups({
    clickhouse,
    now: () => clock.nowMs(),
    metrics: { mismatch: cells => metrics.rollupMismatch.set(cells), progress: () => undefined },
    onError: error => log.warn({ err: error }, 'a roll-up waits for ClickHouse'),
  })
  const taking = ingest({
    clickhouse,
    findAssigned: (region, check, at) => registry.findFor(region, check, at),
    isPurged: tenant => purged.has(tenant),
    decide: observations => decider.decide(observations),
    now: () => clock.nowMs(),
    onTouched: hours => rolling.touched(hours),
    onLooked: (request, check, region) => looks.looked({ request, check, region }),
    metrics: ingestMetrics(services),
    onError: error => log.warn({ err: error }, 'a batch could not be decided or stored'),
  })

  const loaded = Promise.withResolvers<void>()
  loaded.promise.catch(() => undefined)
  try {
    await registry.start(roster.regions)
    registry.tell({
      checks(changed, gone) {
        // what changes while the decider still loads is told to it afterwards
        loaded.promise
          .then(() => decider.checksChanged(changed, gone))
          .then(() => heartbeats.reconsider(changed.flatMap(({ check, kind }) => (kind === 'cron' ? [check] : []))))
          .catch(error => log.error({ err: error }, 'a change of the work list was not taken in'))
      },
      regions(changes) {
        for (const [region, { assigned, withdrawn }] of changes) {
          for (const check of withdrawn) taking.forget(region, check)
          regions.tell(
            region,
            assigned.map(check => registry.assignment(check, region)),
            withdrawn,
          )
        }
      },
    })
    await decider.load(readWatermarks(clickhouse))
    loaded.resolve()
  } catch (error) {
    loaded.reject(error)
    registry.stop()
    purged.stop()
    throw error
  }
  const beat = await keepBeat(platform, log)
  regions.refresh()
  regions.start()
  decider.start()
  looks.start()
  words.start()
  heartbeats.start()
  desk.start()
  rolling.start()
  const noise = watchNoise({ platform, log })
  const servers = watchServers(services)
  const reloadRoster = () => {
    roster.load().then(
      () => regions.refresh(),
      error => log.warn({ err: error }, 'the list of agents could not be read'),
    )
  }
  const stopListening = listener.on('agents', reloadRoster)
  log.info({ checks: registry.size, regions: roster.regions }, 'the work list is loaded')

  return {
    gateway: createGateway({
      services,
      roster,
      regions,
      takeResults: resultsHandler({ ingest: taking, regions }),
      crawls: {
        turn: (region, turn) => desk.turn(region, turn),
        async findings(region, check) {
          const assigned = registry.find(check)
          return assigned?.rules.regions.includes(region) ? desk.findings(assigned) : undefined
        },
      },
    }),
    regions,
    get batchesInWork() {
      return taking.inWork
    },
    missed() {
      reloadRoster()
      registry.missed()
      purged.missed()
    },
    async stop(isLost) {
      stopListening()
      regions.stop()
      looks.stop()
      await desk.stop()
      registry.stop()
      purged.stop()
      if (isLost) await decider.stop(0)
      await Promise.race([Promise.all([heartbeats.stop(), words.stop()]), sleep(drainMs, undefined, { ref: false })])
      for (const end = performance.now() + drainMs; taking.inWork > 0 && performance.now() < end; ) await sleep(20)
      await Promise.all([decider.stop(), Promise.race([rolling.stop(), sleep(drainMs, undefined, { ref: false })])])
      await Promise.all([noise.stop(), servers.stop(), beat.stop(), standings.stop()])
    },
  }
}

const ingestMetrics = ({ metrics }: Services): IngestMetrics => ({
  accepted: (region, results) => metrics.results.inc({ region }, results),
  refused: (_region, reason, results) => metrics.resultsRefused.inc({ reason }, results),
  batch: () => undefined,
  lag: (_region, milliseconds) => metrics.ingestLag.observe(milliseconds / 1_000),
})
