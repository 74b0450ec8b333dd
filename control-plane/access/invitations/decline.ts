import { randomUUID } from 'node:crypto'
import { z } from 'zod'
import { inTransaction } from '#control-plane/base/transaction.ts'
import { endpoint } from '#control-plane/http/endpoint.ts'
import { noContent } from '#control-plane/http/reply.ts'
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
      await client.query(`update invitations set status = 'declined', updated_at = now() where id = $1`, [
        invitation.id,
      ])
      await client.query(
        `insert into audit_entries (id, tenant_id, action, entity_type, entity_id, changes, ip, request_id)
         values ($1, $2, 'invitation.declined', 'team_invitation', $3, '{"status": {"before": "pending", "after": "declined"}}', $4, $5)`,
        [randomUUID(), invitation.tenant.id, invitation.id, ip || null, requestId],
      )
    })
  },
})
