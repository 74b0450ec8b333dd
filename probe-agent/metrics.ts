import { createServer, type Server } from 'node:http'
import { Counter, Gauge, Registry } from 'prom-client'
import { delayBuckets, type Health } from '#contract/agent.ts'
import { buildInfo } from '#contract/build-info.ts'
import { CountedHistogram } from '#contract/counted-histogram.ts'
import { build } from '#contract/version.ts'

export interface Figures {
  checks: number
  runs: number
  faults: number
  /** By cause. */
  unexpected: Record<string, number>
  unreliable: number
  missed: Health['missed_schedules']
  delays: Health['schedule_delay']
  inFlight: number
  slots: number
  lagMs: number
  spooled: number
  dropped: number
  corrupt: number
  unreadable: number
  truncated: number
  diskBytes: number
  isSpoolDegraded: boolean
  accepted: number
  batches: number
  refused: Record<string, number>
  isConnected: boolean
  /** Every owner answers: this agent is connected to it, or stands by. */
  isReady: boolean
  /** The same by owner: host and port of an ingest process. */
  owners: Record<string, boolean>
  isActive: boolean
  skewMs: number
  driftMs: number
}

/** Values are read on scrape, so that a run does not update metrics. */
export function metricsOf(figures: () => Figures): Registry {
  const registry = new Registry()
  buildInfo([registry])
  const add = (Kind: typeof Gauge | typeof Counter, name: string, help: string, read: (of: Figures) => number) => {
    new Kind({
      name: `vedette_agent_${name}`,
      help,
      registers: [registry],
      collect() {
        this.reset()
        this.inc(read(figures()))
      },
    })
  }
  add(Gauge, 'checks', 'Assigned checks', of => of.checks)
  add(Counter, 'runs_total', 'Completed runs', of => of.runs)
  add(Counter, 'failed_runs_total', 'Failed runs', of => of.faults)
  add(Counter, 'unreliable_results_total', 'Unreliable results', of => of.unreliable)
  add(Gauge, 'runs_in_flight', 'Runs in progress', of => of.inFlight)
  add(Gauge, 'slots', 'Most concurrent runs', of => of.slots)
  add(Gauge, 'event_loop_lag_seconds', 'The worst event-loop delay of the last ten seconds', of => of.lagMs / 1_000)
  add(Gauge, 'spooled_results', 'Results not yet acknowledged', of => of.spooled)
  add(Gauge, 'spool_bytes', 'Bytes of the spool on disk', of => of.diskBytes)
  add(Gauge, 'spool_degraded', '1 while the disk takes no results', of => Number(of.isSpoolDegraded))
  add(Counter, 'dropped_results_total', 'Results dropped because the spool was full', of => of.dropped)
  add(Counter, 'corrupt_results_total', 'Results damaged on disk and skipped', of => of.corrupt)
  add(
    Counter,
    'unreadable_segments_total',
    'Spool segments that could not be read and were set aside',
    of => of.unreadable,
  )
  add(Counter, 'truncated_segments_total', 'Spool segments with a truncated end', of => of.truncated)
  add(Counter, 'accepted_results_total', 'Results accepted by the control plane', of => of.accepted)
  add(Counter, 'batches_total', 'Batches acknowledged', of => of.batches)
  add(Gauge, 'work_stream_connected', '1 while the work streams of all owners are open', of => Number(of.isConnected))
  new Gauge({
    name: 'vedette_agent_owner_answers',
    help: '1 while an ingest process answers: the agent is connected to it, or stands by; by its host and port',
    labelNames: ['owner'],
    registers: [registry],
    collect() {
      this.reset()
      for (const [owner, answers] of Object.entries(figures().owners)) this.set({ owner }, Number(answers))
    },
  })
  add(Gauge, 'active', '1 while this agent serves its region, for one owner at least', of => Number(of.isActive))
  add(Gauge, 'clock_skew_seconds', 'Wall clock minus server clock', of => of.skewMs / 1_000)
  add(Gauge, 'clock_drift_seconds', 'Difference between the server clock and its prediction', of => of.driftMs / 1_000)
  const addBy = (label: string, name: string, help: string, read: (of: Figures) => Record<string, number>) => {
    new Counter({
      name: `vedette_agent_${name}`,
      help,
      labelNames: [label],
      registers: [registry],
      collect() {
        this.reset()
        for (const [value, count] of Object.entries(read(figures()))) this.inc({ [label]: value }, count)
      },
    })
  }
  addBy('reason', 'refused_results_total', 'Results refused by the control plane', of => of.refused)
  addBy('reason', 'missed_schedules_total', 'Scheduled runs that did not start', of => of.missed)
  addBy(
    'cause',
    'unexpected_faults_total',
    'Failures of checks by an unforeseen error; they count as the target’s',
    of => of.unexpected,
  )
  new CountedHistogram(
    {
      name: 'vedette_agent_schedule_delay_seconds',
      help: 'Delay of scheduled runs',
      buckets: [...delayBuckets],
      registers: [registry],
    },
    () => {
      const { counts, sum_s: sum } = figures().delays
      return [{ labels: {}, counts, sum }]
    },
  )
  return registry
}

interface Served {
  registry: Registry
  /** Whether the agent is enrolled, and every owner answers. */
  isReady(): boolean
  port: number
  host?: string | undefined
}

/**
 * /metrics; /healthz, by which a process that does not answer is restarted; and /readyz, by which an update goes on to
 * the next agent. Listens on loopback by default.
 */
export async function serveMetrics({ registry, isReady, port, host = '127.0.0.1' }: Served): Promise<Server> {
  const json = { 'content-type': 'application/json' }
  const server = createServer((request, response) => {
    if (request.url === '/healthz') return response.writeHead(200, json).end(JSON.stringify({ status: 'alive', build }))
    if (request.url === '/readyz') {
      const status = isReady() ? 'ready' : 'not_ready'
      return response.writeHead(status === 'ready' ? 200 : 503, json).end(JSON.stringify({ status, build }))
    }
    if (request.url !== '/metrics') return response.writeHead(404).end()
    registry.metrics().then(
      text => response.writeHead(200, { 'content-type': registry.contentType }).end(text),
      () => response.writeHead(500).end(),
    )
  })
  await new Promise<void>((resolve, reject) => server.once('error', reject).listen(port, host, resolve))
  return server
}
