import type { EntityManager } from '@mikro-orm/postgresql'
import { stampSql } from '#control-plane/base/stamp-sql.ts'
import { type Suppression, suppressionSql } from '#control-plane/outbox/suppression.ts'

/**
 * The spec's payload of `incident.created` and `incident.resolved`, of an incident `i` beside its monitor `m`, with
 * the proof it was opened on and further fields for notifications.
 */
export const incidentPayloadSql = `jsonb_build_object('incident_id', i.id, 'monitor_id', i.monitor_id,
  'monitor_name', m.name, 'monitor_url', m.url, 'title', i.title,
  'status', i.status, 'severity', i.severity, 'started_at', ${stampSql('i.started_at')},
  'resolved_at', ${stampSql('i.resolved_at')},
  'number', i.number, 'check_type', i.check_type, 'cause', i.cause, 'code', i.evidence ->> 'error_code',
  'resolution', i.resolution,
  'timezone', (select c.settings ->> 'timezone' from checks c where c.id = i.check_id), 'quorum', i.quorum)`

/** The suppression of an incident `i`, as its row has it. */
export const incidentSuppressionSql = (stage: Suppression['stage'], isMuted = 'false'): string =>
  suppressionSql({
    stage: `'${stage}'`,
    by: 'i.suppressed_by',
    is_muted: isMuted,
    is_team_notified: 'i.notified_at is not null',
    is_reseller_notified: 'i.forwarded_at is not null',
  })

const emit = `
  with emitted as (
    insert into outbox (tenant_id, kind, name, payload, suppression)
    select i.tenant_id, 'event', ?, ${incidentPayloadSql}, ${incidentSuppressionSql('followed')}
    from incidents i join monitors m on m.id = i.monitor_id
    where i.tenant_id = ? and i.id = ?
    returning id
  )
  select pg_notify('outbox', '') from emitted`

/** Publishes an event of an incident to the audience that was notified of its beginning. */
export const emitIncident = (
  em: EntityManager,
  tenant: { id: string },
  event: 'incident.resolved' | 'incident.acknowledged',
  incidentId: string,
): Promise<unknown> => em.execute(emit, [event, tenant.id, incidentId])
