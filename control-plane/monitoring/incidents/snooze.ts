import { z } from 'zod'
import { stamp } from '#contract/time.ts'
import { endpoint } from '#control-plane/http/endpoint.ts'
import { answerIncident, changeIncident, mayChange, oneIncident } from './change.ts'
import { lockIncident, lockOpenIncident } from './find.ts'

export const snoozeIncident = endpoint({
  method: 'POST',
  path: '/incidents/{incident}/snooze',
  summary: 'Snooze an incident',
  access: mayChange,
  body: z.object({ minutes: z.int().min(1).max(1_440) }),
  returns: oneIncident,

  async handle(context) {
    const { em, tenant, params, body, now } = context
    const incident = await lockOpenIncident(em, tenant, params.incident, now)
    const until = new Date(now.getTime() + body.minutes * 60_000)
    return answerIncident(await changeIncident(context, incident, 'incident.snoozed', { snoozed_until: stamp(until) }))
  },
})

export const unsnoozeIncident = endpoint({
  method: 'POST',
  path: '/incidents/{incident}/unsnooze',
  summary: 'End the snooze of an incident',
  access: mayChange,
  returns: oneIncident,

  async handle(context) {
    const { em, tenant, params, now } = context
    const incident = await lockIncident(em, tenant, params.incident, now)
    if (!incident.snoozed_until) return answerIncident(incident)
    return answerIncident(await changeIncident(context, incident, 'incident.unsnoozed', { snoozed_until: null }))
  },
})
