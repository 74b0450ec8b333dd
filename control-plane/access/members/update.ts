import { sql } from 'kysely'
import { z } from 'zod'
import { type Role, roles } from '#contract/scopes.ts'
import { invalid } from '#control-plane/base/refusal.ts'
import { queries } from '#control-plane/db/queries.ts'
import { endpoint, type RequestContext } from '#control-plane/http/endpoint.ts'
import { ok } from '#control-plane/http/reply.ts'
import { noticeOf, recipientOf } from '#control-plane/identity/users/notify.ts'
import { findMember, isLastOwner } from './find.ts'
import { requireMayActOn, requireMayGive } from './role-limits.ts'
import { lockMembers } from './seats.ts'
import { type MemberStatus, memberStatuses, setMemberStatus } from './status.ts'
import { type MemberRow, MemberView, viewMember } from './view.ts'

export const updateMember = endpoint({
  method: 'PATCH',
  path: '/members/{user_id}',
  summary: 'Change a member’s role, or disable and enable a member',
  description:
    'A role takes effect with the next request, also for tokens, keys, invitations and tokens of directories that ' +
    'the person created. Roles ' +
    'above the caller’s own can be neither given nor changed; a team keeps its last active owner. A disabled ' +
    'member keeps the seat, the role and the contact methods. Their sessions in this team end at once; their keys ' +
    'are refused, and neither notifications nor mails of the team reach them, until they are enabled again.',
  access: { tenant: 'team:manage', reseller: 'members:write' },
  needsOwnSession: true,
  needsFreshSession: true,
  underImpersonation: 'refused',
  body: z.object({ role: z.enum(roles), status: z.enum(memberStatuses) }).partial(),
  returns: ok({ data: MemberView }),

  async handle(context) {
    const { em, tenant, params, body } = context
    await lockMembers(em, tenant)
    const member = await findMember(em, tenant, params.user_id)
    requireMayActOn(context, member.role)
    const { role = member.role, status = member.status } = body
    requireMayGive(context, role)
    const isLeaving = role !== member.role || (status === 'disabled' && member.status === 'active')
    if (isLeaving && (await isLastOwner(em, tenant, member))) throw lastOwner(role === member.role ? 'status' : 'role')
    if (role !== member.role) await changeRole(context, member, role)
    if (status !== member.status) await changeStatus(context, member, status)
    return { data: viewMember(await findMember(em, tenant, member.id)) }
  },
})

const lastOwner = (field: 'role' | 'status') =>
  invalid({ [field]: ['The last owner cannot be changed: make another member owner first.'] }, 'last_owner')

type Acting = Pick<RequestContext, 'em' | 'tenant' | 'caller' | 'audit' | 'mail' | 'now'>

/** Gives a member another role, with its audit entry and mail. Who may do so is the caller's to decide. */
export async function changeRole(
  { em, tenant, audit, mail, now }: Acting,
  member: MemberRow,
  role: Role,
): Promise<void> {
  await queries(em)
    .updateTable('memberships')
    .set({ role, updated_at: sql<string>`now()` })
    .where('tenant_id', '=', tenant.id)
    .where('user_id', '=', member.id)
    .execute()
  audit('member.role_changed', { type: 'user', id: member.id }, { role: { before: member.role, after: role } })
  const notice = { ...noticeOf(member, now, null), team_name: tenant.name, role }
  mail('security_role_changed', recipientOf(member), notice)
}

/** Enables or disables a member, with its audit entry and mail. Who may do so is the caller's to decide. */
export async function changeStatus(context: Acting, member: MemberRow, status: MemberStatus): Promise<void> {
  const { em, tenant, caller, audit, mail, now } = context
  if (status === 'disabled' && caller.user?.id === member.id)
    throw invalid({ status: ['You cannot disable yourself.'] })
  await setMemberStatus(em, { tenantId: tenant.id, userId: member.id, status })
  audit(
    status === 'disabled' ? 'member.disabled' : 'member.enabled',
    { type: 'user', id: member.id },
    { status: { before: member.status, after: status } },
  )
  const notice = noticeOf(member, now, null)
  if (status === 'disabled')
    mail('security_account_blocked', recipientOf(member), {
      ...notice,
      reason: 'administrator',
      team_name: tenant.name,
      network: null,
    })
  else mail('security_account_unblocked', recipientOf(member), { ...notice, team_name: tenant.name })
}
