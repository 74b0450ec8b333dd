import { z } from 'zod'
import { inTransaction } from '#control-plane/base/transaction.ts'
import { rows } from '#control-plane/db/queries.ts'
import { endpoint } from '#control-plane/http/endpoint.ts'
import { noContent } from '#control-plane/http/reply.ts'
import { addAudit } from '#control-plane/outbox/audit.ts'
import { openInvitation } from './open.ts'
import { InvitationToken } from './secret.ts'

export const declineInvitation = endpoint({
  method: 'POST',
  path: '/invitations/decline',
  summary: 'Decline an invitation, by its token',
  access: 'public',
  rate: 'auth',
  detached: true,
  body: z.object({ token: InvitationToken }),
  returns: noContent,

  async handle({ body, services, ip, requestId }) {
    await inTransaction(services.platform, async client => {
      const invitation = await openInvitation(client, body.token, true)
      await rows(client)`update invitations set status = 'declined', updated_at = now() where id = ${invitation.id}`
      const entry = {
        tenantId: invitation.tenant.id,
        action: 'invitation.declined',
        type: 'team_invitation' as const,
        id: invitation.id,
        changes: { status: { before: 'pending', after: 'declined' } },
      }
      await addAudit(client, [entry], { ip, requestId })
    })
  },
})
