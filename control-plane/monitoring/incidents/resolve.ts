import { z } from 'zod'
import { text } from '#contract/line.ts'
import { stamp } from '#contract/time.ts'
import { emitIncident } from '#control-plane/engine/incident-events.ts'
import { endpoint } from '#control-plane/http/endpoint.ts'
import { answerIncident, changeIncident, type IncidentContext, mayChange, oneIncident } from './change.ts'
import { lockOpenIncident } from './find.ts'
import type { IncidentRow } from './row.ts'
import { addUpdate } from './update-row.ts'

/** Resolves an open incident that is locked, by hand. */
export async function resolve(context: IncidentContext, incident: IncidentRow): Promise<IncidentRow> {
  const resolved = await changeIncident(context, incident, 'incident.resolved', {
    status: 'resolved',
    resolved_at: stamp(context.now),
    resolution: 'by_hand',
    snoozed_until: null,
  })
  await emitIncident(context.em, context.tenant, 'incident.resolved', incident.id)
  return resolved
}

export const resolveIncident = endpoint({
  method: 'POST',
  path: '/incidents/{incident}/resolve',
  summary: 'Resolve an incident',
  description: 'A check that is still down opens no new incident until it has been up once.',
  access: mayChange,
  body: z.object({ message: text(5_000, 1).optional() }),
  returns: oneIncident,

  async handle(context) {
    const { em, tenant, params, body, now, caller } = context
    const incident = await lockOpenIncident(em, tenant, params.incident, now)
    if (body.message) await addUpdate(em, { tenant, incident, status: 'resolved', body: body.message, caller, now })
    return answerIncident(await resolve(context, incident))
  },
})
