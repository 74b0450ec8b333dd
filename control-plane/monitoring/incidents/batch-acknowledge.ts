import { z } from 'zod'
import type { Row } from '#control-plane/db/queries.ts'
import { followIncidentsSql } from '#control-plane/engine/escalation.ts'
import { insertIncidentEventsSql } from '#control-plane/engine/incident-events.ts'
import { endpoint } from '#control-plane/http/endpoint.ts'
import { ok } from '#control-plane/http/reply.ts'
import { insertAuditSql } from '#control-plane/outbox/audit.ts'
import { wakeDispatcher } from '#control-plane/outbox/emit.ts'

const outcomes = ['acknowledged', 'already_acknowledged', 'resolved', 'not_found'] as const

/**
 * One statement over several tenants, so it runs as the platform and not under one tenant's row security: the join with
 * the reseller's teams excludes the incidents of all other tenants. Each acknowledgement gets an entry in the audit log
 * of its team.
 */
const sql = `
  with found as (
    select i.id, i.tenant_id, i.resolved_at, i.acknowledged_at
    from incidents i
    join managed_teams t on t.tenant_id = i.tenant_id and t.reseller_id = $2 and t.deleted_at is null
    join tenants n on n.id = i.tenant_id and n.deleted_at is null
    where i.id = any($1::uuid[])
    for update of i
  ), done as (
    update incidents i set acknowledged_at = $3, acknowledged_by = $4, updated_at = $3
    from found f where i.id = f.id and f.resolved_at is null and f.acknowledged_at is null
    returning i.*
  ), followed as (
    ${followIncidentsSql('done')}
  ), published as (
    ${insertIncidentEventsSql('incident.acknowledged', 'followed', {
      from: 'from done i join monitors m on m.id = i.monitor_id',
    })}
  ), noted as (
    ${insertAuditSql({
      tenant: 'd.tenant_id',
      action: 'incident.acknowledged',
      type: 'incident',
      entity: 'd.id',
      changes: `jsonb_build_object('acknowledged_at', jsonb_build_object('before', null, 'after', $6::text))`,
      user: '$4',
      token: '$5',
      ip: '$7::inet',
      request: '$8',
      at: '$3',
      from: 'from done d order by d.tenant_id',
    })}
  )
  select f.id, case when d.id is not null then 'acknowledged' when f.resolved_at is not null then 'resolved'
    else 'already_acknowledged' end as result
  from found f left join done d on d.id = f.id`

export const batchAcknowledge = endpoint({
  method: 'POST',
  path: '/reseller/incidents/batch-acknowledge',
  summary: 'Acknowledge up to a hundred incidents of managed teams',
  description: 'Returns one result for each incident. An incident of a team that you do not manage is not found.',
  tag: 'incidents',
  access: { reseller: 'incidents:write' },
  detached: true,
  body: z.object({ incident_ids: z.array(z.uuid()).min(1).max(100) }),
  returns: ok({
    data: z.object({
      acknowledged: z.int(),
      results: z.array(z.object({ incident_id: z.uuid(), result: z.enum(outcomes) })),
    }),
  }),

  async handle({ body, caller, now, ip, requestId, services }) {
    const asked = [...new Set(body.incident_ids.map(id => id.toLowerCase()))]
    const { rows } = await services.platform.query<Row<'incidents', 'id'> & { result: (typeof outcomes)[number] }>(
      sql,
      [asked, caller.tenant.id, now, caller.user?.id ?? null, caller.tokenId, now.toISOString(), ip || null, requestId],
    )
    await wakeDispatcher(services.platform)
    const known = new Map(rows.map(row => [row.id, row.result]))
    const results = asked.map(id => ({ incident_id: id, result: known.get(id) ?? ('not_found' as const) }))
    return { data: { acknowledged: results.filter(({ result }) => result === 'acknowledged').length, results } }
  },
})
