import { sql } from 'kysely'
import type { PoolClient } from 'pg'
import { computeServerHours } from '#analytics/server-hours.ts'
import { serverSampleStore } from '#analytics/server-samples.ts'
import { type AgentSettings, agent } from '#checks/agent/kind.ts'
import { carryMinutes, type ExceededThreshold, exceededAfter, type MetricMinutes } from '#checks/agent/thresholds.ts'
import { type Judgement, noPhases } from '#contract/check.ts'
import { isServerMetric } from '#contract/server-agent.ts'
import { eachIsolated, splitIsolated } from '#control-plane/base/each-isolated.ts'
import { Loop } from '#control-plane/base/loop.ts'
import { type BadRow, isQuarantinedSql, Quarantine } from '#control-plane/base/quarantine/quarantine.ts'
import { BadRowError } from '#control-plane/base/quarantine/reason.ts'
import { inTransaction } from '#control-plane/base/transaction.ts'
import { prepared, type Row, rows } from '#control-plane/db/queries.ts'
import { isPausedByMaintenanceSql } from '#control-plane/engine/suppression/maintenance.ts'
import { type PushedReport, storePushedReports } from '#control-plane/engine/verdicts/pushed-reports.ts'
import type { Services } from '#control-plane/http/services.ts'
import { heardMinutes } from './intake/machine.ts'
import { type MinuteMean, RecentMinutes } from './recent-minutes.ts'
import { storeWaitingSamples } from './waiting-samples.ts'

type WatchDeps = Pick<Services, 'platform' | 'clickhouse' | 'clock' | 'log'> & {
  /** Kept between judgements: while ClickHouse is away, what it had last goes on to count. */
  minutes?: RecentMinutes
}

const everyMs = 2_000
const hoursEveryMs = 15_000
/** How often values are stored that ClickHouse did not take before. */
const storeEveryMs = 5_000
const pageSize = 200
/** A spool that is sent after an outage is done by then. */
const lateMinutes = 2
const minuteMs = 60_000
const hourMs = 3_600_000
/** Thresholds of a server whose values are older are not judged. */
const mostLateMs = 24 * hourMs

/** `stored_at` is text: a `Date` has no microseconds, and values stored after it are new. */
type DueServer = Row<
  'agent_monitors',
  'monitor_id' | 'tenant_id' | 'check_id' | 'exceeded' | 'reported' | 'stored_at' | 'host_name'
> &
  Row<'checks', 'settings' | 'verdict'> & {
    is_reported_lately: boolean
    silent_ms: number
    has_new_values: boolean
    /** Another machine that reports beside the one that it is bound to. */
    second_host: string | null
    /** By how much even its newest value is old when it arrives, for minutes on end; otherwise 0. */
    late_ms: number
  }

const isHeard = (column: string) =>
  sql`${sql.ref(column)} > clock_timestamp() - interval '${sql.lit(heardMinutes)} minutes'`

/**
 * Servers that are due: with values that were not judged yet, with silence that lasts too long, or with a verdict that
 * differs from the last report (a pause resets it). Silence begins with the last report of a server, when the monitor
 * was enabled or its checks were resumed after maintenance, or when this process began to watch. Once reported it lasts
 * until the server reports again.
 */
const due = prepared(
  'servers-due',
  (watchesSince: Date, after: string, only: readonly string[] | null) => sql<DueServer>`
    with running as (
      select a.*, c.settings, c.verdict, b.switched_at,
        greatest(a.last_seen_at, b.switched_at, ${watchesSince}::timestamptz) as quiet_since,
        case when c.settings ->> 'no_data_after_minutes' ~ '^[0-9]{1,6}$'
          then (c.settings ->> 'no_data_after_minutes')::int end as patience
      from agent_monitors a
      join checks c on c.id = a.check_id and c.is_enabled
      join monitors m on m.id = a.monitor_id and m.is_enabled and not m.held_by_plan
      join tenants t on t.id = a.tenant_id and t.paused_at is null and t.deleted_at is null
      cross join lateral (
        select greatest(m.switched_at, max(ms.ended_at)) as switched_at from maintenance_spans ms
        where ms.monitor_id = m.id and ms.is_paused
      ) b
      where a.last_seen_at is not null and not ${isPausedByMaintenanceSql('m')}
    ), asked as (
      select r.*,
        case when r.reported = 'no_data' then r.last_seen_at <= r.reported_at
          and greatest(r.last_seen_at, r.switched_at) + make_interval(mins => r.patience) <= clock_timestamp()
        else r.quiet_since + make_interval(mins => r.patience) <= clock_timestamp() end as is_silent,
        r.stored_at is not null and (r.judged_at is null or r.stored_at > r.judged_at) as has_new_values,
        coalesce(r.reported_at > greatest(clock_timestamp() - interval '10 seconds', r.switched_at), false)
          as is_reported_lately
      from running r
    )
    select monitor_id, tenant_id, check_id, settings, exceeded, reported, verdict, is_reported_lately, stored_at::text,
      has_new_values, host_name,
      case when host_heard_at > second_since and ${isHeard('host_heard_at')}
      and ${isHeard('second_heard_at')} then second_host end as second_host,
      case when late_since < clock_timestamp() - interval '${sql.lit(lateMinutes)} minutes'
        then greatest(extract(epoch from stored_at - newest_at)::float8 * 1000, 0) else 0 end as late_ms,
      case when is_silent then extract(epoch from clock_timestamp() - last_seen_at)::float8 * 1000 else 0 end as
      silent_ms from asked
    where monitor_id > ${after} and case when ${only}::uuid[] is not null then monitor_id = any(${only}::uuid[])
      else (has_new_values or patience is null or coalesce(is_silent, false) <> coalesce(reported = 'no_data', false)
        or (outcome is distinct from verdict and outcome is not null and not is_reported_lately))
        and not ${isQuarantinedSql('server', 'monitor_id')} end
    order by monitor_id limit ${sql.lit(pageSize)}`,
)

/**
 * Judges the values and the silence of servers, and pushes reports to the engine. Returns the number of reports.
 * `only`: these servers, although they were put off.
 */
export async function judgeServers(
  deps: WatchDeps,
  watchesSince: Date,
  only: readonly string[] | null = null,
): Promise<number> {
  const quarantine = new Quarantine(deps)
  const bad: BadRow[] = []
  let reports = 0
  for (let after = '00000000-0000-0000-0000-000000000000'; ; ) {
    const found = await rows(deps.platform, due(watchesSince, after, only))
    const onBad = ({ monitor_id, tenant_id }: DueServer, error: unknown) =>
      bad.push({ key: monitor_id, tenant: tenant_id, error })
    const judge = async (some: readonly DueServer[]) => {
      reports += await judgeSome(deps, some, onBad)
    }
    await splitIsolated(found, judge, onBad)
    const last = found.at(-1)
    if (!last || found.length < pageSize) break
    after = last.monitor_id
  }
  await quarantine.add('server', bad)
  const isBad = new Set(bad.map(({ key }) => key))
  if (only)
    await quarantine.release(
      'server',
      only.filter(monitor => !isBad.has(monitor)),
    )
  return reports
}

type OnBad = (row: DueServer, error: unknown) => unknown

async function judgeSome({ minutes, ...deps }: WatchDeps, rows: readonly DueServer[], onBad: OnBad): Promise<number> {
  const { platform, clock } = deps
  const nowMs = clock.nowMs()
  const parsed: { row: DueServer; settings: AgentSettings }[] = []
  const parse = (row: DueServer) => {
    if (!Array.isArray(row.exceeded)) throw new BadRowError('The thresholds that are passed cannot be read.')
    parsed.push({ row, settings: agent.settings.parse(row.settings) })
  }
  await eachIsolated(rows, parse, onBad)
  const updated = parsed.filter(({ row }) => row.has_new_values)
  const longest = Math.max(
    0,
    ...updated.flatMap(({ settings }) => settings.thresholds.map(threshold => threshold.for_minutes)),
  )
  const metrics = [
    ...new Set(updated.flatMap(({ settings }) => settings.thresholds.map(threshold => threshold.metric))),
  ]
  const recent = minutes ?? new RecentMinutes(deps)
  const read = (some: typeof updated, from: number, to: number) =>
    some.length === 0 || metrics.length === 0
      ? []
      : recent.read({
          tenants: [...new Set(some.map(({ row }) => row.tenant_id))],
          monitors: some.map(({ row }) => row.monitor_id),
          metrics,
          from: new Date(Math.floor(from / minuteMs) * minuteMs - (longest + carryMinutes) * minuteMs),
          to: new Date(to + minuteMs),
        })
  // values that always come late are judged as of the time that they had on arrival: those of an hour are read at once
  const ownNow = ({ late_ms }: DueServer) => (late_ms > mostLateMs ? nowMs : nowMs - late_ms)
  const means: MinuteMean[] = []
  for (const some of Map.groupBy(updated, ({ row }) => Math.ceil((nowMs - ownNow(row)) / hourMs)).values()) {
    const times = some.map(({ row }) => ownNow(row))
    means.push(...(await read(some, Math.min(...times), Math.max(...times))))
  }
  const byMonitor = Map.groupBy(means, mean => mean.monitor_id)
  const judged: Judged[] = []
  const judge = ({ row, settings }: (typeof parsed)[number]) => {
    const exceeded = row.has_new_values
      ? exceededAfter(settings.thresholds, seriesOf(byMonitor.get(row.monitor_id) ?? []), row.exceeded, ownNow(row))
      : row.exceeded
    const silent_minutes = row.silent_ms > 0 ? Math.floor(row.silent_ms / minuteMs) : null
    const late_minutes = Math.floor(row.late_ms / minuteMs)
    const machines =
      row.host_name !== null && row.second_host !== null ? ([row.host_name, row.second_host] as const) : undefined
    const judgement = agent.judge({ silent_minutes, passed: exceeded, machines, late_minutes }, settings, {
      at: new Date(nowMs),
      phases: noPhases,
    })
    judged.push({ row, exceeded, judgement })
  }
  await eachIsolated(parsed, judge, ({ row }, error) => onBad(row, error))
  return inTransaction(platform, client => keep(client, judged, nowMs))
}

function seriesOf(rows: readonly MinuteMean[]): MetricMinutes[] {
  return [...Map.groupBy(rows, row => `${row.metric} ${row.of}`).values()].flatMap(of => {
    const { metric, of: label } = of[0]!
    return isServerMetric(metric)
      ? [
          {
            metric,
            label,
            averages: new Map(of.map(row => [row.minute_ms / minuteMs, row.mean])),
            firsts: new Map(of.map(row => [row.minute_ms / minuteMs, row.first_ms])),
          },
        ]
      : []
  })
}

interface Judged {
  row: DueServer
  exceeded: ExceededThreshold[]
  judgement: Judgement
}

/** A key of the report: when it changes, the report is pushed again. */
function keyOf({ judgement, exceeded }: Judged): string {
  if (judgement.code === 'no_data') return 'no_data'
  if (judgement.status !== 'up' && judgement.code !== 'threshold') return `${judgement.status} ${judgement.code}`
  const thresholds = exceeded.map(({ metric, label, severity }) => `${metric} ${label} ${severity}`)
  return `${judgement.status} ${thresholds.join()}`.slice(0, 2_000)
}

const keepSql = prepared(
  'keep-judged-servers',
  (kept: string) => sql`
    update agent_monitors a set judged_at = case when r.has_new_values then r.stored_at else a.judged_at end,
      exceeded = r.exceeded, outcome = r.outcome, reported = r.reported,
      reported_at = case when r.is_reported then clock_timestamp() else a.reported_at end
    from json_to_recordset(${kept}::json) as r(monitor_id uuid, has_new_values boolean, stored_at timestamptz, exceeded
    jsonb, outcome text, reported text, is_reported boolean)
    where a.monitor_id = r.monitor_id`,
)

async function keep(client: PoolClient, judged: readonly Judged[], nowMs: number): Promise<number> {
  // the lock excludes other writers; a judgement that was stored since the read is not overwritten
  const locked = await rows(client, lockServers(judged.map(({ row }) => row.monitor_id)))
  const reportedNow = new Map(locked.map(row => [row.monitor_id, row.reported]))
  const fresh = judged.filter(
    ({ row }) => reportedNow.has(row.monitor_id) && reportedNow.get(row.monitor_id) === row.reported,
  )
  const kept = fresh.map(one => {
    const { row, judgement } = one
    const reported = keyOf(one)
    return {
      ...one,
      reported,
      is_reported: reported !== row.reported || (row.verdict !== judgement.status && !row.is_reported_lately),
    }
  })
  const reports: PushedReport[] = kept
    .filter(({ is_reported }) => is_reported)
    .map(({ row, judgement }) => ({ check: row.check_id, at: nowMs, judgement }))
  await storePushedReports(client, reports)
  await rows(
    client,
    keepSql(
      JSON.stringify(
        kept.map(({ row, exceeded, judgement, reported, is_reported }) => ({
          monitor_id: row.monitor_id,
          has_new_values: row.has_new_values,
          stored_at: row.stored_at,
          exceeded,
          outcome: judgement.status,
          reported,
          is_reported,
        })),
      ),
    ),
  )
  return reports.length
}

interface ServerWatch {
  /** Judges servers that were put off. */
  retry(monitors: readonly string[]): Promise<unknown>
  stop(): Promise<void>
}

/** Judges servers every two seconds, computes finished hours and stores what waits, in the process that leads. */
export function watchServers(services: WatchDeps): ServerWatch {
  const deps = { ...services, minutes: new RecentMinutes(services) }
  const { platform, clickhouse, clock, log } = deps
  const quarantine = new Quarantine(deps)
  const store = serverSampleStore(
    clickhouse,
    ([tenant, monitor], error) =>
      void quarantine.note('server_metrics', [{ key: String(monitor), tenant: String(tenant), error }]),
  )
  const storeWaiting = () => storeWaitingSamples(platform, (rows, count) => store.insert(rows, count))
  const watchesSince = clock.now()
  const judge = () => judgeServers(deps, watchesSince)
  const computeHours = () => computeServerHours(clickhouse, clock.nowMs())
  const loops = [
    new Loop({ everyMs, round: judge, log, failure: 'server judgement failure' }),
    new Loop({ everyMs: hoursEveryMs, round: computeHours, log, failure: 'server roll-up failure' }),
    new Loop({ everyMs: storeEveryMs, round: storeWaiting, log, failure: 'waiting server metrics write failure' }),
  ].map(loop => loop.start())
  return {
    retry: monitors => judgeServers(deps, watchesSince, monitors),
    async stop() {
      await Promise.all(loops.map(loop => loop.stop()))
    },
  }
}

const lockServers = prepared(
  'lock-servers',
  (judged: readonly string[]) => sql<Row<'agent_monitors', 'monitor_id' | 'reported'>>`
    select monitor_id, reported from agent_monitors where monitor_id = any(${judged}::uuid[])
    order by monitor_id for update`,
)
