import { z } from 'zod'
import { severities } from '#contract/check.ts'
import { line } from '#contract/line.ts'
import { endpoint } from '#control-plane/http/endpoint.ts'
import { answerIncident, changeIncident, mayChange, oneIncident } from './change.ts'
import { lockIncident } from './find.ts'

export const updateIncident = endpoint({
  method: 'PATCH',
  path: '/incidents/{incident}',
  summary: 'Update the title or severity of an incident',
  access: mayChange,
  body: z.object({
    title: line(255).optional(),
    severity: z.enum(severities).optional(),
  }),
  returns: oneIncident,

  async handle(context) {
    const { em, tenant, params, body, now } = context
    const incident = await lockIncident(em, tenant, params.incident, now)
    const changes = Object.fromEntries(
      Object.entries(body).filter(
        ([name, value]) => value !== undefined && value !== incident[name as keyof typeof body],
      ),
    )
    if (Object.keys(changes).length === 0) return answerIncident(incident)
    return answerIncident(await changeIncident(context, incident, 'incident.updated', changes))
  },
})
