import { stamp } from '#contract/time.ts'
import { queries } from '#control-plane/db/queries.ts'
import { emitIncident } from '#control-plane/engine/incident-events.ts'
import { endFlappingOfDeleted } from '#control-plane/engine/suppression/flapping.ts'
import { endWarnings } from '#control-plane/engine/warnings/keep.ts'
import type { RequestContext } from '#control-plane/http/endpoint.ts'
import { changeIncident } from '#control-plane/monitoring/incidents/change.ts'
import { lockIncident } from '#control-plane/monitoring/incidents/find.ts'

type EndIncidentsContext = Pick<RequestContext, 'em' | 'tenant' | 'now' | 'audit'>

/**
 * Resolves the open incidents of a check or monitor that is deleted, ends its warnings and its flapping, and notifies
 * their audience: no later run would end them.
 */
export async function endIncidents(
  context: EndIncidentsContext,
  of: { check_id: string } | { monitor_id: string },
): Promise<void> {
  const { em, tenant, now } = context
  const [column, id] =
    'check_id' in of ? (['check_id', of.check_id] as const) : (['monitor_id', of.monitor_id] as const)
  const open = await queries(em)
    .selectFrom('incidents')
    .where('tenant_id', '=', tenant.id)
    .where(column, '=', id)
    .where('resolved_at', 'is', null)
    .orderBy('id')
    .select('id')
    .execute()
  for (const row of open) {
    const incident = await lockIncident(em, tenant, row.id, now)
    if (incident.resolved_at) continue
    const changes = { status: 'resolved', resolved_at: stamp(now), resolution: 'deleted', snoozed_until: null }
    await changeIncident(context, incident, 'incident.resolved', changes)
    await emitIncident(em, tenant, 'incident.resolved', incident.id)
  }
  await endWarnings(em, tenant, 'check_id' in of ? 'id' : 'monitor_id', id)
  await endFlappingOfDeleted(em, tenant, column, id)
}
