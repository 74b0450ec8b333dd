import { z } from 'zod'
import { endpoint } from '#control-plane/http/endpoint.ts'
import { ok } from '#control-plane/http/reply.ts'
import { LinkToken, openLink } from './open.ts'
import { LinkedIncident, viewLinked } from './view.ts'

export const lookUpAcknowledgeLink = endpoint({
  method: 'POST',
  path: '/incidents/acknowledge-by-link/lookup',
  operation: 'incidents.lookUpAcknowledgeLink',
  summary: 'Get the incident that an acknowledge link is for',
  description:
    'Changes nothing. A link that has expired, whose incident is resolved or whose channel is gone is refused.',
  tag: 'incidents',
  access: 'public',
  detached: true,
  body: z.object({ token: LinkToken }),
  returns: ok({ data: LinkedIncident }),

  async handle({ body, services, now }) {
    const { incidentId } = await openLink(services, 'acknowledge', body.token, now)
    return { data: await viewLinked(services.platform, incidentId) }
  },
})

export const lookUpResolveLink = endpoint({
  method: 'POST',
  path: '/incidents/resolve-by-link/lookup',
  operation: 'incidents.lookUpResolveLink',
  summary: 'Get the incident that a resolve link is for',
  description:
    'Changes nothing. A link that has expired, whose incident is resolved or whose channel is gone is refused.',
  tag: 'incidents',
  access: 'public',
  detached: true,
  body: z.object({ token: LinkToken }),
  returns: ok({ data: LinkedIncident }),

  async handle({ body, services, now }) {
    const { incidentId } = await openLink(services, 'resolve', body.token, now)
    return { data: await viewLinked(services.platform, incidentId) }
  },
})
