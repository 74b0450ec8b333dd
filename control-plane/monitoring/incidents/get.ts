import { z } from 'zod'
import { endpoint } from '#control-plane/http/endpoint.ts'
import { ok } from '#control-plane/http/reply.ts'
import { IncidentEscalationView, readEscalation } from './escalation.ts'
import { findIncident } from './find.ts'
import { IncidentStormView, readStorm } from './storm.ts'
import { readTimeline, TimelineEntry } from './timeline.ts'
import { IncidentUpdateView, listUpdates } from './update-row.ts'
import { IncidentView, viewIncident } from './view.ts'

const IncidentDetail = IncidentView.extend({
  storm: IncidentStormView.nullable(),
  updates: z.array(IncidentUpdateView),
  timeline: z.array(TimelineEntry),
  escalation: IncidentEscalationView.nullable().meta({ description: 'null: no escalation policy applied.' }),
}).meta({ id: 'IncidentDetail' })

export const getIncident = endpoint({
  method: 'GET',
  path: '/incidents/{incident}',
  summary: 'Get an incident',
  description: 'With its proof, evidence, updates, timeline and escalation.',
  access: { tenant: 'incidents:read', reseller: 'incidents:read' },
  returns: ok({ data: IncidentDetail }),

  async handle({ em, tenant, params, now }) {
    const incident = await findIncident(em, tenant, params.incident, now)
    return {
      data: {
        ...viewIncident(incident),
        storm: await readStorm(em, tenant, incident),
        updates: await listUpdates(em, incident.id, 100),
        timeline: await readTimeline(em, tenant, incident.id),
        escalation: await readEscalation(em, tenant, incident.id),
      },
    }
  },
})
