import { sql } from 'kysely'
import { followIncidentsSql } from '#control-plane/engine/escalation.ts'
import { insertIncidentEventsSql } from '#control-plane/engine/incident-events.ts'
import { isAlone } from './host-storms.ts'
import { isQuietSql } from './maintenance.ts'
import { ago } from './rules.ts'
import { suppressionStep } from './step.ts'

/**
 * Publishes suppressed incidents that are worth a single alert: of a monitor that flaps and then stays down, what is
 * left of a storm that is over, what waited for others of its host of which there were too few, and what began in a
 * maintenance window and is still open after it. A storm's own list
 * has named what is down in it. A team that has muted the check is notified at the end of the mute.
 */
export const releaseSuppressed = suppressionStep({
  kind: 'suppressed_incident',
  name: 'suppression-release',
  key: 'i.id',
  due: among => sql`i as (
    select i.*, coalesce(c.snoozed_until > clock_timestamp(), false) as is_muted
    from incidents i cross join q join monitors m on m.id = i.monitor_id left join checks c on c.id = i.check_id
    left join storms s on s.id = i.storm_id
    left join host_storms h on h.id = i.host_storm_id
    where i.suppressed_by is not null and i.resolved_at is null and m.is_enabled
      and m.status is distinct from 'paused'
      and (s.id is null or s.resolved_at is not null)
      and case when i.suppressed_by = 'storm' then true
        when i.suppressed_by = 'host' then h.id is null or h.resolved_at is not null or ${isAlone('h')}
        when i.suppressed_by in ('maintenance', 'shadow') then not ${isQuietSql('m')}
        else i.confirmed_at <= ${ago('q.release_after_s')} end
      and (i.forwarded_at is null or not coalesce(c.snoozed_until > clock_timestamp(), false)) and ${among}
    order by i.confirmed_at limit 500 for update of i skip locked
  )`,
  act: sql`released as (
    update incidents stored set suppressed_by = case when i.is_muted then stored.suppressed_by end,
      forwarded_at = coalesce(stored.forwarded_at, clock_timestamp())
    from i where stored.id = i.id returning stored.*
  ), alerting as (
    select * from released where suppressed_by is null
  ), followed as (
    ${followIncidentsSql('alerting')}
  ), published as (
    ${insertIncidentEventsSql('incident.created', 'released', {
      isMuted: 'i.is_muted',
      // without the reseller, and a team that was not notified of the beginning, there is no recipient
      from: sql`from i join monitors m on m.id = i.monitor_id
        where i.forwarded_at is null or not (i.is_muted or i.notified_at is null)
        order by i.number`,
    })}
  )`,
})

const ofMonitors = sql`from i join monitors m on m.id = i.monitor_id`

/** The same for those that waited for others of their host, and ended meanwhile: their beginning and their end. */
export const releaseEnded = suppressionStep({
  kind: 'suppressed_incident',
  name: 'suppression-release-ended',
  key: 'i.id',
  due: among => sql`i as (
    select i.* from incidents i cross join q join host_storms h on h.id = i.host_storm_id
    where i.suppressed_by = 'host' and i.resolved_at is not null and ${isAlone('h')} and ${among}
    order by i.confirmed_at limit 500 for update of i skip locked
  )`,
  act: sql`released as (
    update incidents stored set suppressed_by = null, forwarded_at = coalesce(stored.forwarded_at, clock_timestamp())
    from i where stored.id = i.id
  ), begun as (
    ${insertIncidentEventsSql('incident.created', 'released', { from: sql`${ofMonitors} order by i.number` })}
  ), published as (
    ${insertIncidentEventsSql('incident.resolved', 'released', {
      // the beginnings are written first
      from: sql`${ofMonitors} where (select count(*) from begun) > 0 order by i.number`,
    })}
  )`,
})
