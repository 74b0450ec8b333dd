import { findMember } from '#control-plane/access/members/find.ts'
import { endMembership } from '#control-plane/access/members/remove.ts'
import { lockMembers } from '#control-plane/access/members/seats.ts'
import { endpoint } from '#control-plane/http/endpoint.ts'
import { noContent } from '#control-plane/http/reply.ts'
import { requireMayActOnOwner, requireUnprotected } from './protect.ts'
import { findPerson } from './row.ts'

export const deleteScimUser = endpoint({
  method: 'DELETE',
  path: '/scim/v2/Users/{user}',
  root: true,
  operation: 'scim.users.delete',
  summary: 'Remove a member from the team',
  description: 'Sessions and personal tokens in this team end at once and the seat is free; the account stays.',
  access: 'scim',
  returns: noContent,

  async handle(context) {
    const { em, tenant, params } = context
    await lockMembers(em, tenant)
    const row = await findPerson(em, tenant, params.user)
    await requireUnprotected(context, row.id)
    await requireMayActOnOwner(context, row)
    await endMembership(context, await findMember(em, tenant, row.id))
  },
})
