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
  summary: 'Acknowledge an incident by the link of an alert, without signing in',
  description:
    'The link names one incident, one channel and, in a mail, one recipient; it lasts seven days, and ends with the incident and with the channel. ' +
    'The audit log names the channel and the recipient. The first person who acknowledged stays named; using the link again changes nothing.',
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

/** A person of the team is named as the one who acted; any other recipient has no account to name. */
const callerOf = ({ person }: OpenLink): Caller => ({
  ...anonymous,
  user: person && { ...person, role: 'viewer', isSuperAdmin: false, language: 'en' },
})

/** The team's audit log names no channel or recipient of its reseller: the reseller's own audit log does. */
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
