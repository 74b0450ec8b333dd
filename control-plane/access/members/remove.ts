import { invalid } from '#control-plane/base/refusal.ts'
import { namesOf } from '#control-plane/db/by-name.ts'
import { queries } from '#control-plane/db/queries.ts'
import { endpoint, type RequestContext } from '#control-plane/http/endpoint.ts'
import { noContent } from '#control-plane/http/reply.ts'
import { recipientOf } from '#control-plane/identity/users/notify.ts'
import { findMember, isLastOwner } from './find.ts'
import { requireMayActOn } from './role-limits.ts'
import { lockMembers } from './seats.ts'
import type { MemberRow } from './view.ts'

export const removeMember = endpoint({
  method: 'DELETE',
  path: '/members/{user_id}',
  summary: 'Remove a member from a team',
  description:
    'Their sessions and personal tokens in this team end at once and the seat is free; the account stays. Keys ' +
    'of the team that they created stop working until they are rotated, and tokens of directories and open ' +
    'invitations that they created for good. In another tenant’s name owners cannot ' +
    'be removed.',
  access: { tenant: 'team:manage', reseller: 'members:write' },
  needsOwnSession: true,
  needsFreshSession: true,
  returns: noContent,

  async handle(context) {
    const { em, tenant, params } = context
    await lockMembers(em, tenant)
    const member = await findMember(em, tenant, params.user_id)
    requireMayActOn(context, member.role)
    if (await isLastOwner(em, tenant, member))
      throw invalid({ user_id: ['A team keeps its last owner: make another member owner first.'] }, 'last_owner')
    await endMembership(context, member)
  },
})

/** Ends a membership, with its tokens, audit entry, mail and event. Who may do so is the caller's to decide. */
export async function endMembership(
  { em, tenant, audit, mail, emit }: Pick<RequestContext, 'em' | 'tenant' | 'audit' | 'mail' | 'emit'>,
  member: MemberRow,
): Promise<void> {
  const keys = await queries(em)
    .selectFrom('tokens')
    .where('tenant_id', '=', tenant.id)
    .where('kind', '=', 'svc')
    .where('created_by', '=', member.id)
    .where('is_active', '=', true)
    .orderBy(namesOf('name'))
    .select('name')
    .execute()
  // before the membership: without a common team row security hides the person and their tokens
  for (const table of ['tokens', 'memberships'] as const)
    await queries(em).deleteFrom(table).where('tenant_id', '=', tenant.id).where('user_id', '=', member.id).execute()
  const stopped = keys.map(({ name }) => name)
  audit(
    'member.removed',
    { type: 'user', id: member.id },
    { role: member.role, ...(stopped.length > 0 && { api_keys_stopped: stopped }) },
  )
  mail('member_removed', recipientOf(member), { team_name: tenant.name, user_name: member.name })
  emit('member.removed', { tenant_id: tenant.id, user_id: member.id, role: member.role })
}
