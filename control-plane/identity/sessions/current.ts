import { stamp } from '#contract/time.ts'
import { forbidden } from '#control-plane/base/refusal.ts'
import { endpoint } from '#control-plane/http/endpoint.ts'
import { bare } from '#control-plane/http/reply.ts'
import { managedTeamsOf } from './managed-teams.ts'
import { LoginUser } from './view.ts'

export const currentUser = endpoint({
  method: 'GET',
  path: '/user',
  summary: 'Get the person behind this token',
  tag: 'auth',
  access: 'session',
  allowsMissingFactor: true,
  detached: true,
  returns: bare(LoginUser),

  async handle({ caller, services }) {
    if (!caller.user) throw forbidden('This token belongs to no person.', 'no_person')
    const { user, tenant } = caller
    return {
      id: user.id,
      name: user.name,
      email: user.email,
      tenant_id: tenant.id,
      role: user.role,
      language: user.language,
      mfa_due_at: caller.mfaDueAt && stamp(caller.mfaDueAt),
      ...(user.isSuperAdmin && { is_super_admin: true as const }),
      ...(tenant.isReseller && { managed_teams: await managedTeamsOf(services.platform, tenant.id) }),
    }
  },
})
