import type { PoolClient } from 'pg'
import { z } from 'zod'
import { roles } from '#contract/scopes.ts'
import { invalid } from '#control-plane/base/refusal.ts'
import { inTransaction } from '#control-plane/base/transaction.ts'
import { rows } from '#control-plane/db/queries.ts'
import { endpoint } from '#control-plane/http/endpoint.ts'
import { ok } from '#control-plane/http/reply.ts'
import { lockAddress, verifiedAccountOf } from '#control-plane/identity/address-proof/lock.ts'
import { replaceInTeam } from '#control-plane/identity/address-proof/replace.ts'
import { signedIn } from '#control-plane/identity/sessions/signed-in.ts'
import { addAudit, type Traces } from '#control-plane/outbox/audit.ts'
import { join } from './join.ts'
import { type OpenInvitation, openInvitation } from './open.ts'
import { InvitationToken } from './secret.ts'

export const acceptSignedIn = endpoint({
  method: 'POST',
  path: '/profile/invitations/accept',
  summary: 'Accept an invitation to another team while signed in',
  description:
    'The invitation must be to the address of this account, and an account that has not proven it needs the ' +
    'token of the mail. Sign in to the team with POST /auth/token and its `tenant_id`.',
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
        throw invalid(
          { token: ['This invitation is to another address than that of your account.'] },
          'invitation_of_another',
        )
      await settleAddress(client, invitation, user.id, { ip, requestId })
      await join(client, invitation, user.id, { ip, requestId })
      return { data: { tenant_id: invitation.tenant.id, name: invitation.tenant.name, role: invitation.role } }
    })
  },
})

/** The mailed token proves the person's address; without it only a proven address may join another team. */
async function settleAddress(
  client: PoolClient,
  { email, isProven, tenant }: OpenInvitation,
  userId: string,
  traces: Traces,
): Promise<void> {
  await lockAddress(client, email)
  const verified = await verifiedAccountOf(client, email)
  if (verified !== userId && !isProven)
    throw invalid(
      { token: ['Prove the address of your account first, or use the link of the mail.'] },
      'email_unverified',
    )
  if (verified !== userId && verified !== null)
    throw invalid({ token: ['Another account has proven this address: accept with its password.'] }, 'taken')
  if (verified === null) {
    await rows(client)`
      update users set email_verified_at = clock_timestamp(), updated_at = clock_timestamp() where id = ${userId}`
    await addAudit(client, [{ tenantId: tenant.id, action: 'email.verified', type: 'user', id: userId }], {
      userId,
      ...traces,
    })
  }
  if (isProven) await replaceInTeam(client, { userId, email, tenantId: tenant.id }, traces)
}
