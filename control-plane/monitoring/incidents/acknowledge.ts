import { stamp } from '#contract/time.ts'
import { emitIncident } from '#control-plane/engine/incident-events.ts'
import { endpoint } from '#control-plane/http/endpoint.ts'
import { answerIncident, changeIncident, type Known, mayChange, oneIncident } from './change.ts'
import { lockOpenIncident } from './find.ts'
import type { IncidentRow } from './row.ts'

/** Acknowledges an open incident that is locked and that nobody has acknowledged. `userId` is null for somebody without an account. */
export async function acknowledge(known: Known, incident: IncidentRow, userId: string | null): Promise<IncidentRow> {
  const changes = { acknowledged_at: stamp(known.now), acknowledged_by: userId }
  const acknowledged = await changeIncident(known, incident, 'incident.acknowledged', changes)
  await emitIncident(known.em, known.tenant, 'incident.acknowledged', incident.id)
  return acknowledged
}

export const acknowledgeIncident = endpoint({
  method: 'POST',
  path: '/incidents/{incident}/acknowledge',
  summary: 'Take an incident on: escalation stops, nothing is posted',
  description: 'Whoever acknowledged first stays named; asking again changes nothing.',
  access: mayChange,
  returns: oneIncident,

  async handle(facts) {
    const { em, tenant, params, now, caller } = facts
    const incident = await lockOpenIncident(em, tenant, params.incident, now)
    if (incident.acknowledged_at) return answerIncident(incident)
    return answerIncident(await acknowledge(facts, incident, caller.user?.id ?? null))
  },
})

export const unacknowledgeIncident = endpoint({
  method: 'POST',
  path: '/incidents/{incident}/unacknowledge',
  summary: 'Hand an acknowledged incident back',
  access: mayChange,
  returns: oneIncident,

  async handle(facts) {
    const { em, tenant, params, now } = facts
    const incident = await lockOpenIncident(em, tenant, params.incident, now)
    if (!incident.acknowledged_at) return answerIncident(incident)
    return answerIncident(
      await changeIncident(facts, incident, 'incident.unacknowledged', {
        acknowledged_at: null,
        acknowledged_by: null,
      }),
    )
  },
})
