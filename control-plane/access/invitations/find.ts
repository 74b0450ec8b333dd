import type { EntityManager } from '@mikro-orm/postgresql'
import { Sentence } from '#contract/sentence.ts'
import { invalid, notFound } from '#control-plane/base/refusal.ts'
import { queries } from '#control-plane/db/queries.ts'
import { type InvitationRow, selectInvitations } from './view.ts'

/** An invitation of this team, or a 404. */
export async function findInvitation(em: EntityManager, tenant: { id: string }, id: string): Promise<InvitationRow> {
  const invitation = await selectInvitations(em, tenant).where('i.id', '=', id).executeTakeFirst()
  if (!invitation) throw notFound('Invitation')
  return invitation
}

/** An open invitation, locked until the transaction ends, so that it is accepted, revoked or resent only once. */
export async function findPending(em: EntityManager, tenant: { id: string }, id: string): Promise<InvitationRow> {
  const own = queries(em).selectFrom('invitations').where('tenant_id', '=', tenant.id).where('id', '=', id)
  await own.select('id').forUpdate().execute()
  const invitation = await findInvitation(em, tenant, id)
  if (invitation.status !== 'pending')
    throw invalid(
      { invitation: [new Sentence('Is {status} already.', { status: invitation.status })] },
      'invitation_not_pending',
    )
  return invitation
}
