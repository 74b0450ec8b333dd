import { stamp } from '#contract/time.ts'
import { emitIncident } from '#control-plane/engine/incident-events.ts'
import { endpoint } from '#control-plane/http/endpoint.ts'
import { answerIncident, changeIncident, type IncidentContext, mayChange, oneIncident } from './change.ts'
import { lockOpenIncident } from './find.ts'
import type { IncidentRow } from './row.ts'

/** Acknowledges an open incident that is locked and not acknowledged yet. `userId` is null for a person without an account. */
export async function acknowledge(
  context: IncidentContext,
  incident: IncidentRow,
  userId: string | null,
): Promise<IncidentRow> {
  const changes = { acknowledged_at: stamp(context.now), acknowledged_by: userId }
  const acknowledged = await changeIncident(context, incident, 'incident.acknowledged', changes)
  await emitIncident(context.em, context.tenant, 'incident.acknowledged', incident.id)
  return acknowledged
}

export const acknowledgeIncident = endpoint({
  method: 'POST',
  path: '/incidents/{incident}/acknowledge',
  summary: 'Acknowledge an incident',
  description:
    'Escalation stops, and no update is posted. The first acknowledgement counts: a second one changes nothing.',
  access: mayChange,
  returns: oneIncident,

  async handle(context) {
    const { em, tenant, params, now, caller } = context
    const incident = await lockOpenIncident(em, tenant, params.incident, now)
    if (incident.acknowledged_at) return answerIncident(incident)
    return answerIncident(await acknowledge(context, incident, caller.user?.id ?? null))
  },
})

export const unacknowledgeIncident = endpoint({
  method: 'POST',
  path: '/incidents/{incident}/unacknowledge',
  summary: 'Remove the acknowledgement of an incident',
  access: mayChange,
  returns: oneIncident,

  async handle(context) {
    const { em, tenant, params, now } = context
    const incident = await lockOpenIncident(em, tenant, params.incident, now)
    if (!incident.acknowledged_at) return answerIncident(incident)
    return answerIncident(
      await changeIncident(context, incident, 'incident.unacknowledged', {
        acknowledged_at: null,
        acknowledged_by: null,
      }),
    )
  },
})
