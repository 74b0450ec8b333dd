import { endpoint } from '#control-plane/http/endpoint.ts'
import { ok } from '#control-plane/http/reply.ts'
import { findProfile } from './find.ts'
import { ProfileView } from './view.ts'

export const getProfile = endpoint({
  method: 'GET',
  path: '/reseller/provisioning-profiles/{provisioning_profile}',
  summary: 'Get a provisioning profile',
  access: { reseller: 'teams:read' },
  returns: ok({ data: ProfileView }),
  handle: async ({ em, tenant, params }) => ({ data: await findProfile(em, tenant, params.provisioning_profile) }),
})
