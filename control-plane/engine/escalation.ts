import { type RawBuilder, sql } from 'kysely'

/**
 * Has the escalations of incidents `changed` (their rows as they are now, as a `with` names them) follow them: they end
 * with an acknowledgement or the incident, and are suspended by a snooze and by a suppression. Every statement that
 * changes one of these columns has it.
 */
export const followIncidentsSql = (changed: string): RawBuilder<unknown> => sql`
  update escalation_runs r set
    state = case
      when i.resolved_at is not null then 'resolved'
      when i.acknowledged_at is not null then 'acknowledged'
      when i.notified_at is null or i.snoozed_until > clock_timestamp() then 'parked'
      when i.suppressed_by is not null then 'held'
      when r.round = 1 and r.step = 0 then 'pending'
      else 'running' end,
    next_at = case when i.resolved_at is null and i.acknowledged_at is null and i.notified_at is not null
        and i.suppressed_by is null and r.next_at is null
      then clock_timestamp() + (select s.delay_minutes * interval '1 minute' from escalation_steps s
        where s.policy_id = r.policy_id order by s.position, s.id limit 1)
      else r.next_at end,
    updated_at = clock_timestamp()
  from ${sql.table(changed)} i where r.incident_id = i.id and r.state not in ('resolved', 'exhausted')`

/**
 * Begins the escalation of each incident of `from`, known as `i` beside its monitor `m`: by the policy of the
 * monitor, else by the default policy of the team. One whose alert is suppressed or muted waits until it is sent. Of
 * the incidents of a storm, which are notified as one list, the first of each policy is escalated at once. `joined`:
 * the incidents that joined a storm of their host in the same statement, by `id` and `host_storm_id`.
 */
export const beginEscalationsSql = (
  from: RawBuilder<unknown>,
  { joined }: { joined: string },
): RawBuilder<unknown> => sql`
  insert into escalation_runs (tenant_id, incident_id, monitor_id, policy_id, state, next_at)
  select r.tenant_id, r.id, r.monitor_id, r.policy_id, r.state,
    case when r.state = 'pending' then clock_timestamp() + r.delay_minutes * interval '1 minute' end
  from (
    select i.tenant_id, i.id, i.monitor_id, p.id as policy_id, s.delay_minutes, i.number,
      case when i.notified_at is null then 'parked' when i.suppressed_by is null then 'pending'
        when i.suppressed_by in ('storm', 'host')
          and row_number() over (partition by i.host_storm_id, i.storm_id, p.id, i.suppressed_by, i.notified_at is null
            order by i.number) = 1
          and not exists (select 1 from incidents o join escalation_runs e on e.incident_id = o.id
            where (o.storm_id = i.storm_id or o.host_storm_id = i.host_storm_id) and e.policy_id = p.id
              and e.state in ('pending', 'running', 'acknowledged'))
          and not exists (select 1 from ${sql.table(joined)} o join escalation_runs e on e.incident_id = o.id
            where o.host_storm_id = i.host_storm_id and e.policy_id = p.id
              and e.state in ('pending', 'running', 'acknowledged'))
        then 'pending' else 'held' end as state
    ${from}
    join escalation_policies p on p.tenant_id = i.tenant_id and case when m.escalation_policy_id is null
      then p.is_default else p.id = m.escalation_policy_id end
    cross join lateral (select delay_minutes from escalation_steps s where s.policy_id = p.id
      order by s.position, s.id limit 1) s
  ) r
  order by r.number
  on conflict (incident_id) do nothing`
