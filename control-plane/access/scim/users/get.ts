import { endpoint } from '#control-plane/http/endpoint.ts'
import { scim } from '#control-plane/http/reply.ts'
import { keptOriginOf } from '#control-plane/tenancy/portal-hosts/origin.ts'
import { findPerson } from './row.ts'
import { ScimUserView, viewPerson } from './view.ts'

export const getScimUser = endpoint({
  method: 'GET',
  path: '/scim/v2/Users/{user}',
  root: true,
  operation: 'scim.users.get',
  summary: 'Get a member of the team as a directory knows them',
  access: 'scim',
  returns: scim(ScimUserView),

  handle: async ({ em, tenant, params, services }) =>
    viewPerson(await findPerson(em, tenant, params.user), await keptOriginOf(services, tenant.id)),
})
