import { stamp } from '#contract/time.ts'
import { invalid } from '#control-plane/base/refusal.ts'
import { endpoint } from '#control-plane/http/endpoint.ts'
import { answerIncident, changeIncident, mayChange, oneIncident } from './change.ts'
import { lockIncident } from './find.ts'

export const archiveIncident = endpoint({
  method: 'POST',
  path: '/incidents/{incident}/archive',
  summary: 'Archive a resolved incident',
  access: mayChange,
  returns: oneIncident,

  async handle(context) {
    const { em, tenant, params, now } = context
    const incident = await lockIncident(em, tenant, params.incident, now)
    if (!incident.resolved_at) throw invalid({ status: ['Only a resolved incident can be archived.'] }, 'incident_open')
    if (incident.archived_at) return answerIncident(incident)
    return answerIncident(await changeIncident(context, incident, 'incident.archived', { archived_at: stamp(now) }))
  },
})

export const unarchiveIncident = endpoint({
  method: 'POST',
  path: '/incidents/{incident}/unarchive',
  summary: 'Restore an archived incident',
  access: mayChange,
  returns: oneIncident,

  async handle(context) {
    const { em, tenant, params, now } = context
    const incident = await lockIncident(em, tenant, params.incident, now)
    if (!incident.archived_at) return answerIncident(incident)
    return answerIncident(await changeIncident(context, incident, 'incident.unarchived', { archived_at: null }))
  },
})
