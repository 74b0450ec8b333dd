import { z } from 'zod'
import { roles } from '#contract/scopes.ts'
import { invalid } from '#control-plane/base/refusal.ts'
import { endpoint } from '#control-plane/http/endpoint.ts'
import { ok } from '#control-plane/http/reply.ts'
import { noticeOf, recipientOf } from '#control-plane/identity/users/notify.ts'
import { findMember, isLastOwner } from './find.ts'
import { requireMayActOn, requireMayGive } from './role-limits.ts'
import { lockMembers } from './seats.ts'
import { MemberView, viewMember } from './view.ts'

export const changeRole = endpoint({
  method: 'PATCH',
  path: '/members/{user_id}',
  summary: 'Change a member’s role',
  description:
    'Takes effect with the next request, also for tokens and keys that the person created. Roles ' +
    'above the caller’s own can be neither given nor changed; a team keeps its last owner.',
  access: { tenant: 'team:manage', reseller: 'members:write' },
  underImpersonation: 'refused',
  body: z.object({ role: z.enum(roles) }),
  returns: ok({ data: MemberView }),

  async handle(context) {
    const { em, tenant, params, body, audit, mail, now } = context
    await lockMembers(em, tenant)
    const member = await findMember(em, tenant, params.user_id)
    requireMayActOn(context, member.role)
    requireMayGive(context, body.role)
    if (body.role === member.role) return { data: viewMember(member) }
    if (await isLastOwner(em, tenant, member))
      throw invalid({ role: ['A team keeps its last owner: make another member owner first.'] }, 'last_owner')
    await em.execute('update memberships set role = ?, updated_at = now() where tenant_id = ? and user_id = ?', [
      body.role,
      tenant.id,
      member.id,
    ])
    audit('member.role_changed', { type: 'user', id: member.id }, { role: { before: member.role, after: body.role } })
    const notice = { ...noticeOf(member, now, null), team_name: tenant.name, role: body.role }
    mail('security_role_changed', recipientOf(member), notice)
    return { data: viewMember(await findMember(em, tenant, member.id)) }
  },
})
