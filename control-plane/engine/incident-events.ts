import type { EntityManager } from '@mikro-orm/postgresql'
import { stampSql } from '#control-plane/base/stamp-sql.ts'

/**
 * The spec's payload of `incident.created` and `incident.resolved`, of an incident `i` beside its monitor `m`, with
 * the proof it was opened on and further fields for notifications.
 */
export const incidentPayloadSql = `jsonb_build_object('incident_id', i.id, 'monitor_id', i.monitor_id, 'monitor_name', m.name, 'monitor_url', m.url, 'title', i.title,
  'status', i.status, 'severity', i.severity, 'started_at', ${stampSql('i.started_at')}, 'resolved_at', ${stampSql('i.resolved_at')},
  'number', i.number, 'check_type', i.check_type, 'cause', i.cause, 'code', i.evidence ->> 'error_code', 'resolution', i.resolution,
  'timezone', (select c.settings ->> 'timezone' from checks c where c.id = i.check_id), 'quorum', i.quorum)`

/**
 * The event that groups an incident `i` with others: people's channels that receive it are spared the single alert,
 * webhooks never are.
 */
export const heldAsSql = `case i.suppressed_by when 'flapping' then 'monitor.flapping' when 'storm' then 'storm.detected' end`

/**
 * The audience of events of an incident `i`: the reseller always, the team unless it has muted the check, and of
 * neither those channels for which it is suppressed. An incident released to the reseller while the team had muted it
 * is suppressed for the team alone.
 */
export const toldToSql = `cross join lateral (
  select case when i.notified_at is null then 'reseller' else 'all' end as audience, ${heldAsSql} as only_without where i.suppressed_by is null or i.forwarded_at is null
  union all select 'reseller', null where i.suppressed_by is not null and i.forwarded_at is not null
  union all select 'team', ${heldAsSql} where i.suppressed_by is not null and i.forwarded_at is not null and i.notified_at is not null
) a`

const tell = `
  with published as (
    insert into outbox (tenant_id, kind, name, payload, audience, only_without)
    select i.tenant_id, 'event', ?, ${incidentPayloadSql}, a.audience, a.only_without
    from incidents i join monitors m on m.id = i.monitor_id ${toldToSql}
    where i.tenant_id = ? and i.id = ?
    returning id
  )
  select pg_notify('outbox', '') from published`

/** Publishes an event of an incident to the audience that was notified of its beginning. */
export const emitIncident = (
  em: EntityManager,
  tenant: { id: string },
  event: 'incident.resolved' | 'incident.acknowledged',
  incidentId: string,
): Promise<unknown> => em.execute(tell, [event, tenant.id, incidentId])
