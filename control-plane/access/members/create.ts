import { z } from 'zod'
import { roles } from '#contract/scopes.ts'
import { endpoint } from '#control-plane/http/endpoint.ts'
import { created } from '#control-plane/http/reply.ts'
import { addPerson } from '#control-plane/identity/users/add-person.ts'
import { email, language, password, personName } from '#control-plane/identity/users/input.ts'
import { refuseWeakPassword } from '#control-plane/identity/users/password-policy.ts'
import { findMember } from './find.ts'
import { reserveSeat } from './seats.ts'
import { MemberView, viewMember } from './view.ts'

export const createMember = endpoint({
  method: 'POST',
  path: '/reseller/managed-teams/{managed_team}/members',
  summary: 'Add a new person to a managed team, with a password',
  description:
    'For people without an account, proven or not; people with one must be invited. The account is unverified until ' +
    'its mailed link is used.',
  access: { reseller: 'members:write' },
  needsFreshSession: true,
  body: z.object({
    name: personName,
    email,
    password,
    role: z.enum(roles).default('member'),
    language: language.default('en'),
  }),
  returns: created({ data: MemberView }),

  async handle(context) {
    const { body, em, tenant, caller, services, emit, audit } = context
    await refuseWeakPassword(services, 'password', body.password, [
      tenant.name,
      caller.tenant.name,
      body.name,
      body.email,
    ])
    await reserveSeat(context)
    const id = await addPerson(context, { ...body, team: tenant }, 'email')
    audit('member.added', { type: 'user', id }, { role: body.role }, 'both')
    emit('member.added', { tenant_id: tenant.id, user_id: id, role: body.role })
    return { data: viewMember(await findMember(em, tenant, id)) }
  },
})
