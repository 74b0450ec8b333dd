import { z } from 'zod'
import type { AuditEntity } from '#control-plane/base/audit-entities.ts'
import { anonymous, type Caller } from '#control-plane/base/caller.ts'
import type { SideEffects } from '#control-plane/base/side-effects.ts'
import { endpoint } from '#control-plane/http/endpoint.ts'
import { ok } from '#control-plane/http/reply.ts'
import { acknowledge } from '#control-plane/monitoring/incidents/acknowledge.ts'
import { lockOpenIncident } from '#control-plane/monitoring/incidents/find.ts'
import { unitOfWork } from '#control-plane/outbox/unit-of-work.ts'
import { AcknowledgeToken, type OpenLink, openLink } from './open.ts'
import { LinkedIncident, viewLinked } from './view.ts'

export const acknowledgeByLink = endpoint({
  method: 'POST',
  path: '/incidents/acknowledge-by-link',
  operation: 'incidents.acknowledgeByLink',
  summary: 'Acknowledge an incident by the link of an alert',
  description:
    'No login is needed. The link is for one incident, one channel and, in a mail, one recipient. It expires after ' +
    'seven days, when the incident is resolved and when the channel is deleted. The audit log names the channel and ' +
    'the recipient. Only the first acknowledgement counts; using the link again changes nothing.',
  tag: 'incidents',
  access: 'public',
  detached: true,
  body: z.object({ token: AcknowledgeToken }),
  returns: ok({ data: LinkedIncident }),

  async handle({ body, em, services, now, ip, requestId }) {
    const link = await openLink(services, body.token, now)
    const { tenantId, channel } = link
    const isResellers = channel.tenantId !== tenantId
    const unit = {
      tenantId,
      resellerId: isResellers ? channel.tenantId : null,
      caller: callerOf(link),
      ip,
      requestId,
      now,
    }
    await unitOfWork(em, unit, async (em, sideEffects) => {
      const incident = await lockOpenIncident(em, { id: tenantId }, link.incidentId, now)
      if (incident.acknowledged_at) return
      const known = { em, tenant: { id: tenantId }, now, audit: auditOf(sideEffects, link, isResellers) }
      await acknowledge(known, incident, link.person?.id ?? null)
    })
    return { data: await viewLinked(services.platform, link.incidentId) }
  },
})

/** The caller in the audit log: the member of the team, or anonymous for a recipient without an account. */
const callerOf = ({ person }: OpenLink): Caller => ({
  ...anonymous,
  user: person && { ...person, role: 'viewer', isSuperAdmin: false, language: 'en' },
})

/** A channel of the reseller is named in the reseller's audit log only; the team's audit log gets its type. */
function auditOf(sideEffects: SideEffects, { channel, recipient, person }: OpenLink, isResellers: boolean) {
  const { id, name, type } = channel
  const named = {
    channel_id: id,
    channel_name: name,
    channel_type: type,
    ...(!person && recipient !== null && { recipient }),
  }
  return (action: string, entity: { type: AuditEntity; id?: string | null }, changes?: Record<string, unknown>) => {
    const add = (whose: 'tenant' | 'reseller', link: object) =>
      sideEffects.audits.push({
        whose,
        action,
        type: entity.type,
        id: entity.id ?? null,
        changes: { ...changes, acknowledge_link: link },
      })
    add('tenant', isResellers ? { channel_type: type } : named)
    if (isResellers) add('reseller', named)
  }
}
