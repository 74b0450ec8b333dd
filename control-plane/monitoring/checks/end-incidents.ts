import { stamp } from '#contract/time.ts'
import { emitIncident } from '#control-plane/engine/incident-events.ts'
import { endWarnings } from '#control-plane/engine/warnings/keep.ts'
import type { RequestContext } from '#control-plane/http/endpoint.ts'
import { changeIncident } from '#control-plane/monitoring/incidents/change.ts'
import { lockIncident } from '#control-plane/monitoring/incidents/find.ts'

type Known = Pick<RequestContext, 'em' | 'tenant' | 'now' | 'audit'>

/** Open incidents and warnings of what is deleted end with it, and whoever was told of them is told so: nobody would look whether they are over. */
export async function endIncidents(facts: Known, of: { check_id: string } | { monitor_id: string }): Promise<void> {
  const { em, tenant, now } = facts
  const [column, id] = 'check_id' in of ? ['check_id', of.check_id] : ['monitor_id', of.monitor_id]
  const open = await em.execute<{ id: string }[]>(
    `select id from incidents where tenant_id = ? and ${column} = ? and resolved_at is null order by id`,
    [tenant.id, id],
  )
  for (const row of open) {
    const incident = await lockIncident(em, tenant, row.id, now)
    if (incident.resolved_at) continue
    const changes = { status: 'resolved', resolved_at: stamp(now), resolution: 'manual', snoozed_until: null }
    await changeIncident(facts, incident, 'incident.resolved', changes)
    await emitIncident(em, tenant, 'incident.resolved', incident.id)
  }
  await em.execute(endWarnings('check_id' in of ? 'id' : 'monitor_id'), [tenant.id, id])
}
