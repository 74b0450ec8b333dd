import type { AuditEntity } from '#control-plane/base/audit-entities.ts'
import { anonymous, type Caller } from '#control-plane/base/caller.ts'
import type { SideEffects } from '#control-plane/base/side-effects.ts'
import type { RequestContext } from '#control-plane/http/endpoint.ts'
import type { IncidentContext } from '#control-plane/monitoring/incidents/change.ts'
import { lockOpenIncident } from '#control-plane/monitoring/incidents/find.ts'
import type { IncidentRow } from '#control-plane/monitoring/incidents/row.ts'
import { unitOfWork } from '#control-plane/outbox/unit-of-work.ts'
import { type OpenLink, openLink } from './open.ts'
import type { LinkPurpose } from './token.ts'

type LinkContext = Pick<RequestContext, 'em' | 'services' | 'now' | 'ip' | 'requestId'>

/** Changes the incident of a link in the name of its recipient, in one transaction. Returns the incident's id. */
export async function actByLink(
  { em, services, now, ip, requestId }: LinkContext,
  purpose: LinkPurpose,
  token: string,
  change: (context: IncidentContext, incident: IncidentRow, userId: string | null) => Promise<unknown>,
): Promise<string> {
  const link = await openLink(services, purpose, token, now)
  const { tenantId, channel } = link
  const resellerId = channel !== null && channel.tenantId !== tenantId ? channel.tenantId : null
  const unit = { tenantId, resellerId, caller: callerOf(link), ip, requestId, now }
  await unitOfWork(em, unit, async (em, sideEffects) => {
    const incident = await lockOpenIncident(em, { id: tenantId }, link.incidentId, now)
    const known = { em, tenant: { id: tenantId }, now, audit: auditOf(sideEffects, purpose, link, resellerId !== null) }
    await change(known, incident, link.person?.id ?? null)
  })
  return link.incidentId
}

/** The caller in the audit log: the member of the team, or anonymous for a recipient without an account. */
const callerOf = ({ person }: OpenLink): Caller => ({
  ...anonymous,
  user: person && { ...person, role: 'viewer', isSuperAdmin: false, language: 'en' },
})

/** A channel of the reseller is named in the reseller's audit log only; the team's audit log gets its type. */
function auditOf(
  sideEffects: SideEffects,
  purpose: LinkPurpose,
  { channel, recipient, person }: OpenLink,
  isResellers: boolean,
) {
  const named = channel && {
    channel_id: channel.id,
    channel_name: channel.name,
    channel_type: channel.type,
    ...(!person && recipient !== null && { recipient }),
  }
  const ofTeam = isResellers && channel ? { channel_type: channel.type } : named
  return (action: string, entity: { type: AuditEntity; id?: string | null }, changes?: Record<string, unknown>) => {
    const add = (whose: 'tenant' | 'reseller', link: object) =>
      sideEffects.audits.push({
        whose,
        action,
        type: entity.type,
        id: entity.id ?? null,
        changes: { ...changes, [`${purpose}_link`]: link },
      })
    add('tenant', ofTeam ?? { channel_type: 'escalation' })
    if (isResellers && named) add('reseller', named)
  }
}
