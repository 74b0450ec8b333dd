import { z } from 'zod'
import { endpoint } from '#control-plane/http/endpoint.ts'
import { ok } from '#control-plane/http/reply.ts'
import { resolve } from '#control-plane/monitoring/incidents/resolve.ts'
import { actByLink } from './act.ts'
import { LinkToken } from './open.ts'
import { LinkedIncident, viewLinked } from './view.ts'

export const resolveByLink = endpoint({
  method: 'POST',
  path: '/incidents/resolve-by-link',
  operation: 'incidents.resolveByLink',
  summary: 'Resolve an incident by the link of an alert',
  description:
    'As by `POST /incidents/acknowledge-by-link`, with a link of its own: one that acknowledges cannot resolve. A ' +
    'check that is still down opens no new incident until it has been up once.',
  tag: 'incidents',
  access: 'public',
  detached: true,
  body: z.object({ token: LinkToken }),
  returns: ok({ data: LinkedIncident }),

  async handle(context) {
    const { body, services } = context
    const id = await actByLink(context, 'resolve', body.token, resolve)
    return { data: await viewLinked(services.platform, id) }
  },
})
