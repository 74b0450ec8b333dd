import { sql } from 'kysely'
import { requireMayActOn } from '#control-plane/access/members/role-limits.ts'
import { queries } from '#control-plane/db/queries.ts'
import { endpoint } from '#control-plane/http/endpoint.ts'
import { noContent } from '#control-plane/http/reply.ts'
import { findPending } from './find.ts'

export const revokeInvitation = endpoint({
  method: 'DELETE',
  path: '/invitations/{invitation}',
  summary: 'Revoke an open invitation',
  description: 'Voids its token and frees its seat. It stays in the list as revoked.',
  access: { tenant: 'team:manage', reseller: 'members:write' },
  returns: noContent,

  async handle(context) {
    const { em, tenant, params, audit } = context
    const { id, role } = await findPending(em, tenant, params.invitation)
    requireMayActOn(context, role)
    await queries(em)
      .updateTable('invitations')
      .set({ status: 'revoked', updated_at: sql<string>`now()` })
      .where('tenant_id', '=', tenant.id)
      .where('id', '=', id)
      .execute()
    audit('invitation.revoked', { type: 'team_invitation', id }, { status: { before: 'pending', after: 'revoked' } })
  },
})
