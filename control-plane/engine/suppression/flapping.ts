import { type RawBuilder, sql } from 'kysely'
import { type Db, rows, stamp } from '#control-plane/db/queries.ts'
import { incidentSeconds } from '#control-plane/engine/incident-duration.ts'
import { insertEventsSql, wakeSql } from '#control-plane/outbox/emit.ts'
import { suppressionSql } from '#control-plane/outbox/suppression.ts'
import { ago } from './rules.ts'
import { suppressionStep } from './step.ts'

/** How many incidents a list names. */
const mostListed = 50

const isMuted = sql`coalesce(c.snoozed_until > clock_timestamp(), false)`

const list = sql`(
  select coalesce(jsonb_agg(e.incident order by e.started_at), '[]') from (
    select i.started_at, jsonb_build_object('incident_id', i.id, 'title', i.title, 'status', i.status,
      'severity', i.severity,
      'started_at', ${stamp('i.started_at')}, 'resolved_at', ${stamp('i.resolved_at')},
      'duration_s', case when i.resolved_at is not null then ${incidentSeconds()} end,
      'was_held', i.suppressed_by is not null) as incident
    from incidents i where i.monitor_id = f.monitor_id and i.started_at >= f.started_at and i.imported_from is null
    order by i.started_at desc
    limit ${sql.lit(mostListed)}
  ) e)`
const counted = sql`(select count(*)::int from incidents i
    where i.monitor_id = f.monitor_id and i.started_at >= f.started_at and i.imported_from is null)`

/** Emits one event for each flapping `f` of a monitor `m`. */
const emitFlapping = (
  name: 'monitor.flapping' | 'monitor.flapping_resolved',
  {
    endedAt,
    suppression,
    isDeleted = false,
  }: { endedAt: RawBuilder<string | null>; suppression: RawBuilder<unknown>; isDeleted?: boolean },
) =>
  insertEventsSql({
    name,
    tenant: 'f.tenant_id',
    payload: {
      monitor_id: 'm.id',
      monitor_name: 'm.name',
      monitor_url: 'm.url',
      status: 'm.status',
      started_at: stamp('f.started_at'),
      resolved_at: stamp(endedAt),
      incidents_count: counted,
      incidents: list,
      ...(isDeleted && { resolution: sql.lit('deleted') }),
    },
    suppression,
    from: sql`from f join monitors m on m.id = f.monitor_id`,
  })

/**
 * Notifies of monitors that have begun to flap: the reseller at once, the team unless it muted the check, and then at
 * the end of the mute.
 */
export const notifyFlapping = suppressionStep({
  kind: 'flapping',
  name: 'suppression-notify-flapping',
  key: 'f.id',
  due: among => sql`f as (
    select f.*, ${isMuted} as is_muted from flappings f join checks c on c.id = f.check_id
    where f.ended_at is null and (f.forwarded_at is null or (f.notified_at is null and not ${isMuted})) and ${among}
    order by f.id limit 200 for update of f skip locked
  )`,
  act: sql`noted as (
    update flappings stored set forwarded_at = coalesce(stored.forwarded_at, clock_timestamp()),
      notified_at = case when not f.is_muted then clock_timestamp() end
    from f where stored.id = f.id
  ), published as (
    ${emitFlapping('monitor.flapping', {
      endedAt: sql`null::timestamptz`,
      suppression: suppressionSql({
        stage: sql`case when f.forwarded_at is null then 'begun' else 'unmuted' end`,
        is_muted: 'f.is_muted',
      }),
    })}
  )`,
})

const ended = {
  endedAt: sql<string>`clock_timestamp()`,
  suppression: suppressionSql({ stage: sql.lit('followed'), is_team_notified: sql`f.notified_at is not null` }),
}

/** Notifies the same audience that a monitor no longer flaps. */
export const endFlapping = suppressionStep({
  kind: 'flapping',
  name: 'suppression-end-flapping',
  key: 'f.id',
  due: among => sql`f as (
    select f.* from flappings f cross join q
    where f.ended_at is null and f.forwarded_at is not null and f.last_change_at <= ${ago('q.calm_s')} and ${among}
    order by f.id limit 200 for update of f skip locked
  )`,
  act: sql`noted as (
    update flappings stored set ended_at = clock_timestamp() from f where stored.id = f.id
  ), published as (
    ${emitFlapping('monitor.flapping_resolved', ended)}
  )`,
})

/** The same where a check or a monitor that flaps is being deleted. */
export const endFlappingOfDeleted = (
  db: Db,
  tenant: { id: string },
  of: 'check_id' | 'monitor_id',
  id: string,
): Promise<unknown> =>
  rows(db)`with f as (
    select * from flappings
    where tenant_id = ${tenant.id} and ${sql.ref(of)} = ${id} and ended_at is null and forwarded_at is not null
  ), published as (${emitFlapping('monitor.flapping_resolved', { ...ended, isDeleted: true })})
  select ${wakeSql} from published`
