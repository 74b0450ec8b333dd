import { z } from 'zod'
import { endpoint } from '#control-plane/http/endpoint.ts'
import { ok } from '#control-plane/http/reply.ts'
import { LinkToken, openLink } from './open.ts'
import type { LinkPurpose } from './token.ts'
import { LinkedIncident, viewLinked } from './view.ts'

const lookUp = (purpose: LinkPurpose, { operation, summary }: { operation: string; summary: string }) =>
  endpoint({
    method: 'POST',
    path: `/incidents/${purpose}-by-link/lookup`,
    operation,
    summary,
    description:
      'Changes nothing. A link that has expired, whose incident is resolved or whose channel is gone is refused.',
    tag: 'incidents',
    access: 'public',
    detached: true,
    body: z.object({ token: LinkToken }),
    returns: ok({ data: LinkedIncident }),

    async handle({ body, services, now }) {
      const { incidentId } = await openLink(services, purpose, body.token, now)
      return { data: await viewLinked(services.platform, incidentId) }
    },
  })

export const lookUpAcknowledgeLink = lookUp('acknowledge', {
  operation: 'incidents.lookUpAcknowledgeLink',
  summary: 'Get the incident that an acknowledge link is for',
})

export const lookUpResolveLink = lookUp('resolve', {
  operation: 'incidents.lookUpResolveLink',
  summary: 'Get the incident that a resolve link is for',
})
