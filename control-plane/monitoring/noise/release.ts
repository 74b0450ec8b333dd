import { audienceSql, incidentPayloadSql } from '#control-plane/monitoring/incidents/told-sql.ts'
import { ago, rulesSql } from './rules.ts'

/**
 * Tells of what was held and is no noise: a monitor that flaps and then stays down, and what is left of a storm that is over.
 * A storm's own list has told of what is down in it. The team that muted the check is told when it no longer does.
 */
export const releaseHeld = `
  with q as (${rulesSql('$1')}), due as (
    select i.id, coalesce(c.snoozed_until > clock_timestamp(), false) as is_muted
    from incidents i cross join q join monitors m on m.id = i.monitor_id left join checks c on c.id = i.check_id left join storms s on s.id = i.storm_id
    where i.held_by is not null and i.resolved_at is null and m.status is distinct from 'paused' and (s.id is null or s.resolved_at is not null)
      and (i.held_by = 'storm' or i.confirmed_at <= ${ago('q.release_after_s')})
    order by i.confirmed_at limit 500 for update of i skip locked
  ), i as (
    update incidents held set held_by = null, forwarded_at = clock_timestamp(), told_at = case when not d.is_muted then clock_timestamp() end
    from due d where held.id = d.id
    returning held.*
  ), told as (
    insert into outbox (tenant_id, kind, name, payload, audience)
    select i.tenant_id, 'event', 'incident.created', ${incidentPayloadSql}, ${audienceSql} from i join monitors m on m.id = i.monitor_id
    order by i.number
    returning id
  )
  select pg_notify('outbox', '') from told`
