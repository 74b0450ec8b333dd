import { z } from 'zod'
import { forbidden, invalid } from '#control-plane/base/refusal.ts'
import { inTransaction } from '#control-plane/base/transaction.ts'
import { endpoint } from '#control-plane/http/endpoint.ts'
import { ok } from '#control-plane/http/reply.ts'
import { confirmIdentity } from '#control-plane/identity/mfa/confirm-identity.ts'
import type { Place } from '#control-plane/identity/person-data/places.ts'
import { signedIn } from '#control-plane/identity/sessions/signed-in.ts'
import { erasePerson } from './erase.ts'
import { ErasureView } from './erase-member.ts'
import { isLastToLead, lockPerson } from './lock-person.ts'

export const eraseSelf = (places: readonly Place[]) =>
  endpoint({
    method: 'DELETE',
    path: '/profile',
    summary: 'Erase your account and personal data in every team',
    description:
      'Needs the password, and a code where there is a second factor. Cannot be undone. The last ' +
      'owner of a team with other people, or of a reseller, must make another member owner first.',
    access: 'session',
    needsFreshSession: true,
    rate: 'auth',
    underImpersonation: 'refused',
    detached: true,
    body: z.object({ password: z.string().min(1).max(1_000), otp_code: z.string().max(20).optional() }),
    returns: ok({ data: ErasureView }),

    async handle({ body, caller, services, ip, requestId, now }) {
      const user = signedIn(caller)
      await confirmIdentity(services, caller, body, now)
      return inTransaction(services.platform, async client => {
        const { isSuperAdmin, teams } = await lockPerson(client, user.id)
        if (isSuperAdmin)
          throw forbidden('Operators are not erased; they cease to be operators first.', 'person_protected')
        const led = teams.filter(team => isLastToLead(team) && (team.isReseller || team.others > 0))
        if (led.length > 0)
          throw invalid(
            { profile: ['Make another member owner first, in each team that would have none.'] },
            'last_owner',
          )
        const asked = {
          by: 'self' as const,
          keys: services.config,
          places,
          userId: user.id,
          tokenId: caller.tokenId,
          tenantId: caller.tenant.id,
          trails: [],
          ip,
          requestId,
          now,
        }
        return { data: await erasePerson(client, user.id, teams, asked) }
      })
    },
  })
