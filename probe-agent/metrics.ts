import { createServer, type Server } from 'node:http'
import { Counter, Gauge, Registry } from 'prom-client'
import { delayBuckets, type Health } from '#contract/agent.ts'
import { CountedHistogram } from '#contract/counted-histogram.ts'

export interface Figures {
  checks: number
  looks: number
  faults: number
  suspects: number
  missed: Health['missed_schedules']
  delays: Health['schedule_delay']
  inFlight: number
  slots: number
  lagMs: number
  spooled: number
  dropped: number
  corrupt: number
  unreadable: number
  torn: number
  diskBytes: number
  isSpoolIll: boolean
  accepted: number
  batches: number
  refused: Record<string, number>
  isConnected: boolean
  isActive: boolean
  skewMs: number
  driftMs: number
}

/** Read when asked for, so that a look costs no metric. */
export function metricsOf(figures: () => Figures): Registry {
  const registry = new Registry()
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
  add(Gauge, 'checks', 'Checks on the work list', of => of.checks)
  add(Counter, 'looks_total', 'Looks made', of => of.looks)
  add(Counter, 'look_faults_total', 'Looks that could not be finished', of => of.faults)
  add(Counter, 'suspect_looks_total', 'Looks this agent could not vouch for', of => of.suspects)
  add(Gauge, 'looks_in_flight', 'Looks under way', of => of.inFlight)
  add(Gauge, 'slots', 'Runs that may be under way at once', of => of.slots)
  add(Gauge, 'event_loop_lag_seconds', 'The worst event-loop delay of the last ten seconds', of => of.lagMs / 1_000)
  add(Gauge, 'spooled_results', 'Results not yet acknowledged', of => of.spooled)
  add(Gauge, 'spool_bytes', 'Bytes of the spool on disk', of => of.diskBytes)
  add(Gauge, 'spool_ill', '1 while the disk takes no results', of => Number(of.isSpoolIll))
  add(Counter, 'dropped_results_total', 'Results dropped because the spool was full', of => of.dropped)
  add(Counter, 'corrupt_results_total', 'Results damaged on disk and skipped', of => of.corrupt)
  add(
    Counter,
    'unreadable_segments_total',
    'Spool segments that could not be read and were set aside',
    of => of.unreadable,
  )
  add(Counter, 'torn_segments_total', 'Spool segments whose end had been cut off', of => of.torn)
  add(Counter, 'accepted_results_total', 'Results the control plane took', of => of.accepted)
  add(Counter, 'batches_total', 'Batches acknowledged', of => of.batches)
  add(Gauge, 'work_stream_connected', '1 while the work stream is open', of => Number(of.isConnected))
  add(Gauge, 'active', '1 while this agent holds its region', of => Number(of.isActive))
  add(Gauge, 'clock_skew_seconds', 'Wall clock minus server clock', of => of.skewMs / 1_000)
  add(Gauge, 'clock_drift_seconds', 'How far the server clock was from ours at its last word', of => of.driftMs / 1_000)
  const addByReason = (name: string, help: string, read: (of: Figures) => Record<string, number>) => {
    new Counter({
      name: `vedette_agent_${name}`,
      help,
      labelNames: ['reason'],
      registers: [registry],
      collect() {
        this.reset()
        for (const [reason, count] of Object.entries(read(figures()))) this.inc({ reason }, count)
      },
    })
  }
  addByReason('refused_results_total', 'Results the control plane refused', of => of.refused)
  addByReason('missed_schedules_total', 'Scheduled dues that no run was made for', of => of.missed)
  new CountedHistogram(
    {
      name: 'vedette_agent_schedule_delay_seconds',
      help: 'Start of scheduled runs minus their due',
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

/** Loopback only. */
export async function serveMetrics(registry: Registry, port: number): Promise<Server> {
  const server = createServer((request, response) => {
    if (request.url !== '/metrics') return response.writeHead(404).end()
    registry.metrics().then(
      text => response.writeHead(200, { 'content-type': registry.contentType }).end(text),
      () => response.writeHead(500).end(),
    )
  })
  await new Promise<void>((resolve, reject) => server.once('error', reject).listen(port, '127.0.0.1', resolve))
  return server
}
