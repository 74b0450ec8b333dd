import { z } from 'zod'
import { stamp } from '#contract/time.ts'
import { endpoint } from '#control-plane/http/endpoint.ts'
import { answerIncident, changeIncident, mayChange, oneIncident } from './change.ts'
import { lockIncident, lockOpenIncident } from './find.ts'

export const snoozeIncident = endpoint({
  method: 'POST',
  path: '/incidents/{incident}/snooze',
  summary: 'Send no notices of an incident for a while',
  access: mayChange,
  body: z.object({ minutes: z.int().min(1).max(1_440) }),
  returns: oneIncident,

  async handle(facts) {
    const { em, tenant, params, body, now } = facts
    const incident = await lockOpenIncident(em, tenant, params.incident, now)
    const until = new Date(now.getTime() + body.minutes * 60_000)
    return answerIncident(await changeIncident(facts, incident, 'incident.snoozed', { snoozed_until: stamp(until) }))
  },
})

export const unsnoozeIncident = endpoint({
  method: 'POST',
  path: '/incidents/{incident}/unsnooze',
  summary: 'Send notices of an incident again',
  access: mayChange,
  returns: oneIncident,

  async handle(facts) {
    const { em, tenant, params, now } = facts
    const incident = await lockIncident(em, tenant, params.incident, now)
    if (!incident.snoozed_until) return answerIncident(incident)
    return answerIncident(await changeIncident(facts, incident, 'incident.unsnoozed', { snoozed_until: null }))
  },
})
