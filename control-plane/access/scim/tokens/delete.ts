import { notFound } from '#control-plane/base/refusal.ts'
import { queries } from '#control-plane/db/queries.ts'
import { endpoint } from '#control-plane/http/endpoint.ts'
import { noContent } from '#control-plane/http/reply.ts'

export const deleteScimToken = endpoint({
  method: 'DELETE',
  path: '/scim-tokens/{scim_token}',
  summary: 'Delete the token of a directory',
  description: 'It ends at once. The members that it provisioned stay.',
  access: { tenant: 'settings:manage' },
  underImpersonation: 'refused',
  returns: noContent,

  async handle({ em, tenant, params, audit }) {
    const deleted = await queries(em)
      .deleteFrom('scim_tokens')
      .where('tenant_id', '=', tenant.id)
      .where('id', '=', params.scim_token)
      .returning('name')
      .executeTakeFirst()
    if (!deleted) throw notFound('Scim token')
    audit('scim_token.deleted', { type: 'scim_token', id: params.scim_token }, deleted)
  },
})
