import { invalid, notFound } from '#control-plane/base/refusal.ts'
import { queries } from '#control-plane/db/queries.ts'
import { endpoint } from '#control-plane/http/endpoint.ts'
import { noContent } from '#control-plane/http/reply.ts'
import { teamsOf } from '#control-plane/identity/profile/view.ts'
import { signedIn } from '#control-plane/identity/sessions/signed-in.ts'
import { actIn } from '#control-plane/outbox/unit-of-work.ts'
import { findMember, isLastOwner } from './find.ts'
import { lockMembers } from './seats.ts'

export const leaveTeam = endpoint({
  method: 'DELETE',
  path: '/profile/teams/{tenant_id}',
  operation: 'profile.teams.leave',
  summary: 'Leave one of your teams',
  description:
    'Your sessions and keys in it end at once; the account and other teams stay. The last owner cannot leave.',
  access: 'session',
  underImpersonation: 'refused',
  returns: noContent,

  async handle({ params, caller, em, services, audit, emit }) {
    const { id } = signedIn(caller)
    const team = (await teamsOf(services.platform, id)).find(({ tenant_id }) => tenant_id === params.tenant_id)
    if (!team) throw notFound('Team')
    const left = { id: team.tenant_id }
    await actIn(em, left.id)
    await lockMembers(em, left)
    const member = await findMember(em, left, id)
    if (await isLastOwner(em, left, member))
      throw invalid({ tenant_id: ['The last owner cannot leave: make another member owner first.'] }, 'last_owner')
    for (const table of ['tokens', 'memberships'] as const)
      await queries(em).deleteFrom(table).where('tenant_id', '=', left.id).where('user_id', '=', id).execute()
    audit('member.removed', { type: 'user', id }, { role: member.role }, { tenantId: left.id })
    emit('member.removed', { tenant_id: left.id, user_id: id, role: member.role }, { tenantId: left.id })
  },
})
