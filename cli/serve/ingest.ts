import type { RequestListener } from 'node:http'
import { unavailable } from '#control-plane/kernel/refusal.ts'
import type { Services } from '#control-plane/kernel/services.ts'
import { keepBeat } from '#control-plane/monitoring/agents/blind-spells.ts'
import { createGateway, type Gateway } from '#control-plane/monitoring/agents/gateway.ts'
import { Regions } from '#control-plane/monitoring/agents/regions.ts'
import { Roster } from '#control-plane/monitoring/agents/roster.ts'
import { AskedLooks } from '#control-plane/monitoring/assignments/asked-looks.ts'
import { Registry } from '#control-plane/monitoring/assignments/registry.ts'
import { sendJson } from './health.ts'
import { Leader } from './leader.ts'

export interface Ingest {
  handle: RequestListener
  /** Why this process takes no results, or null. */
  readonly whyNot: string | null
  /** Regions without a say at the moment. */
  readonly silentRegions: string[]
  close(): Promise<void>
}

interface Term {
  gateway: Gateway
  regions: Regions
  /** Notices of the database were lost. */
  missed(): void
  stop(): Promise<void>
}

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
        async stop() {
          term = undefined
          await begun.stop()
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
    close: () => leader.stop(),
  }
}

async function beginTerm(services: Services): Promise<Term> {
  const { platform, listener, log } = services
  const roster = new Roster(platform)
  await roster.load()
  const registry = new Registry({ services, lastDue: () => null })
  const regions: Regions = new Regions({
    services,
    roster,
    work: registry,
    onEligibility: () => undefined,
    onRegions: names => registry.setRegions(names),
  })
  const looks = new AskedLooks({ services, find: check => registry.find(check), ask: (region, frame) => regions.ask(region, frame) })
  const beat = await keepBeat(platform, log)
  await registry.start(roster.regions)
  registry.tell({
    checks: () => undefined,
    regions(changes) {
      for (const [region, { assigned, withdrawn }] of changes)
        regions.tell(
          region,
          assigned.map(check => registry.assignment(check, region)),
          withdrawn,
        )
    },
  })
  regions.refresh()
  regions.start()
  looks.start()
  const reloadRoster = () => {
    roster.load().then(
      () => regions.refresh(),
      error => log.warn({ err: error }, 'the list of agents could not be read'),
    )
  }
  const stopListening = listener.on('agents', reloadRoster)

  const gateway = createGateway({
    services,
    roster,
    regions,
    takeResults: async () => {
      throw unavailable('Results are not taken yet.')
    },
  })
  return {
    gateway,
    regions,
    missed() {
      reloadRoster()
      registry.missed()
    },
    async stop() {
      stopListening()
      regions.stop()
      looks.stop()
      registry.stop()
      await beat.stop()
    },
  }
}
