import { z } from 'zod'
import { endpoint } from '#control-plane/http/endpoint.ts'
import { ok } from '#control-plane/http/reply.ts'
import { acknowledge } from '#control-plane/monitoring/incidents/acknowledge.ts'
import { actByLink } from './act.ts'
import { LinkToken } from './open.ts'
import { LinkedIncident, viewLinked } from './view.ts'

export const acknowledgeByLink = endpoint({
  method: 'POST',
  path: '/incidents/acknowledge-by-link',
  operation: 'incidents.acknowledgeByLink',
  summary: 'Acknowledge an incident by the link of an alert',
  description:
    'No login is needed. The link is for one incident, and for one channel, in a mail for one recipient, or for one ' +
    'member of the team. It expires after seven days, when the incident is resolved, when the channel is deleted ' +
    'and when the member leaves. The audit log names the channel and the recipient. Only the first acknowledgement ' +
    'counts; using the link again changes nothing.',
  tag: 'incidents',
  access: 'public',
  detached: true,
  body: z.object({ token: LinkToken }),
  returns: ok({ data: LinkedIncident }),

  async handle(context) {
    const { body, services } = context
    const id = await actByLink(context, 'acknowledge', body.token, async (known, incident, userId) => {
      if (!incident.acknowledged_at) await acknowledge(known, incident, userId)
    })
    return { data: await viewLinked(services.platform, id) }
  },
})
