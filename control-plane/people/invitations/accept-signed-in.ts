import { z } from 'zod'
import { roles } from '#contract/scopes.ts'
import { endpoint } from '#control-plane/kernel/endpoint.ts'
import { invalid } from '#control-plane/kernel/refusal.ts'
import { ok } from '#control-plane/kernel/reply.ts'
import { inTransaction } from '#control-plane/kernel/transaction.ts'
import { signedIn } from '#control-plane/people/sessions/signed-in.ts'
import { join } from './join.ts'
import { openInvitation } from './open.ts'
import { InvitationToken } from './secret.ts'

export const acceptSignedIn = endpoint({
  method: 'POST',
  path: '/profile/invitations/accept',
  summary: 'Accept an invitation to another team as the person signed in',
  description: 'The invitation must be to the address of this account. Sign in to the team with POST /auth/token and its `tenant_id`.',
  access: 'session',
  rate: 'auth',
  detached: true,
  underImpersonation: 'refused',
  body: z.object({ token: InvitationToken }),
  returns: ok({ data: z.object({ tenant_id: z.uuid(), name: z.string(), role: z.enum(roles) }) }),

  async handle({ body, caller, services, ip, requestId }) {
    const user = signedIn(caller)
    return inTransaction(services.platform, async client => {
      const invitation = await openInvitation(client, body.token, true)
      if (invitation.email.toLowerCase() !== user.email.toLowerCase())
        throw invalid({ token: ['This invitation is to another address than that of your account.'] }, 'invitation_of_another')
      await join(client, invitation, user.id, { ip, requestId })
      return { data: { tenant_id: invitation.tenant.id, name: invitation.tenant.name, role: invitation.role } }
    })
  },
})
