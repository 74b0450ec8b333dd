import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'
import { delayBuckets, type Health } from '#contract/agent.ts'
import { buildInfo } from '#contract/build-info.ts'
import { CountedHistogram } from '#contract/counted-histogram.ts'

type RegionSchedules = Map<string, Pick<Health, 'schedule_delay' | 'missed_schedules'>>

/**
 * Every figure of the control plane. Labels are bounded: route patterns, classes, regions, states; never a URL or a
 * tenant.
 */
export function createMetrics() {
  const registers = [new Registry()]
  const register = registers[0]!
  // every sample of the event loop wakes the process
  collectDefaultMetrics({ register, prefix: 'vedette_', eventLoopMonitoringPrecision: 100 })
  buildInfo(registers)
  const schedules: RegionSchedules = new Map()
  new CountedHistogram(
    {
      name: 'vedette_schedule_delay_seconds',
      help: 'Delay of scheduled runs after their due time, by region',
      labelNames: ['region'],
      buckets: [...delayBuckets],
      registers,
    },
    () =>
      [...schedules].map(([region, { schedule_delay: delay }]) => ({
        labels: { region },
        counts: delay.counts,
        sum: delay.sum_s,
      })),
  )
  new Counter({
    name: 'vedette_missed_schedules_total',
    help: 'Scheduled runs that were not made, by region',
    labelNames: ['region', 'reason'],
    registers,
    collect() {
      this.reset()
      for (const [region, { missed_schedules: missed }] of schedules)
        for (const [reason, count] of Object.entries(missed)) this.inc({ region, reason }, count)
    },
  })
  return {
    register,
    /** The schedule of each region's agent, as it last reported it. */
    schedules,
    requests: new Histogram({
      name: 'vedette_http_request_duration_seconds',
      help: 'Requests by status',
      registers,
      labelNames: ['status'],
      buckets: [0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 5, 30],
    }),
    routes: new Histogram({
      name: 'vedette_http_route_duration_seconds',
      help: 'Requests by route pattern: few buckets, as there are hundreds of routes',
      registers,
      labelNames: ['method', 'route'],
      buckets: [0.1, 1, 5],
    }),
    routeFailures: new Counter({
      name: 'vedette_http_route_failures_total',
      help: 'Requests answered by a status from 500 on, by route pattern',
      registers,
      labelNames: ['method', 'route'],
    }),
    rateRefusals: new Counter({
      name: 'vedette_rate_limit_refusals_total',
      help: 'Requests refused by a rate limit',
      registers,
      labelNames: ['class'],
    }),
    connectionsCut: new Counter({
      name: 'vedette_connections_cut_total',
      help:
        'Connections closed early: the idlest at the limit of all or of one address, and those whose client does ' +
        'not read its answers or sends a body too slowly',
      registers,
      labelNames: ['reason'],
    }),
    results: new Counter({
      name: 'vedette_results_ingested_total',
      help: 'Results decided on',
      registers,
      labelNames: ['region'],
    }),
    resultsRefused: new Counter({
      name: 'vedette_results_refused_total',
      help: 'Results refused, by reason',
      registers,
      labelNames: ['reason'],
    }),
    historyWaits: new Gauge({
      name: 'vedette_history_waits_seconds',
      help: 'Age of the oldest result that waits to be stored in ClickHouse; 0 where none waits',
      registers,
    }),
    ingestLag: new Histogram({
      name: 'vedette_ingest_lag_seconds',
      help: 'Seconds from a run to the acknowledgement of its result',
      registers,
      buckets: [0.1, 0.25, 0.5, 1, 2, 5, 15, 60, 600, 3600],
    }),
    pings: new Counter({
      name: 'vedette_pings_total',
      help: 'Pings stored, by reported state',
      registers,
      labelNames: ['state'],
    }),
    verdictChanges: new Counter({
      name: 'vedette_verdict_changes_total',
      help: 'Verdicts that changed',
      registers,
      labelNames: ['verdict'],
    }),
    verdictChangesDeleted: new Counter({
      name: 'vedette_verdict_changes_deleted_total',
      help: 'Changes of verdicts deleted as older than they are kept',
      registers,
    }),
    verdictWritesRefused: new Counter({
      name: 'vedette_verdict_writes_refused_total',
      help: 'Verdicts that the database refused to store, to be retried',
      registers,
    }),
    openIncidents: new Gauge({ name: 'vedette_open_incidents', help: 'Incidents not yet resolved', registers }),
    agents: new Gauge({ name: 'vedette_agents', help: 'Agents by state', registers, labelNames: ['state'] }),
    outboxDepth: new Gauge({ name: 'vedette_outbox_depth', help: 'Outbox rows not yet dispatched', registers }),
    outboxAge: new Gauge({
      name: 'vedette_outbox_oldest_seconds',
      help: 'Age of the oldest outbox row not yet dispatched',
      registers,
    }),
    outboxHandedOn: new Counter({
      name: 'vedette_outbox_handed_on_total',
      help: 'Attempts to dispatch an outbox row, by kind',
      registers,
      labelNames: ['kind', 'outcome'],
    }),
    processesStarted: new Counter({
      name: 'vedette_processes_started_total',
      help: 'Durable processes started',
      registers,
      labelNames: ['process'],
    }),
    processSteps: new Counter({
      name: 'vedette_process_steps_total',
      help: 'Steps of durable processes, by outcome',
      registers,
      labelNames: ['step', 'outcome'],
    }),
    pool: new Gauge({
      name: 'vedette_database_connections',
      help: 'Connections of the pools',
      registers,
      labelNames: ['pool', 'state'],
    }),
    mails: new Counter({
      name: 'vedette_mails_total',
      help: 'Mails by type and outcome',
      registers,
      labelNames: ['type', 'outcome'],
    }),
    rollupMismatch: new Gauge({
      name: 'vedette_rollup_mismatch',
      help: 'Roll-up cells that differed from a recount of raw results at the last comparison',
      registers,
    }),
    auditLinks: new Gauge({
      name: 'vedette_audit_links',
      help: 'Links of all audit trails; falls only when a tenant is purged',
      registers,
    }),
    lastBackup: new Gauge({
      name: 'vedette_last_backup_timestamp_seconds',
      help: 'When the newest backup was made, in seconds since 1970; 0 where none was noted',
      registers,
    }),
    role: new Gauge({
      name: 'vedette_role',
      help: 'Roles of this process; always 1',
      registers,
      labelNames: ['role'],
    }),
    partReady: new Gauge({
      name: 'vedette_part_ready',
      help: '1 while a part of this process or a store that it needs answers, as /readyz has it',
      registers,
      labelNames: ['part'],
    }),
    diskFree: new Gauge({
      name: 'vedette_clickhouse_disk_free_ratio',
      help: 'Free share of each disk of the ClickHouse server, from 0 to 1',
      registers,
      labelNames: ['disk'],
    }),
    mostParts: new Gauge({
      name: 'vedette_clickhouse_parts',
      help: 'Parts of the partition of ClickHouse that has most; inserts are refused from 3,000 on',
      registers,
    }),
    checksExpected: new Gauge({
      name: 'vedette_checks_expected',
      help: '1 while a check of any team is to be made by a region',
      registers,
    }),
    purgedTeams: new Gauge({
      name: 'vedette_purged_teams',
      help: 'Teams that were purged',
      registers,
    }),
    secretsUnderOldKey: new Gauge({
      name: 'vedette_secrets_under_old_key',
      help: 'Stored secrets that are not under the present SECRET_KEY, by table',
      registers,
      labelNames: ['table'],
    }),
    refusedAgents: new Gauge({
      name: 'vedette_refused_agents',
      help: 'Agents that are refused as this version does not speak their protocol',
      registers,
      labelNames: ['why'],
    }),
    deadEvents: new Gauge({
      name: 'vedette_dead_events',
      help: 'Outbox rows that are no longer retried, by kind',
      registers,
      labelNames: ['kind'],
    }),
    quarantinedRows: new Gauge({
      name: 'vedette_quarantined_rows',
      help: 'Rows that could not be handled and wait for a retry, by kind',
      registers,
      labelNames: ['kind'],
    }),
    streams: new Gauge({ name: 'vedette_streams_open', help: 'Open streams of events', registers }),
    streamEvents: new Counter({
      name: 'vedette_stream_events_total',
      help: 'Events sent to open streams, by topic',
      registers,
      labelNames: ['topic'],
    }),
    streamsEnded: new Counter({
      name: 'vedette_streams_ended_total',
      help: 'Streams that have ended: by their client, a refusal, an unread buffer, or a stop of the process',
      registers,
      labelNames: ['reason'],
    }),
    ingestShards: new Gauge({
      name: 'vedette_ingest_shards',
      help: 'Shards of which this process decides: all 64 where one leads, their sum where several share them',
      registers,
    }),
    ingestUnreached: new Gauge({
      name: 'vedette_ingest_unreached_seconds',
      help: 'Seconds since an agent reached this process, of several that share the shards',
      registers,
    }),
    regionEligible: new Gauge({
      name: 'vedette_region_eligible',
      help: '1 while the region may vote, 0 while it may not, as the leading ingest process decides',
      registers,
      labelNames: ['region'],
    }),
    disputedChecks: new Gauge({
      name: 'vedette_disputed_checks',
      help: 'Checks that fail in some of their regions and not in all',
      registers,
    }),
    deliveries: new Counter({
      name: 'vedette_delivery_attempts_total',
      help: 'Attempts to deliver a notification, by type of channel; outcome is delivered or the error',
      registers,
      labelNames: ['channel', 'outcome'],
    }),
    waiting: new Gauge({
      name: 'vedette_waiting',
      help: 'Notifications that are due, mails and events that are not sent yet',
      registers,
      labelNames: ['what'],
    }),
    oldestWaiting: new Gauge({
      name: 'vedette_oldest_waiting_seconds',
      help: 'Age of the oldest notification that is due, of the oldest mail and event not sent yet',
      registers,
      labelNames: ['what'],
    }),
    instanceHeartbeats: new Counter({
      name: 'vedette_instance_heartbeats_total',
      help: 'Requests to HEARTBEAT_URL: sent, failed, or withheld because this installation does not work',
      registers,
      labelNames: ['outcome'],
    }),
    spans: new Counter({
      name: 'vedette_spans_total',
      help: 'Recorded spans: exported, failed where the receiver did not take them, dropped where it was too slow',
      registers,
      labelNames: ['outcome'],
    }),
    boundedRuns: new Counter({
      name: 'vedette_bounded_runs_total',
      help:
        'Runs of programs that read what others wrote: done, failed by their input, ended at a bound of time or ' +
        'memory, busy where too many waited',
      registers,
      labelNames: ['program', 'outcome'],
    }),
    boundedSeconds: new Histogram({
      name: 'vedette_bounded_run_seconds',
      help: 'Processor time of such runs',
      registers,
      labelNames: ['program'],
      buckets: [0.01, 0.1, 1, 10],
    }),
    boundedWaiting: new Gauge({
      name: 'vedette_bounded_runs_waiting',
      help: 'Such runs that wait for a process',
      registers,
      labelNames: ['queue'],
    }),
    ingestBatches: new Gauge({
      name: 'vedette_ingest_batches_in_work',
      help: 'Batches being decided and stored',
      registers,
    }),
  }
}
export type Metrics = ReturnType<typeof createMetrics>

const methods = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'])

/** A request as it is counted. `route`: a pattern of ours, or `unmatched`. */
export interface MeasuredRequest {
  method: string | undefined
  route: string
  status: number
}

/** Counts a request that is answered. A scrape has some lines a route, whatever the statuses and methods sent. */
export function observeRequest(
  { requests, routes, routeFailures }: Pick<Metrics, 'requests' | 'routes' | 'routeFailures'>,
  { method = '', route, status }: MeasuredRequest,
  seconds: number,
): void {
  const labels = { method: methods.has(method) ? method : 'other', route }
  requests.observe({ status: String(status) }, seconds)
  routes.observe(labels, seconds)
  if (status >= 500) routeFailures.inc(labels)
}
