/** A panel: what it shows, as queries of Prometheus with the name of each line. */
interface PanelPlan {
  title: string
  unit?: 'short' | 's' | 'percentunit' | 'bytes' | 'reqps' | 'ops'
  queries: readonly (readonly [expr: string, legend: string])[]
  /** A number instead of a graph. */
  isNumber?: boolean
}

interface DashboardPlan {
  uid: string
  title: string
  panels: readonly PanelPlan[]
}

const quantiles = (histogram: string, by = ''): (readonly [string, string])[] =>
  [0.5, 0.95, 0.99].map(quantile => [
    `histogram_quantile(${quantile}, sum by (le${by && `, ${by}`}) (rate(${histogram}_bucket[$__rate_interval])))`,
    `p${quantile * 100}${by && ` {{${by}}}`}`,
  ])
const rate = (metric: string, by: string, filter = '') => `sum by (${by}) (rate(${metric}${filter}[$__rate_interval]))`
const requests = 'vedette_http_request_duration_seconds'
const routes = 'vedette_http_route_duration_seconds'

/** The dashboards. A test holds each metric and label against what the service and the agents expose. */
export const dashboards: readonly DashboardPlan[] = [
  {
    uid: 'vedette-overview',
    title: 'Vedette: overview',
    panels: [
      { title: 'Open incidents', isNumber: true, queries: [['max(vedette_open_incidents)', 'open']] },
      {
        title: 'Regions that may vote',
        isNumber: true,
        queries: [['sum(max by (region) (vedette_region_eligible))', 'eligible']],
      },
      { title: 'Oldest event', unit: 's', isNumber: true, queries: [['max(vedette_outbox_oldest_seconds)', 'waits']] },
      {
        title: 'Rows that need a person',
        isNumber: true,
        queries: [
          ['sum(max by (kind) (vedette_quarantined_rows))', 'quarantined'],
          ['sum(max by (kind) (vedette_dead_events))', 'dead events'],
        ],
      },
      {
        title: 'Results judged',
        unit: 'ops',
        queries: [[rate('vedette_results_ingested_total', 'region'), '{{region}}']],
      },
      { title: 'Results: from run to acknowledgement', unit: 's', queries: quantiles('vedette_ingest_lag_seconds') },
      { title: 'Requests by status', unit: 'reqps', queries: [[rate(`${requests}_count`, 'status'), '{{status}}']] },
      {
        title: 'Attempts to deliver',
        unit: 'ops',
        queries: [[rate('vedette_delivery_attempts_total', 'outcome'), '{{outcome}}']],
      },
      {
        title: 'Heartbeat of the installation, by minute',
        queries: [['sum by (outcome) (increase(vedette_instance_heartbeats_total[5m])) / 5', '{{outcome}}']],
      },
      {
        title: 'Processor time',
        unit: 'short',
        queries: [[rate('vedette_process_cpu_seconds_total', 'instance'), '{{instance}}']],
      },
      { title: 'Resident memory', unit: 'bytes', queries: [['vedette_process_resident_memory_bytes', '{{instance}}']] },
      {
        title: 'Delay of the event loop, p99',
        unit: 's',
        queries: [['vedette_nodejs_eventloop_lag_p99_seconds', '{{instance}}']],
      },
    ],
  },
  {
    uid: 'vedette-ingest',
    title: 'Vedette: ingest and agents',
    panels: [
      {
        title: 'Results judged',
        unit: 'ops',
        queries: [[rate('vedette_results_ingested_total', 'region'), '{{region}}']],
      },
      {
        title: 'Results refused',
        unit: 'ops',
        queries: [[rate('vedette_results_refused_total', 'reason'), '{{reason}}']],
      },
      { title: 'From run to acknowledgement', unit: 's', queries: quantiles('vedette_ingest_lag_seconds') },
      { title: 'Shards owned', queries: [['vedette_ingest_shards', '{{instance}}']] },
      { title: 'Batches in work', queries: [['sum(vedette_ingest_batches_in_work)', 'batches']] },
      { title: 'Pings of jobs', unit: 'ops', queries: [[rate('vedette_pings_total', 'state'), '{{state}}']] },
      {
        title: 'Delay of scheduled runs, p99',
        unit: 's',
        queries: [quantiles('vedette_schedule_delay_seconds', 'region')[2]!],
      },
      {
        title: 'Scheduled runs that were not made',
        unit: 'ops',
        queries: [[rate('vedette_missed_schedules_total', 'region, reason'), '{{region}} {{reason}}']],
      },
      {
        title: 'Agents: results not yet acknowledged',
        queries: [['vedette_agent_spooled_results', '{{instance}}']],
      },
      { title: 'Agents: spool', unit: 'bytes', queries: [['vedette_agent_spool_bytes', '{{instance}}']] },
      {
        title: 'Agents: runs in progress and most',
        queries: [
          ['vedette_agent_runs_in_flight', '{{instance}}'],
          ['vedette_agent_slots', '{{instance}} most'],
        ],
      },
      {
        title: 'Agents: delay of the event loop',
        unit: 's',
        queries: [['vedette_agent_event_loop_lag_seconds', '{{instance}}']],
      },
      { title: 'Agents: clock', unit: 's', queries: [['vedette_agent_clock_skew_seconds', '{{instance}}']] },
    ],
  },
  {
    uid: 'vedette-detection',
    title: 'Vedette: quality of detection',
    panels: [
      { title: 'Open incidents', queries: [['max(vedette_open_incidents)', 'open']] },
      {
        title: 'Verdicts that changed, in five minutes',
        queries: [['sum by (verdict) (increase(vedette_verdict_changes_total[5m]))', '{{verdict}}']],
      },
      {
        title: 'Checks that fail in some regions only',
        queries: [['max(vedette_disputed_checks)', 'disputed']],
      },
      {
        title: 'Regions: 1 may vote, 0 may not',
        queries: [['max by (region) (vedette_region_eligible)', '{{region}}']],
      },
      { title: 'Agents by state', queries: [['sum by (state) (vedette_agents)', '{{state}}']] },
      {
        title: 'Unreliable results of agents',
        unit: 'ops',
        queries: [[rate('vedette_agent_unreliable_results_total', 'instance'), '{{instance}}']],
      },
      {
        title: 'Runs that failed in the agent',
        unit: 'ops',
        queries: [[rate('vedette_agent_failed_runs_total', 'instance'), '{{instance}}']],
      },
      {
        title: 'Share of scheduled runs that were not made',
        unit: 'percentunit',
        queries: [
          [
            'sum(rate(vedette_missed_schedules_total[$__rate_interval])) / (sum(rate(vedette_missed_schedules_total[$__rate_interval])) + sum(rate(vedette_results_ingested_total[$__rate_interval])))',
            'missed',
          ],
        ],
      },
      {
        title: 'Verdicts that the database refused',
        unit: 'ops',
        queries: [[rate('vedette_verdict_writes_refused_total', 'instance'), '{{instance}}']],
      },
    ],
  },
  {
    uid: 'vedette-api',
    title: 'Vedette: API and pages',
    panels: [
      { title: 'Requests by status', unit: 'reqps', queries: [[rate(`${requests}_count`, 'status'), '{{status}}']] },
      { title: 'Duration of all requests', unit: 's', queries: quantiles(requests) },
      {
        title: 'Ten slowest routes, p95',
        unit: 's',
        queries: [
          [
            `topk(10, histogram_quantile(0.95, sum by (le, method, route) (rate(${routes}_bucket[$__rate_interval]))))`,
            '{{method}} {{route}}',
          ],
        ],
      },
      {
        title: 'Ten busiest routes',
        unit: 'reqps',
        queries: [[`topk(10, ${rate(`${routes}_count`, 'method, route')})`, '{{method}} {{route}}']],
      },
      {
        title: 'Errors of ours, by route',
        unit: 'reqps',
        queries: [[rate('vedette_http_route_failures_total', 'method, route'), '{{method}} {{route}}']],
      },
      {
        title: 'Refused by a rate limit',
        unit: 'reqps',
        queries: [[rate('vedette_rate_limit_refusals_total', 'class'), '{{class}}']],
      },
      {
        title: 'Connections closed early',
        unit: 'ops',
        queries: [[rate('vedette_connections_cut_total', 'reason'), '{{reason}}']],
      },
      { title: 'Open streams', queries: [['sum by (instance) (vedette_streams_open)', '{{instance}}']] },
      {
        title: 'Events sent to streams',
        unit: 'ops',
        queries: [[rate('vedette_stream_events_total', 'topic'), '{{topic}}']],
      },
      {
        title: 'Streams that ended',
        unit: 'ops',
        queries: [[rate('vedette_streams_ended_total', 'reason'), '{{reason}}']],
      },
    ],
  },
  {
    uid: 'vedette-deliveries',
    title: 'Vedette: events and deliveries',
    panels: [
      { title: 'What waits', queries: [['max by (what) (vedette_waiting)', '{{what}}']] },
      {
        title: 'Oldest that waits',
        unit: 's',
        queries: [['max by (what) (vedette_oldest_waiting_seconds)', '{{what}}']],
      },
      {
        title: 'Attempts to deliver, by outcome',
        unit: 'ops',
        queries: [[rate('vedette_delivery_attempts_total', 'outcome'), '{{outcome}}']],
      },
      {
        title: 'Attempts that failed, by channel',
        unit: 'ops',
        queries: [[rate('vedette_delivery_attempts_total', 'channel', '{outcome!="delivered"}'), '{{channel}}']],
      },
      {
        title: 'Mails',
        unit: 'ops',
        queries: [[rate('vedette_mails_total', 'outcome'), '{{outcome}}']],
      },
      { title: 'Outbox rows not yet dispatched', queries: [['max(vedette_outbox_depth)', 'rows']] },
      {
        title: 'Outbox rows dispatched',
        unit: 'ops',
        queries: [[rate('vedette_outbox_handed_on_total', 'kind, outcome'), '{{kind}} {{outcome}}']],
      },
      { title: 'Dead events', queries: [['max by (kind) (vedette_dead_events)', '{{kind}}']] },
      {
        title: 'Durable processes started',
        unit: 'ops',
        queries: [[rate('vedette_processes_started_total', 'process'), '{{process}}']],
      },
      {
        title: 'Steps of durable processes that failed',
        unit: 'ops',
        queries: [[rate('vedette_process_steps_total', 'step', '{outcome="failed"}'), '{{step}}']],
      },
    ],
  },
  {
    uid: 'vedette-stores',
    title: 'Vedette: stores',
    panels: [
      {
        title: 'Connections to PostgreSQL',
        queries: [['sum by (instance, pool, state) (vedette_database_connections)', '{{instance}} {{pool}} {{state}}']],
      },
      {
        title: 'Queries that wait for a connection',
        queries: [['sum by (instance) (vedette_database_connections{state="waiting"})', '{{instance}}']],
      },
      { title: 'Quarantined rows', queries: [['max by (kind) (vedette_quarantined_rows)', '{{kind}}']] },
      { title: 'Roll-up cells that differ from raw results', queries: [['max(vedette_rollup_mismatch)', 'cells']] },
      { title: 'Links of the audit trails', queries: [['max(vedette_audit_links)', 'links']] },
      {
        title: 'Secrets under an earlier key',
        queries: [['max by (table) (vedette_secrets_under_old_key)', '{{table}}']],
      },
      {
        title: 'Verdicts that PostgreSQL refused',
        queries: [['increase(vedette_verdict_writes_refused_total[5m])', '{{instance}}']],
      },
      { title: 'Open file descriptors', queries: [['vedette_process_open_fds', '{{instance}}']] },
    ],
  },
]

const width = 24
const panelsInRow = 3

/** A dashboard as Grafana reads it. */
export function renderDashboard({ uid, title, panels }: DashboardPlan) {
  const [w, h] = [width / panelsInRow, 8]
  return {
    uid,
    title,
    tags: ['vedette'],
    timezone: 'browser',
    schemaVersion: 39,
    version: 1,
    editable: true,
    refresh: '30s',
    time: { from: 'now-6h', to: 'now' },
    templating: {
      list: [{ name: 'source', label: 'Prometheus', type: 'datasource', query: 'prometheus', hide: 0 }],
    },
    links: [{ type: 'dashboards', title: 'Vedette', tags: ['vedette'], asDropdown: true, includeVars: true }],
    panels: panels.map(({ title, unit = 'short', queries, isNumber }, index) => ({
      id: index + 1,
      type: isNumber ? 'stat' : 'timeseries',
      title,
      // a variable of Grafana
      datasource: { type: 'prometheus', uid: '$source' },
      gridPos: { x: (index % panelsInRow) * w, y: Math.floor(index / panelsInRow) * h, w, h },
      fieldConfig: { defaults: { unit, ...(title !== 'Agents: clock' && { min: 0 }) }, overrides: [] },
      targets: queries.map(([expr, legendFormat], query) => ({
        refId: String.fromCharCode(65 + query),
        expr,
        legendFormat,
      })),
    })),
  }
}

/** The name of each file of the folder, and its text. */
export const dashboardFiles = (): [name: string, text: string][] =>
  dashboards.map(plan => [
    `${plan.uid.replace('vedette-', '')}.json`,
    `${JSON.stringify(renderDashboard(plan), null, 2)}\n`,
  ])
