import { type RawBuilder, sql } from 'kysely'
import type { Pool, PoolClient } from 'pg'
import type { Resolution } from '#contract/incident.ts'
import { errorType, type Span } from '#control-plane/base/tracing.ts'
import { inTransaction } from '#control-plane/base/transaction.ts'
import { prepared, rows, type Statement } from '#control-plane/db/queries.ts'
import { beginEscalationsSql, followIncidentsSql } from '#control-plane/engine/escalation.ts'
import { insertIncidentEventsSql } from '#control-plane/engine/incident-events.ts'
import { isWatchedSql } from '#control-plane/engine/state/sql.ts'
import { numberHosts } from '#control-plane/engine/suppression/host-keys.ts'
import { maintenanceOfSql, quietCauseSql, wasQuietSql } from '#control-plane/engine/suppression/maintenance.ts'
import { noteFlapping, noteWavering } from '#control-plane/engine/suppression/note-flapping.ts'
import {
  ago,
  isStorm,
  rulesParameter,
  rulesSql,
  type SuppressionRules,
} from '#control-plane/engine/suppression/rules.ts'
import { clearWarnings, storeWarnings } from '#control-plane/engine/warnings/keep.ts'
import { type Published, publishChanges, storeSnapshots } from '#control-plane/engine/warnings/keep-changes.ts'
import { wakeDispatcher } from '#control-plane/outbox/emit.ts'
import type { CheckWrites, WriteBatch } from './batch.ts'
import { type Fence, Superseded } from './fence.ts'

export interface Written {
  opened: number
  resolved: number
}

/**
 * Writes a batch in one transaction, each table by one statement. Checks deleted meanwhile are skipped.
 * Written twice, for a commit whose answer was lost, it changes nothing.
 */
export function writeBatch(
  pool: Pool,
  fence: Fence,
  batch: WriteBatch,
  suppression: SuppressionRules,
): Promise<Written> {
  const spans = beginSpans(batch)
  return endedWith(
    spans,
    inTransaction(pool, async client => {
      if (!(await fence.hold(client))) throw new Superseded('Another process has begun to decide.')
      return writeRows(client, batch, suppression, check => spans.get(check)?.traceparent ?? null)
    }),
  )
}

/** The transaction is a part of each recorded decision whose outcome it writes. */
function beginSpans(batch: WriteBatch): Map<string, Span> {
  const spans = new Map<string, Span>()
  for (const [check, { span }] of batch.checks)
    if (span) spans.set(check, span.child('transaction', { 'db.system.name': 'postgresql' }))
  return spans
}

async function endedWith<T>(spans: ReadonlyMap<string, Span>, work: Promise<T>): Promise<T> {
  try {
    return await work
  } catch (error) {
    for (const span of spans.values()) span.fail(errorType(error))
    throw error
  } finally {
    for (const span of spans.values()) span.end()
  }
}

async function writeRows(
  client: PoolClient,
  batch: WriteBatch,
  suppression: SuppressionRules,
  traceOf: (check: string) => string | null,
): Promise<Written> {
  const checks = [...batch.checks]
  const put = async (statement: (rows: string) => Statement<unknown>, written: readonly unknown[]): Promise<number> => {
    if (written.length === 0) return 0
    const [row] = await rows(client, statement(JSON.stringify(written)))
    return (row as Partial<Published> | undefined)?.n ?? 0
  }

  const touched = checks.flatMap(([id, { check, changes, asked, opens, resolvedAt }]) =>
    check !== null || asked !== null || changes.length > 0 || opens !== null || resolvedAt !== null
      ? { check_id: id }
      : [],
  )
  const shown = [...batch.monitors.keys(), ...batch.rests].map(monitor_id => ({ monitor_id }))
  await put(lockMonitors, [...touched, ...shown])
  await put(
    forgetVotes,
    checks.flatMap(([check_id, { dropped }]) => [...dropped].map(region => ({ check_id, region }))),
  )
  await put(
    storeVotes,
    checks.flatMap(([, { votes }]) => [...votes.values()]),
  )
  await put(
    storeChecks,
    checks.flatMap(([, { check }]) => check ?? []),
  )
  await put(
    storeAsked,
    checks.flatMap(([, { asked }]) => asked ?? []),
  )
  await put(
    addChanges,
    checks.flatMap(([, { changes }]) => changes),
  )
  const opened = await put(given => openIncidents(given, rulesParameter(suppression)), openingsOf(checks, traceOf))
  const recovered = checks.flatMap(([check_id, { resolvedAt }]) =>
    resolvedAt === null ? [] : { check_id, at: resolvedAt, traceparent: traceOf(check_id) },
  )
  const stopped = checks.flatMap(([check_id, { stoppedAt }]) =>
    stoppedAt === null ? [] : { check_id, at: stoppedAt, traceparent: null },
  )
  const changed = checks.flatMap(([check_id, { changedAt }]) =>
    changedAt === null ? [] : { check_id, at: changedAt, traceparent: null },
  )
  const resolved =
    (await put(resolveIncidents, recovered)) +
    (await put(endChangedIncidents, changed)) +
    (await put(stopIncidents, stopped))
  await noteFlapping(client, recovered, suppression)
  const [begun, cleared] = [
    checks.flatMap(([, { warning }]) => warning ?? []),
    checks.flatMap(([, writes]) => writes.cleared ?? []),
  ]
  await noteWavering(client, [...begun, ...cleared], suppression)
  const detected = checks.flatMap(([, writes]) => writes.detected)
  const snapshots = checks.flatMap(([, writes]) => writes.snapshot ?? [])
  await put(storeSnapshots, snapshots)
  // where one warning replaces another, the other is cleared first
  const published = [
    await put(clearWarnings, cleared),
    await put(storeWarnings, begun),
    await put(publishChanges, detected),
  ]
  await put(storeMonitors, [...batch.monitors.values()])
  await put(
    restMonitors,
    [...batch.rests].map(id => ({ id })),
  )
  if (opened + resolved > 0 || published.some(Boolean)) await wakeDispatcher(client)
  return { opened, resolved }
}

/** The incidents to open, those of one host with one number. */
function openingsOf(checks: readonly [string, CheckWrites][], traceOf: (check: string) => string | null) {
  const openings = checks.flatMap(([check, { opens }]) => (opens ? [{ ...opens, traceparent: traceOf(check) }] : []))
  const numbers = numberHosts(openings.map(({ host }) => host ?? { tenant: '', keys: [] }))
  return openings.map(({ host, ...opening }, index) => ({ ...opening, keys: host?.keys ?? [], host: numbers[index] }))
}

const moment = (ms: string) => sql`to_timestamp(${sql.ref(ms)} / 1000.0)`

/** Before their checks and incidents, in the same order as a deletion: two orders of locking would deadlock. */
const lockMonitors = prepared(
  'verdicts-lock-monitors',
  (given: string) => sql`
  with r as (
    select * from json_to_recordset(${given}::json) as r(monitor_id uuid, check_id uuid)
  )
  select m.id from monitors m
  where m.id in (
    select r.monitor_id from r
    union all
    select c.monitor_id from r join checks c on c.id = r.check_id
  )
  order by m.id for no key update`,
)

const forgetVotes = prepared(
  'verdicts-forget-votes',
  (given: string) => sql`
  delete from votes v using json_to_recordset(${given}::json) as r(check_id uuid, region text)
  where v.check_id = r.check_id and v.region = r.region`,
)

const storeVotes = prepared(
  'verdicts-votes',
  (given: string) => sql`
  insert into votes (check_id, region, tenant_id, vote, streak_outcome, streak_count, streak_since, last_due,
    last_attempt, evidence, updated_at)
  select c.id, r.region, c.tenant_id, r.vote, r.streak_outcome, r.streak_count, ${moment('r.streak_since')}, r.last_due,
    r.last_attempt, r.evidence, now()
  from json_to_recordset(${given}::json) as r(check_id uuid, region text, vote text, streak_outcome text,
    streak_count int,
    streak_since float8,
    last_due bigint, last_attempt int, evidence jsonb)
  join checks c on c.id = r.check_id
  on conflict (check_id, region) do update set
    vote = excluded.vote, streak_outcome = excluded.streak_outcome, streak_count = excluded.streak_count,
    streak_since = excluded.streak_since,
    last_due = excluded.last_due, last_attempt = excluded.last_attempt, evidence = excluded.evidence,
    updated_at = excluded.updated_at`,
)

const storeChecks = prepared(
  'verdicts-checks',
  (given: string) => sql`
  update checks c set verdict = r.verdict, verdict_since = ${moment('r.verdict_since')},
    verdict_reason = r.verdict_reason, coverage = r.coverage,
    failing_regions = r.failing_regions
  from json_to_recordset(${given}::json) as r(id uuid, verdict text, verdict_since float8, verdict_reason text,
    coverage text,
    failing_regions text[])
  where c.id = r.id`,
)

const storeAsked = prepared(
  'verdicts-asked',
  (given: string) => sql`
  with r as (
    select * from json_to_recordset(${given}::json) as r(check_id uuid, since float8, shard int, regions text[])
  ), ended as (
    update check_regions a set ended_at = ${moment('r.since')} from r
    where a.check_id = r.check_id and a.ended_at is null and a.regions <> r.regions
  )
  insert into check_regions (check_id, tenant_id, since, shard, regions)
  select c.id, c.tenant_id, ${moment('r.since')}, r.shard, r.regions from r join checks c on c.id = r.check_id
  where not exists (select 1 from check_regions a
    where a.check_id = c.id and a.ended_at is null and a.regions = r.regions)
  on conflict do nothing`,
)

const addChanges = prepared(
  'verdicts-changes',
  (given: string) => sql`
  insert into verdict_changes (tenant_id, monitor_id, check_id, at, verdict, severity)
  select c.tenant_id, c.monitor_id, c.id, ${moment('r.at')}, r.verdict, c.severity
  from rows from (json_to_recordset(${given}::json) as (check_id uuid, at float8, verdict text))
  with ordinality as r(check_id, at, verdict, place)
  join checks c on c.id = r.check_id
  where not exists (select 1 from verdict_changes v
    where v.check_id = c.id and v.at = ${moment('r.at')} and v.verdict = r.verdict)
    -- triggers record a pause that a request causes; only others are added
    and (r.verdict <> 'paused' or r.verdict is distinct from (select v.verdict from verdict_changes v
      where v.check_id = c.id order by v.at desc, v.id desc limit 1))
  order by r.place`,
)

/** As many names and addresses are kept of a host. */
const mostHostKeys = 64

const openIncidents = prepared(
  'verdicts-open',
  (given: string, rules: string) => sql<Published>`
  with q as (${rulesSql(rules)}), asked as materialized (
    select r.*, c.tenant_id, c.monitor_id, c.type, coalesce(c.snoozed_until > clock_timestamp(), false) as is_muted,
      ${quietCauseSql('m')} as quiet_by,
      (select ms.window_id ${maintenanceOfSql('m')} order by ms.started_at, ms.id limit 1) as maintenance_window_id
    from json_to_recordset(${given}::json) as r(check_id uuid, title text, cause text, severity text, started_at float8,
      confirmed_at float8, quorum jsonb, evidence jsonb, traceparent text, keys text[], host int)
    join checks c on c.id = r.check_id join monitors m on m.id = c.monitor_id
    where not exists (select 1 from incidents i where i.check_id = c.id and i.resolved_at is null)
  ), counted as (
    select tenant_id, count(*)::int as n from asked group by tenant_id
  ), numbers as (
    insert into incident_numbers as stored (tenant_id, last) select tenant_id, n from counted order by tenant_id
    on conflict (tenant_id) do update set last = stored.last + excluded.last
    returning tenant_id, last
  ), flapping as (
    update flappings f set last_change_at = clock_timestamp()
    where f.ended_at is null and f.monitor_id in (select monitor_id from asked)
    returning f.monitor_id
  ), alerting as (
    select * from asked where not is_muted and quiet_by is null
  ), hosted as (
    select a.* from alerting a
    where cardinality(a.keys) > 0 and not exists (select 1 from flapping f where f.monitor_id = a.monitor_id)
  ), hosts as materialized (
    select a.tenant_id, a.host, min(a.keys[1]) as name, gen_random_uuid() as id,
      array_agg(distinct a.monitor_id) as monitors, (array_agg(distinct k))[1:${sql.lit(mostHostKeys)}] as keys
    from hosted a cross join unnest(a.keys) k group by a.tenant_id, a.host
  ), joining as materialized (
    -- those whose storm still grows
    select distinct on (a.tenant_id, a.host) a.tenant_id, a.host, s.id
    from hosts a cross join q join host_storms s on s.tenant_id = a.tenant_id and s.resolved_at is null
      and s.keys && a.keys and s.grown_at > ${ago('q.grows_for_s')}
    order by a.tenant_id, a.host, s.started_at, s.id
  ), fresh as materialized (
    -- those notified singly just now
    select i.id, i.tenant_id, i.monitor_id, i.host_keys from incidents i cross join q
    where i.tenant_id in (select tenant_id from hosts) and i.resolved_at is null and i.host_keys is not null
      and i.confirmed_at > ${ago('q.wave_within_s')} and i.host_storm_id is null and i.suppressed_by is null
      and i.notified_at is not null
  ), founding as materialized (
    -- enough monitors of a host at this moment, or another one after people were notified of the first
    select f.* from hosts f cross join q
    where not exists (select 1 from joining j where j.tenant_id = f.tenant_id and j.host = f.host)
      and (cardinality(f.monitors) >= q.host_least or exists (select 1 from fresh i
        where i.tenant_id = f.tenant_id and i.host_keys && f.keys and i.monitor_id <> all(f.monitors)))
  ), fresh_of_host as (
    select distinct on (i.id) i.id, f.id as host_storm_id
    from fresh i join founding f on f.tenant_id = i.tenant_id and f.keys && i.host_keys order by i.id, f.id
  ), of_host as materialized (
    select tenant_id, host, id, false as is_new from joining
    union all
    select tenant_id, host, id, true from founding
  ), loud as (
    select distinct a.tenant_id from alerting a
    where not exists (select 1 from joining j where j.tenant_id = a.tenant_id and j.host = a.host)
  ), waves as (
    -- many monitors at once, where none of the tenant's storms still grows
    select l.tenant_id, t.total
    from loud l cross join q cross join lateral (
      select count(distinct u.failure)::int as n from (
        -- the monitors of one host are one failure
        select coalesce(h.id, a.monitor_id) as failure from alerting a left join of_host h using (tenant_id, host)
        where a.tenant_id = l.tenant_id
        union all
        select coalesce(i.host_storm_id, h.host_storm_id, i.monitor_id)
        from incidents i left join fresh_of_host h on h.id = i.id
        where i.tenant_id = l.tenant_id and i.resolved_at is null and i.confirmed_at > ${ago('q.wave_within_s')}
          and i.notified_at is not null and not ${wasQuietSql('i.suppressed_by')}
      ) u
    ) o cross join lateral (
      select count(*)::int as total from monitors m
      where o.n >= q.least and m.tenant_id = l.tenant_id and m.is_enabled and not m.held_by_plan
    ) t
    where not exists (select 1 from storms s
      where s.tenant_id = l.tenant_id and s.resolved_at is null and s.grown_at > ${ago('q.grows_for_s')})
      and ${isStorm(sql`o.n`, sql`t.total`)}
  ), begun as (
    insert into storms (id, tenant_id, started_at, grown_at, monitors_total)
    select gen_random_uuid(), tenant_id, clock_timestamp(), clock_timestamp(), total from waves order by tenant_id
    on conflict (tenant_id) where resolved_at is null do nothing
    returning id, tenant_id
  ), grown as (
    update storms s set grown_at = clock_timestamp()
    from loud l cross join q
    where s.tenant_id = l.tenant_id and s.resolved_at is null
      and (s.grown_at > ${ago('q.grows_for_s')} or exists (select 1 from waves w where w.tenant_id = l.tenant_id))
    returning s.id, s.tenant_id
  ), storm as (
    select * from begun union all select * from grown
  ), founded as (
    insert into host_storms (id, tenant_id, host, keys, started_at, grown_at)
    select f.id, f.tenant_id, f.name, f.keys, clock_timestamp(), clock_timestamp() from founding f
    where not exists (select 1 from storm s where s.tenant_id = f.tenant_id)
    order by f.id
    returning id
  ), grown_hosts as (
    update host_storms s set grown_at = clock_timestamp()
    from (select id from host_storms where id in (select id from joining) order by id for update) j where s.id = j.id
  ), joined_hosts as (
    -- those notified before the storm of their host was founded
    update incidents i set host_storm_id = s.id from founded s join fresh_of_host h on h.host_storm_id = s.id
    where i.id = h.id and i.resolved_at is null
    returning i.id, i.host_storm_id
  ), joined as (
    -- those notified before the storm was detected
    update incidents i set storm_id = s.id from waves w join storm s using (tenant_id) cross join q
    where i.tenant_id = w.tenant_id and i.resolved_at is null and i.confirmed_at > ${ago('q.wave_within_s')}
      and i.storm_id is null and i.host_storm_id is null and i.notified_at is not null
      and not exists (select 1 from joined_hosts h where h.id = i.id) and not ${wasQuietSql('i.suppressed_by')}
  ), decided as (
    select a.*, s.id as storm_id, h.id as host_storm_id, case when a.quiet_by is not null then a.quiet_by
      when f.monitor_id is not null then 'flapping' when h.id is not null then 'host'
      when s.id is not null then 'storm' end as suppressed_by
    from asked a left join flapping f using (monitor_id)
    left join of_host h on h.tenant_id = a.tenant_id and h.host = a.host and not a.is_muted and a.quiet_by is null
      and f.monitor_id is null and (not h.is_new or exists (select 1 from founded d where d.id = h.id))
    left join storm s on s.tenant_id = a.tenant_id and h.id is null and not a.is_muted and a.quiet_by is null
  ), made as (
    insert into incidents (id, tenant_id, monitor_id, check_id, check_type, number, title, cause, severity, started_at,
      confirmed_at, quorum, evidence,
      notified_at, forwarded_at, suppressed_by, storm_id, host_storm_id, host_keys, maintenance_window_id)
    select gen_random_uuid(), a.tenant_id, a.monitor_id, a.check_id, a.type,
      n.last - c.n + row_number() over (partition by a.tenant_id order by a.started_at, a.check_id)::int,
      a.title, a.cause, a.severity, ${moment('a.started_at')}, ${moment('a.confirmed_at')}, a.quorum, a.evidence,
      -- while a check is snoozed its team is not notified; the end of the snooze notifies of what is still open
      case when not a.is_muted then clock_timestamp() end,
        case when a.suppressed_by is null then clock_timestamp() end, a.suppressed_by, a.storm_id,
        a.host_storm_id, nullif(a.keys, '{}'), a.maintenance_window_id
    from decided a join counted c using (tenant_id) join numbers n using (tenant_id)
    returning *
  ), published as (
    ${insertIncidentEventsSql('incident.created', 'begun', {
      isMuted: sql`i.notified_at is null`,
      trace: 'a.traceparent',
      from: sql`from made i join monitors m on m.id = i.monitor_id join asked a on a.check_id = i.check_id
        order by i.number`,
    })}
  ), escalated as (
    ${beginEscalationsSql(sql`from made i join monitors m on m.id = i.monitor_id`, { joined: 'joined_hosts' })}
  )
  select count(*)::int as n from made`,
)

/** `where`: which of the open incidents `i` of the checks `c`. */
const endIncidents = (
  name: string,
  resolution: Extract<Resolution, 'recovered' | 'changed' | 'stopped'>,
  where: RawBuilder<unknown> = sql``,
) =>
  prepared(
    name,
    (given: string) => sql<Published>`
  with closed as (
    update incidents i set status = 'resolved', resolution = ${sql.lit(resolution)},
      resolved_at = greatest(i.started_at, ${moment('r.at')}), snoozed_until = null, updated_at = clock_timestamp()
    from json_to_recordset(${given}::json) as r(check_id uuid, at float8, traceparent text)
    where i.check_id = r.check_id and i.resolved_at is null ${where}
    returning i.*, r.traceparent
  ), followed as (
    ${followIncidentsSql('closed')}
  ), published as (
    ${insertIncidentEventsSql('incident.resolved', 'followed', {
      trace: 'i.traceparent',
      from: sql`from closed i join monitors m on m.id = i.monitor_id order by i.number`,
    })}
  )
  select count(*)::int as n from closed`,
  )

const resolveIncidents = endIncidents('verdicts-resolve', 'recovered')

const endChangedIncidents = endIncidents('verdicts-end-changed', 'changed', sql`and i.started_at <= ${moment('r.at')}`)

/** A maintenance window that pauses a check ends nothing. */
const stopIncidents = endIncidents(
  'verdicts-stop',
  'stopped',
  sql`and exists (select 1 from checks c join monitors m on m.id = c.monitor_id join tenants t on t.id = c.tenant_id
    where c.id = i.check_id
      and not (c.is_enabled and ${isWatchedSql()}))`,
)

const storeMonitors = prepared(
  'verdicts-monitors',
  (given: string) => sql`
  update monitors m set status = r.status, status_reason = r.status_reason, coverage = r.coverage,
    status_changed_at = case when m.status is distinct from r.status then ${moment('r.at')}
      else m.status_changed_at end,
    coverage_since = case when m.coverage is distinct from r.coverage
      or m.coverage_since is null then ${moment('r.coverage_at')} else m.coverage_since end
  from json_to_recordset(${given}::json) as r(id uuid, status text, status_reason text, coverage text, at float8,
    coverage_at float8)
  where m.id = r.id and not (not m.is_enabled or m.held_by_plan)
    and (m.status, m.status_reason, m.coverage) is distinct from (r.status, r.status_reason, r.coverage)`,
)

const restMonitors = prepared(
  'verdicts-rests',
  (given: string) => sql`
  update monitors m set status = s.status, status_reason = null, coverage = 'none',
    status_changed_at = case when m.status is distinct from s.status then now() else m.status_changed_at end,
    coverage_since = case when m.coverage is distinct from 'none' then now() else m.coverage_since end
  from json_to_recordset(${given}::json) as r(id uuid)
  join monitors o on o.id = r.id
  join tenants t on t.id = o.tenant_id
  cross join lateral (select case when not ${isWatchedSql('o')} then 'paused' end as status) s
  where m.id = r.id`,
)
