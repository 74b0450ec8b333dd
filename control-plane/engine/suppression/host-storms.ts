import { type RawBuilder, sql } from 'kysely'
import { ago } from './rules.ts'
import { suppressionStep } from './step.ts'
import { emitStorms } from './storms.ts'

/**
 * The members of a storm of one host `s`: how many monitors, how many are down, since when one waits suppressed, when
 * the last one recovered, and whether people were notified singly of one that is still open.
 */
const counted = sql`cross join lateral (
  select count(distinct i.monitor_id)::int as monitors,
    count(distinct i.monitor_id) filter (where i.resolved_at is null)::int as down,
    min(i.confirmed_at) filter (where i.suppressed_by = 'host') as waits_since,
    max(i.resolved_at) as recovered_at,
    coalesce(bool_or(i.suppressed_by is null and i.resolved_at is null), false) as is_known
  from incidents i where i.host_storm_id = s.id) n`

/** Whether the members `n` of a storm waited for long enough for more of them. */
const isSettled = sql`(not n.is_known or n.waits_since <= ${ago('q.host_settle_s')})`

/** Whether the storm `storm` that an incident waits in is settled, and has too few members. */
export const isAlone = (
  storm: string,
): RawBuilder<boolean> => sql`(${sql.ref(`${storm}.notified_at`)} is null and exists (
  select 1 from (select ${sql.ref(`${storm}.id`)}) s(id) ${counted} where n.monitors < q.host_least and ${isSettled}))`

/** What a storm `s` is called: the name that its monitors share, else the first key that all of them share. */
const host = sql`coalesce(
  (select k from incidents i cross join unnest(i.host_keys) with ordinality u(k, place) where i.host_storm_id = s.id
    group by k having count(distinct i.id) = (select count(*) from incidents o where o.host_storm_id = s.id)
    order by min(place), k like '%:%', k limit 1),
  s.host)`

/**
 * Notifies of storms of one host: soon after they began, and then repeatedly while they grow. What was notified singly
 * before also ends singly.
 */
export const notifyHostStorms = suppressionStep({
  kind: 'host_storm',
  name: 'suppression-notify-host-storms',
  key: 's.id',
  due: among => sql`s as (
    select s.*, n.monitors, n.down from host_storms s cross join q ${counted}
    where s.resolved_at is null and case when s.notified_at is null
        then n.monitors >= q.host_least and n.waits_since is not null and ${isSettled}
        else s.notified_at <= ${ago('q.update_every_s')} and n.monitors > s.notified_monitors end
      and ${among}
    order by s.id limit 200 for update of s skip locked
  )`,
  act: sql`noted as (
    update host_storms stored set notified_at = clock_timestamp(), notified_monitors = s.monitors, host = ${host} from s
    where stored.id = s.id
  ), published as (
    ${emitStorms('storm.detected', { resolvedAt: sql`null::timestamptz`, column: 'host_storm_id', host })}
  )`,
})

/** Ends storms of one host that are over, and forgets those that were none. */
export const endHostStorms = suppressionStep({
  kind: 'host_storm',
  name: 'suppression-end-host-storms',
  key: 's.id',
  due: among => sql`s as (
    select s.*, n.monitors, n.down from host_storms s cross join q ${counted}
    where s.resolved_at is null and case when s.notified_at is null
        then n.waits_since is null and s.grown_at <= ${ago('q.wave_within_s')}
        else n.down = 0 or n.down < q.host_least and n.recovered_at <= ${ago('q.host_calm_s')} end
      and ${among}
    order by s.id limit 200 for update of s skip locked
  )`,
  act: sql`noted as (
    update host_storms stored set resolved_at = clock_timestamp() from s where stored.id = s.id
  ), published as (
    ${emitStorms('storm.resolved', {
      resolvedAt: sql<string>`clock_timestamp()`,
      column: 'host_storm_id',
      host: 's.host',
      from: sql`from s where s.notified_at is not null`,
    })}
  )`,
})
