import { z } from 'zod'
import { forbidden, notFound } from '#control-plane/base/refusal.ts'
import { inTransaction } from '#control-plane/base/transaction.ts'
import { endpoint } from '#control-plane/http/endpoint.ts'
import { ok } from '#control-plane/http/reply.ts'
import type { Place } from '#control-plane/identity/person-data/places.ts'
import { erasePerson } from './erase.ts'
import { isLastToLead, lockPerson } from './lock-person.ts'

export const ErasureView = z
  .object({ erasure_id: z.uuid(), user_id: z.uuid(), erased_at: z.string().meta({ format: 'date-time' }) })
  .meta({ id: 'Erasure' })

export const eraseMember = (places: readonly Place[]) =>
  endpoint({
    method: 'POST',
    path: '/reseller/managed-teams/{managed_team}/members/{user_id}/erase',
    summary: 'Erase a member’s personal data from the whole platform',
    description:
      'For requests under Art. 17 GDPR. Deletes the account, its memberships, sessions, keys, invitations and ' +
      'addresses; the audit log keeps an id without a person. Each reseller with a team of the person receives ' +
      'one member.erased. Teams stay, even without members. Operators, people of resellers and the last owner or ' +
      'administrator of a team that is not yours cannot be erased (403, `person_protected`).',
    access: { reseller: 'members:write' },
    needsFreshSession: true,
    detached: true,
    returns: ok({ data: ErasureView }),

    handle: ({ params, tenant, caller, services, ip, requestId, now }) =>
      inTransaction(services.platform, async client => {
        const { isSuperAdmin, teams } = await lockPerson(client, params.user_id)
        if (!teams.some(team => team.tenantId === tenant.id)) throw notFound('Member')
        const reseller = caller.tenant
        const isOutOfReach = teams.some(
          team => team.isReseller || (team.resellerId !== reseller.id && isLastToLead(team)),
        )
        if (isSuperAdmin || isOutOfReach)
          throw forbidden('This person cannot be erased by you: others depend on them.', 'person_protected')
        return {
          data: await erasePerson(client, params.user_id, teams, {
            by: 'reseller',
            keys: services.config,
            places,
            userId: caller.user?.id ?? null,
            tokenId: caller.tokenId,
            tenantId: tenant.id,
            trails: [reseller.id],
            ip,
            requestId,
            now,
          }),
        }
      }),
  })
