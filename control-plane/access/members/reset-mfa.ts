import { forbidden } from '#control-plane/base/refusal.ts'
import { queries } from '#control-plane/db/queries.ts'
import { endpoint } from '#control-plane/http/endpoint.ts'
import { ok } from '#control-plane/http/reply.ts'
import { notify } from '#control-plane/identity/users/notify.ts'
import { tiesOf } from '#control-plane/identity/users/ties.ts'
import { findMember } from './find.ts'
import { requireMayActOn } from './role-limits.ts'
import { MemberView, viewMember } from './view.ts'

export const resetMfa = endpoint({
  method: 'POST',
  path: '/members/{user_id}/reset-mfa',
  summary: 'Reset a member’s second factor',
  description:
    'Their passkeys are deleted too. Refused where the person also belongs to a team that is not yours: it guards ' +
    'the whole account.',
  access: { tenant: 'team:manage', reseller: 'members:write' },
  needsFreshSession: true,
  needsOwnSession: true,
  underImpersonation: 'refused',
  returns: ok({ data: MemberView }),

  async handle(context) {
    const { em, tenant, params, caller, services, audit } = context
    const member = await findMember(em, tenant, params.user_id)
    requireMayActOn(context, member.role)
    const { isSuperAdmin, teams } = await tiesOf(services.platform, member.id)
    const isOurs = (team: (typeof teams)[number]) =>
      team.tenantId === tenant.id || (team.resellerId === caller.tenant.id && caller.kind === 'rk')
    if (isSuperAdmin || !teams.every(isOurs))
      throw forbidden('This person also belongs to others, who rely on the second factor.', 'person_of_others')
    for (const table of ['second_factors', 'passkeys'] as const)
      await queries(em).deleteFrom(table).where('user_id', '=', member.id).execute()
    if (member.mfa_enabled || member.has_passkey) notify(context, 'security_mfa_reset', member)
    audit('mfa.reset', { type: 'user', id: member.id })
    return { data: viewMember(await findMember(em, tenant, member.id)) }
  },
})
