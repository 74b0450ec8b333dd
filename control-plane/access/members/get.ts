import { endpoint } from '#control-plane/http/endpoint.ts'
import { ok } from '#control-plane/http/reply.ts'
import { findMember } from './find.ts'
import { MemberView, viewMember } from './view.ts'

export const getMember = endpoint({
  method: 'GET',
  path: '/members/{user_id}',
  summary: 'Get a member of a team',
  access: { tenant: 'team:read', reseller: 'members:read' },
  returns: ok({ data: MemberView }),

  handle: async ({ em, tenant, params }) => ({ data: viewMember(await findMember(em, tenant, params.user_id)) }),
})
