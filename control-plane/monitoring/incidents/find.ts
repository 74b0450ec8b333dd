import type { EntityManager } from '@mikro-orm/postgresql'
import { invalid, notFound } from '#control-plane/base/refusal.ts'
import { queries, rows } from '#control-plane/db/queries.ts'
import { fromIncidents, type IncidentRow, selectIncidents } from './row.ts'

/** The incident with this id, if it belongs to the tenant. */
export async function findIncident(
  em: EntityManager,
  tenant: { id: string },
  id: string,
  now: Date,
): Promise<IncidentRow> {
  const [row] = await rows(em)<IncidentRow>`
    select ${selectIncidents(now)} ${fromIncidents} where i.id = ${id} and i.tenant_id = ${tenant.id}`
  if (!row) throw notFound('Incident')
  return row
}

/** The same, locked until this transaction ends, so that no other request and no verdict changes it meanwhile. */
export async function lockIncident(
  em: EntityManager,
  tenant: { id: string },
  id: string,
  now: Date,
): Promise<IncidentRow> {
  const own = queries(em).selectFrom('incidents').where('id', '=', id).where('tenant_id', '=', tenant.id)
  const locked = await own.select('id').forUpdate().executeTakeFirst()
  if (!locked) throw notFound('Incident')
  return findIncident(em, tenant, id, now)
}

/** Locked, and still open: a resolved incident cannot be acknowledged, snoozed, updated or resolved again. */
export async function lockOpenIncident(
  em: EntityManager,
  tenant: { id: string },
  id: string,
  now: Date,
): Promise<IncidentRow> {
  const incident = await lockIncident(em, tenant, id, now)
  if (incident.resolved_at) throw invalid({ status: ['This incident is resolved.'] }, 'incident_resolved')
  return incident
}
