import { stamp } from '#contract/time.ts'
import { endpoint } from '#control-plane/kernel/endpoint.ts'
import { answerIncident, changeIncident, mayChange, oneIncident } from './change.ts'
import { holdOpenIncident } from './find.ts'
import { tellOfIncident } from './told-sql.ts'

export const acknowledgeIncident = endpoint({
  method: 'POST',
  path: '/incidents/{incident}/acknowledge',
  summary: 'Take an incident on: escalation stops, nothing is posted',
  description: 'Whoever acknowledged first stays named; asking again changes nothing.',
  access: mayChange,
  returns: oneIncident,

  async handle(facts) {
    const { em, tenant, params, now, caller } = facts
    const incident = await holdOpenIncident(em, tenant, params.incident, now)
    if (incident.acknowledged_at) return answerIncident(incident)
    const changes = { acknowledged_at: stamp(now), acknowledged_by: caller.user?.id ?? null }
    const acknowledged = await changeIncident(facts, incident, 'incident.acknowledged', changes)
    await tellOfIncident(em, tenant, 'incident.acknowledged', incident.id)
    return answerIncident(acknowledged)
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
    const incident = await holdOpenIncident(em, tenant, params.incident, now)
    if (!incident.acknowledged_at) return answerIncident(incident)
    return answerIncident(await changeIncident(facts, incident, 'incident.unacknowledged', { acknowledged_at: null, acknowledged_by: null }))
  },
})
