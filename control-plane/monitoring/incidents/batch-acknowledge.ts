import { sql } from 'kysely'
import { z } from 'zod'
import { type Row, rows } from '#control-plane/db/queries.ts'
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
const acknowledge = (
  ids: readonly string[],
  {
    reseller,
    now,
    userId,
    tokenId,
    ip,
    requestId,
  }: {
    reseller: string
    now: Date
    userId: string | null
    tokenId: string | null
    ip: string | null
    requestId: string
  },
) => sql<Row<'incidents', 'id'> & { result: (typeof outcomes)[number] }>`
  with found as (
    select i.id, i.tenant_id, i.resolved_at, i.acknowledged_at
    from incidents i
    join managed_teams t on t.tenant_id = i.tenant_id and t.reseller_id = ${reseller} and t.deleted_at is null
    join tenants n on n.id = i.tenant_id and n.deleted_at is null
    where i.id = any(${ids}::uuid[])
    for update of i
  ), done as (
    update incidents i set acknowledged_at = ${now}, acknowledged_by = ${userId}, updated_at = ${now}
    from found f where i.id = f.id and f.resolved_at is null and f.acknowledged_at is null
    returning i.*
  ), followed as (
    ${followIncidentsSql('done')}
  ), published as (
    ${insertIncidentEventsSql('incident.acknowledged', 'followed', {
      from: sql`from done i join monitors m on m.id = i.monitor_id`,
    })}
  ), noted as (
    ${insertAuditSql({
      tenant: 'd.tenant_id',
      action: 'incident.acknowledged',
      type: 'incident',
      entity: 'd.id',
      changes: sql`jsonb_build_object(
        'acknowledged_at', jsonb_build_object('before', null, 'after', ${now.toISOString()}::text))`,
      user: sql`${userId}::uuid`,
      token: sql`${tokenId}::uuid`,
      ip: sql`${ip}::inet`,
      request: sql`${requestId}`,
      at: sql`${now}::timestamptz`,
      from: sql`from done d order by d.tenant_id`,
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
    const found = await rows(
      services.platform,
      acknowledge(asked, {
        ...{ reseller: caller.tenant.id, now, userId: caller.user?.id ?? null, tokenId: caller.tokenId },
        ...{ ip: ip || null, requestId },
      }),
    )
    await wakeDispatcher(services.platform)
    const known = new Map(found.map(row => [row.id, row.result]))
    const results = asked.map(id => ({ incident_id: id, result: known.get(id) ?? ('not_found' as const) }))
    return { data: { acknowledged: results.filter(({ result }) => result === 'acknowledged').length, results } }
  },
})
