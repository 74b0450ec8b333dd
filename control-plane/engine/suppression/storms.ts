import { type RawBuilder, sql } from 'kysely'
import { type Part, stamp } from '#control-plane/db/queries.ts'
import { besideMonitorRecord } from '#control-plane/engine/monitor-record.ts'
import { insertEventsSql } from '#control-plane/outbox/emit.ts'
import { ago, isStorm } from './rules.ts'
import { suppressionStep } from './step.ts'

/** How many incidents a list names by their ids, and how many monitors by their names. */
const most = { ids: 1_000, names: 20 } as const

/** Emits one event for each storm `s` with its counts. `column`: that of incidents with its id. */
export const emitStorms = (
  name: 'storm.detected' | 'storm.resolved',
  {
    resolvedAt,
    column = 'storm_id',
    host = sql`null::text`,
    from = sql`from s`,
  }: {
    resolvedAt: RawBuilder<string | null>
    column?: 'storm_id' | 'host_storm_id'
    host?: Part
    from?: RawBuilder<unknown>
  },
) => {
  const isOfStorm = sql`${sql.ref(`i.${column}`)} = s.id`
  return insertEventsSql({
    name,
    tenant: 's.tenant_id',
    payload: {
      storm_id: 's.id',
      host,
      started_at: stamp('s.started_at'),
      resolved_at: stamp(resolvedAt),
      monitors_count: 's.monitors',
      down_count: 's.down',
      severity: sql`(select case when bool_or(i.severity = 'critical') then 'critical'
          when bool_or(i.severity = 'major') then 'major' else 'minor' end
        from incidents i where ${isOfStorm})`,
      incident_ids: sql`(select coalesce(jsonb_agg(e.id order by e.number), '[]') from (
        select i.id, i.number from incidents i where ${isOfStorm} order by i.number limit ${sql.lit(most.ids)}) e)`,
      monitor_ids: sql`(select coalesce(jsonb_agg(e.id), '[]') from (
        select distinct i.monitor_id as id from incidents i where ${isOfStorm} limit ${sql.lit(most.ids)}) e)`,
      monitor_names: sql`(select coalesce(jsonb_agg(e.name order by e.number), '[]') from (
        select m.name, i.number from incidents i ${besideMonitorRecord}
        where ${isOfStorm} order by i.number limit ${sql.lit(most.names)}) e)`,
    },
    from,
  })
}

const counted = sql`cross join lateral (
  select count(distinct i.monitor_id)::int as monitors,
    count(distinct i.monitor_id) filter (where i.resolved_at is null)::int as down
  from incidents i where i.storm_id = s.id) n`

/** Notifies of storms: soon after they began, and then repeatedly while they grow. */
export const notifyStorms = suppressionStep({
  kind: 'storm',
  name: 'suppression-notify-storms',
  key: 's.id',
  due: among => sql`s as (
    select s.*, n.monitors, n.down from storms s cross join q ${counted}
    where s.resolved_at is null and case when s.notified_at is null then s.started_at <= ${ago('q.notify_after_s')}
      else s.notified_at <= ${ago('q.update_every_s')} and n.monitors > s.notified_monitors end and ${among}
    order by s.id limit 200 for update of s skip locked
  )`,
  act: sql`noted as (
    update storms stored set notified_at = clock_timestamp(), notified_monitors = s.monitors from s
    where stored.id = s.id
  ), published as (
    ${emitStorms('storm.detected', { resolvedAt: sql`null::timestamptz` })}
  )`,
})

/** The hosts with storms of their own beside a storm `s`; each is one of the failures that made it. */
const hosts = sql`(select count(*) from host_storms h where h.tenant_id = s.tenant_id and h.resolved_at is null
  and exists (select 1 from incidents i where i.host_storm_id = h.id and i.resolved_at is null))`

/** Ends storms of which too few monitors are still down. */
export const endStorms = suppressionStep({
  kind: 'storm',
  name: 'suppression-end-storms',
  key: 's.id',
  due: among => sql`s as (
    select s.*, n.monitors, n.down from storms s cross join q ${counted}
    where s.resolved_at is null and s.notified_at is not null
      and (n.down = 0 or not ${isStorm(sql`(n.down + ${hosts})`, sql`s.monitors_total`)}) and ${among}
    order by s.id limit 200 for update of s skip locked
  )`,
  act: sql`noted as (
    update storms stored set resolved_at = clock_timestamp() from s where stored.id = s.id
  ), published as (
    ${emitStorms('storm.resolved', { resolvedAt: sql<string>`clock_timestamp()` })}
  )`,
})
