import type { EntityManager } from '@mikro-orm/postgresql'
import { stampSql } from '#control-plane/kernel/stamp-sql.ts'

/** The spec's payload of `incident.created` and `incident.resolved`, of an incident `i` beside its monitor `m`, with the proof it was opened on. */
export const incidentPayloadSql = `jsonb_build_object('incident_id', i.id, 'monitor_id', i.monitor_id, 'monitor_name', m.name, 'monitor_url', m.url, 'title', i.title,
  'status', i.status, 'severity', i.severity, 'started_at', ${stampSql('i.started_at')}, 'resolved_at', ${stampSql('i.resolved_at')}, 'quorum', i.quorum)`

/** Whoever was told that an incident `i` began hears what becomes of it: the team, its reseller, both or nobody. */
export const wasToldSql = '(i.told_at is not null or i.forwarded_at is not null)'
export const audienceSql = `case when i.told_at is null then 'reseller' when i.forwarded_at is null then 'team' else 'all' end`

const tell = (values: string) => `
  with told as (
    insert into outbox (tenant_id, kind, name, payload, audience)
    select i.tenant_id, 'event', ${values}, ${incidentPayloadSql}, ${audienceSql}
    from incidents i join monitors m on m.id = i.monitor_id
    where i.tenant_id = ? and i.id = ? and ${wasToldSql}
    returning id
  )
  select pg_notify('outbox', '') from told`

/** Tells what became of an incident to those who were told that it began. */
export const tellOfIncident = (
  em: EntityManager,
  tenant: { id: string },
  event: 'incident.resolved' | 'incident.acknowledged',
  incidentId: string,
): Promise<unknown> => em.execute(tell('?'), [event, tenant.id, incidentId])
