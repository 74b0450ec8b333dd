import { deleteToken } from '#control-plane/access/tokens/row.ts'
import { endpoint } from '#control-plane/http/endpoint.ts'
import { noContent } from '#control-plane/http/reply.ts'
import { ownScopesOnly, takeToken, tokensOf } from './find.ts'

export const deleteResellerToken = endpoint({
  method: 'DELETE',
  path: '/reseller/tokens/{token}',
  summary: 'Delete a reseller token',
  description: ownScopesOnly,
  access: { reseller: 'any' },
  returns: noContent,

  async handle(context) {
    const { em, tenant, params, audit } = context
    const row = await takeToken(context, params.token)
    await deleteToken(em, tokensOf(tenant), row.id)
    audit(
      'reseller_token.deleted',
      { type: 'personal_access_token', id: row.id },
      { name: row.name, scopes: row.scopes },
    )
  },
})
