import { endpoint } from '#control-plane/http/endpoint.ts'
import { ok } from '#control-plane/http/reply.ts'
import { findInvitation } from './find.ts'
import { InvitationView } from './view.ts'

export const getInvitation = endpoint({
  method: 'GET',
  path: '/invitations/{invitation}',
  summary: 'Get an invitation to a team',
  access: { tenant: 'team:read', reseller: 'members:read' },
  returns: ok({ data: InvitationView }),

  handle: async ({ em, tenant, params }) => ({ data: await findInvitation(em, tenant, params.invitation) }),
})
