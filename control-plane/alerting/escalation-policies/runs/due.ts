import { sql } from 'kysely'
import type { Pool } from 'pg'
import { readSteps, type StepRow } from '#control-plane/alerting/escalation-policies/rows.ts'
import { isQuarantinedSql } from '#control-plane/base/quarantine/quarantine.ts'
import { prepared, type Row, rows } from '#control-plane/db/queries.ts'
import { isWatchedSql } from '#control-plane/engine/state/sql.ts'
import { isQuietSql } from '#control-plane/engine/suppression/maintenance.ts'
import type { Plan } from './advance.ts'

/** A run whose next step is due. */
export type DueRun = Row<
  'escalation_runs',
  'id' | 'tenant_id' | 'incident_id' | 'policy_id' | 'round' | 'step' | 'repeats'
> &
  Row<'incidents', 'severity'> & {
    /** Whether a step of this round has called a target. */
    has_called: boolean
  }

const isCovered = isQuietSql('m')

/** No person is called of a monitor that is not checked. Of `tenants` known as `t` and `monitors` known as `m`. */
const isChecked = isWatchedSql()

/** A person asked for silence about this check for a while. Of `checks` known as `c`. */
const isSnoozed = sql`coalesce(c.snoozed_until > clock_timestamp(), false)`

const due = prepared(
  'escalation-due',
  (most: number, only: readonly string[] | null) => sql<DueRun>`
    select r.id, r.tenant_id, r.incident_id, r.policy_id, r.round, r.step, r.repeats, i.severity,
      exists (select from escalation_notifications n
        where n.run_id = r.id and n.round = r.round and n.reason is null) as has_called
    from escalation_runs r
    join incidents i on i.id = r.incident_id
    join monitors m on m.id = r.monitor_id
    join tenants t on t.id = r.tenant_id
    left join checks c on c.id = i.check_id
    where r.state in ('pending', 'running') and r.next_at <= clock_timestamp() and ${isChecked}
    and not ${isCovered} and not ${isSnoozed}
      and case when ${only}::uuid[] is null then not ${isQuarantinedSql('escalation_run', 'r.id')}
        else r.id = any(${only}::uuid[]) end
    order by r.next_at limit ${most}`,
)

/** Runs whose next step is due, those that wait longest first. `only`: of these, although they are in quarantine. */
export async function readDue(platform: Pool, most: number, only: readonly string[] | null): Promise<DueRun[]> {
  return await rows(platform, due(most, only))
}

// a run that another transaction changes at this moment is considered in the next round
const hold = prepared(
  'escalation-hold',
  () => sql`
    with r as (
      select r.id from escalation_runs r join monitors m on m.id = r.monitor_id
      where r.state in ('pending', 'running')
        and r.tenant_id in (select tenant_id from maintenance_windows where state = 'active') and ${isCovered}
      for update of r skip locked
    )
    update escalation_runs stored set state = 'held', updated_at = clock_timestamp() from r where stored.id = r.id`,
)

const park = prepared(
  'escalation-park',
  () => sql`
    with r as (
      select r.id from checks c join incidents i on i.check_id = c.id join escalation_runs r on r.incident_id = i.id
      where c.snoozed_until > clock_timestamp() and i.resolved_at is null and r.state in ('pending', 'running')
      for update of r skip locked
    )
    update escalation_runs stored set state = 'parked', updated_at = clock_timestamp() from r where stored.id = r.id`,
)

const resume = prepared(
  'escalation-resume',
  () => sql`
    with r as (
      select r.id from escalation_runs r
      join incidents i on i.id = r.incident_id
      join monitors m on m.id = r.monitor_id
      left join checks c on c.id = i.check_id
      where r.state in ('held', 'parked') and i.resolved_at is null and i.acknowledged_at is null
        and i.notified_at is not null
        and (i.suppressed_by is null or (i.suppressed_by in ('storm', 'host') and r.next_at is not null))
        and not exists (select 1 from incidents o join escalation_runs e on e.incident_id = o.id
          where (o.storm_id = i.storm_id or o.host_storm_id = i.host_storm_id) and e.policy_id = r.policy_id
            and e.id <> r.id and e.state in ('pending', 'running')
            and (i.suppressed_by in ('storm', 'host') or o.suppressed_by in ('storm', 'host')))
        and coalesce(i.snoozed_until <= clock_timestamp(), true) and not ${isSnoozed}
        and not ${isCovered} for update of r skip locked
    )
    update escalation_runs stored set
      state = case when stored.round = 1 and stored.step = 0 then 'pending' else 'running' end,
      next_at = coalesce(stored.next_at, clock_timestamp() + (select s.delay_minutes * interval '1 minute'
        from escalation_steps s where s.policy_id = stored.policy_id order by s.position, s.id limit 1)),
      updated_at = clock_timestamp()
    from r where stored.id = r.id`,
)

/**
 * SQL: of a storm, the first incident of each policy is escalated. Where that has ended, is deleted, snoozed or no
 * longer checked, and no person took it, the run of the next open one goes on from the step that it had reached.
 */
const handOver = prepared(
  'escalation-hand-over',
  () => sql`
    with waiting as (
      select i.storm_id, i.host_storm_id, r.policy_id, min(i.number) as number, i.tenant_id
      from escalation_runs r join incidents i on i.id = r.incident_id join monitors m on m.id = r.monitor_id
      join tenants t on t.id = r.tenant_id left join checks c on c.id = i.check_id
      where r.state = 'held' and r.next_at is null and i.resolved_at is null and i.acknowledged_at is null
        and i.notified_at is not null and i.suppressed_by in ('storm', 'host')
        and coalesce(i.snoozed_until <= clock_timestamp(), true) and not ${isSnoozed} and ${isChecked}
        and not ${isCovered}
      group by i.storm_id, i.host_storm_id, r.policy_id, i.tenant_id
    ), g as (
      select r.id, p.round, p.step, p.repeats, p.next_at
      from waiting w join incidents i on i.tenant_id = w.tenant_id and i.number = w.number
      join escalation_runs r on r.incident_id = i.id
      left join lateral (
        select e.round, e.step, e.repeats, e.next_at from incidents o join escalation_runs e on e.incident_id = o.id
        where (o.storm_id = w.storm_id or o.host_storm_id = w.host_storm_id) and e.policy_id = w.policy_id
          and e.state in ('resolved', 'parked') and e.next_at is not null
        order by e.updated_at desc limit 1
      ) p on true
      where not exists (select 1 from incidents o join escalation_runs e on e.incident_id = o.id
        join monitors m on m.id = o.monitor_id join tenants t on t.id = o.tenant_id
        where (o.storm_id = w.storm_id or o.host_storm_id = w.host_storm_id) and e.policy_id = w.policy_id
          and (e.state in ('pending', 'running') and ${isChecked} or e.state = 'exhausted'
            or o.acknowledged_at is not null))
      for update of r skip locked
    )
    update escalation_runs stored set
      state = case when coalesce(g.step, 0) = 0 and coalesce(g.round, 1) = 1 then 'pending' else 'running' end,
      round = coalesce(g.round, stored.round), step = coalesce(g.step, stored.step),
      repeats = coalesce(g.repeats, stored.repeats),
      next_at = coalesce(g.next_at, clock_timestamp() + (select s.delay_minutes * interval '1 minute'
        from escalation_steps s where s.policy_id = stored.policy_id order by s.position, s.id limit 1)),
      updated_at = clock_timestamp()
    from g where stored.id = g.id`,
)

const pending = prepared(
  'escalation-pending',
  () => sql<Pending>`
    select exists (select from escalation_runs where state in ('pending', 'running')) as is_running,
    exists (select from escalation_runs where state in ('held', 'parked')) as is_held,
    exists (select from maintenance_windows where state = 'active') as is_maintained,
    exists (select from checks where snoozed_until > clock_timestamp()) as is_snoozed,
    exists (select from escalation_steps where lost_at is not null) as is_lost`,
)

/** Which statements a round needs: none where nothing is escalated, which is the rule. */
export interface Pending {
  is_running: boolean
  is_held: boolean
  is_maintained: boolean
  is_snoozed: boolean
  /** A step has lost the last person whom it called. */
  is_lost: boolean
}

export async function readPending(platform: Pool): Promise<Pending> {
  const [found] = await rows(platform, pending())
  return found ?? { is_running: false, is_held: false, is_maintained: false, is_snoozed: false, is_lost: false }
}

/**
 * Suspends runs of monitors that a maintenance window covers and of checks that are snoozed, resumes those whose window
 * or snooze is over, and hands over those of storms.
 */
export async function followSilences(platform: Pool, pending: Pending): Promise<void> {
  const holds = pending.is_running && pending.is_maintained
  const parks = pending.is_running && pending.is_snoozed
  if (holds) await rows(platform, hold())
  if (parks) await rows(platform, park())
  if (pending.is_held || holds) await rows(platform, resume())
  if (pending.is_held || parks) await rows(platform, handOver())
}

export interface PolicyPlan extends Plan<StepRow & { delayMinutes: number }> {
  name: string
}

type PolicyRow = Row<
  'escalation_policies',
  'id' | 'name' | 'repeat_count' | 'repeat_delay_minutes' | 'fallback_policy_id'
>

const policies = prepared(
  'escalation-policies',
  (ids: readonly string[]) => sql<PolicyRow>`
    with recursive p as (
      select id, name, repeat_count, repeat_delay_minutes, fallback_policy_id from escalation_policies
      where id = any(${ids}::uuid[])
      union
      select f.id, f.name, f.repeat_count, f.repeat_delay_minutes, f.fallback_policy_id
      from p join escalation_policies f on f.id = p.fallback_policy_id
    )
    select * from p`,
)

/** Policies with all that they fall back on, by id. Two statements, however many. */
export async function readPlans(platform: Pool, ids: readonly string[]): Promise<Map<string, PolicyPlan>> {
  const found = await rows(platform, policies(ids))
  const steps = await readSteps(
    platform,
    found.map(({ id }) => id),
  )
  return new Map(
    found.map(row => [
      row.id,
      {
        id: row.id,
        name: row.name,
        repeatCount: row.repeat_count,
        repeatDelayMinutes: row.repeat_delay_minutes,
        fallbackPolicyId: row.fallback_policy_id,
        steps: (steps.get(row.id) ?? []).map(step => ({ ...step, delayMinutes: step.delay_minutes })),
      },
    ]),
  )
}
