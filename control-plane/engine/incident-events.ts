import { type RawBuilder, sql } from 'kysely'
import type { Payload } from '#contract/events.ts'
import type { Suppression } from '#control-plane/db/model/shapes.ts'
import { type Db, type Part, rows, stamp } from '#control-plane/db/queries.ts'
import { type FieldsSql, insertEventsSql, wakeSql } from '#control-plane/outbox/emit.ts'
import { suppressionSql } from '#control-plane/outbox/suppression.ts'
import { incidentSeconds } from './incident-duration.ts'

type IncidentEvent = 'incident.created' | 'incident.resolved' | 'incident.acknowledged'

/**
 * The spec's payload of `incident.created` and `incident.resolved`, of an incident `i` beside its monitor `m`, with
 * the proof it was opened on and further fields for notifications.
 */
export const incidentPayloadSql: Required<FieldsSql<Payload<'incident.created'>>> = {
  incident_id: 'i.id',
  monitor_id: 'i.monitor_id',
  monitor_name: 'm.name',
  monitor_url: 'm.url',
  title: 'i.title',
  status: 'i.status',
  severity: 'i.severity',
  started_at: stamp('i.started_at'),
  resolved_at: stamp('i.resolved_at'),
  number: 'i.number',
  check_type: 'i.check_type',
  cause: 'i.cause',
  code: sql`i.evidence ->> 'error_code'`,
  resolution: 'i.resolution',
  duration_s: sql`case when i.resolved_at is not null then ${incidentSeconds()} end`,
  timezone: sql`(select c.settings ->> 'timezone' from checks c where c.id = i.check_id)`,
  quorum: 'i.quorum',
}

const acknowledgedPayloadSql: Required<FieldsSql<Payload<'incident.acknowledged'>>> = {
  ...incidentPayloadSql,
  acknowledged_at: stamp('i.acknowledged_at'),
  acknowledged_by_name: sql`(select u.name from users u where u.id = i.acknowledged_by and not u.is_service)`,
}

/**
 * An object with whom steps of an escalation policy called of an incident `i`, and the administrators whom its
 * end was mailed to; empty where there are none.
 */
const called = sql`coalesce((
  select jsonb_build_object('called', jsonb_build_object(
    'channels', coalesce(jsonb_agg(distinct n.channel_id) filter (where n.channel_id is not null), '[]'),
    'users', coalesce(
      jsonb_agg(distinct n.user_id) filter (where n.channel_id is null and n.user_id is not null), '[]'),
    'people', coalesce(
      jsonb_object_agg(n.channel_id, n.user_id) filter (where n.channel_id is not null and n.user_id is not null),
      '{}'),
    'taken_by', i.acknowledged_by))
  from (
    select n.channel_id, n.user_id from escalation_runs run
    join escalation_notifications n on n.run_id = run.id and n.reason is null
    where run.incident_id = i.id
    union all
    select null, m.user_id from escalation_runs run
    join memberships m on m.tenant_id = run.tenant_id and m.role in ('owner', 'admin') and m.disabled_at is null
      and m.created_at <= run.updated_at
    where run.incident_id = i.id and run.state = 'exhausted'
  ) n
  having count(*) > 0), '{}')`

/**
 * Emits one event for each incident `i` beside its monitor `m`, as `from` has them. Its suppression is as the
 * incident's row has it, and names whom an escalation called: the incident may be gone when the event is routed.
 */
export function insertIncidentEventsSql(
  name: IncidentEvent,
  stage: Suppression['stage'],
  { isMuted, ...row }: { isMuted?: Part; trace?: Part; from: RawBuilder<unknown> },
) {
  const suppression = suppressionSql({
    stage: sql.lit(stage),
    by: 'i.suppressed_by',
    is_team_notified: sql`i.notified_at is not null`,
    is_reseller_notified: sql`i.forwarded_at is not null`,
    ...(isMuted && { is_muted: isMuted }),
  })
  return insertEventsSql({
    ...row,
    name,
    tenant: 'i.tenant_id',
    payload: name === 'incident.acknowledged' ? acknowledgedPayloadSql : incidentPayloadSql,
    suppression: name === 'incident.created' ? suppression : sql`${suppression} || ${called}`,
  })
}

const followed = sql`from i join monitors m on m.id = i.monitor_id`

/** Publishes an event of an incident to the audience that was notified of its beginning. */
export const emitIncident = (
  db: Db,
  tenant: { id: string },
  event: 'incident.resolved' | 'incident.acknowledged',
  incidentId: string,
): Promise<unknown> =>
  rows(db)`with i as (
    select * from incidents where tenant_id = ${tenant.id} and id = ${incidentId}
  ), emitted as (${insertIncidentEventsSql(event, 'followed', { from: followed })})
  select ${wakeSql} from emitted`
