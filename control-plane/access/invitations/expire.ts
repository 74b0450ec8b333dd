import type { Pool } from 'pg'
import type { RetryLater } from '#contract/workflows.ts'
import { type Calendar, later } from '#control-plane/base/calendar.ts'
import { inTransaction } from '#control-plane/base/transaction.ts'
import { queries, rows, stamp } from '#control-plane/db/queries.ts'
import { addAudit } from '#control-plane/outbox/audit.ts'

/** Expires an invitation that is still open at this end. Accepted, revoked and resent invitations stay as they are. */
export const expireInvitation = (
  platform: Pool,
  invitationId: string,
  expiresAt: Date,
  calendar: Calendar,
): Promise<'expired' | 'superseded' | RetryLater> =>
  inTransaction(platform, async client => {
    const invitation = await queries(client)
      .selectFrom('invitations')
      .where('id', '=', invitationId)
      .select(['tenant_id', 'status'])
      .select(({ ref }) => stamp(ref('expires_at')).as('expires_at'))
      .forUpdate()
      .executeTakeFirst()
    if (!invitation || Date.parse(invitation.expires_at) !== expiresAt.getTime()) return 'superseded'
    if (invitation.status === 'expired') return 'expired'
    if (invitation.status !== 'pending') return 'superseded'
    const now = await calendar.now(client)
    if (now < expiresAt) return later(expiresAt, now)
    await rows(client)`
      update invitations set status = 'expired', updated_at = clock_timestamp() where id = ${invitationId}`
    await addAudit(client, [
      {
        tenantId: invitation.tenant_id,
        action: 'invitation.expired',
        type: 'team_invitation',
        id: invitationId,
        changes: { status: { before: 'pending', after: 'expired' } },
      },
    ])
    return 'expired'
  })
