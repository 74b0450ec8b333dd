import { notFound } from '#control-plane/base/refusal.ts'
import { queries } from '#control-plane/db/queries.ts'
import { endpoint } from '#control-plane/http/endpoint.ts'
import { noContent } from '#control-plane/http/reply.ts'
import { isOfPair } from './active.ts'

export const revokeImpersonationToken = endpoint({
  method: 'DELETE',
  path: '/reseller/managed-teams/{managed_team}/impersonation-tokens/{token}',
  summary: 'Revoke an impersonation token',
  access: { reseller: 'teams:write' },
  returns: noContent,

  async handle({ em, tenant, caller, params, audit }) {
    const ofPair = queries(em)
      .deleteFrom('tokens')
      .where(isOfPair({ tenant, reseller: caller.tenant }))
    const revoked = await ofPair.where('id', '=', params.token).returning(['id', 'name', 'scopes']).executeTakeFirst()
    if (!revoked) throw notFound('Impersonation token')
    audit(
      'impersonation_token.revoked',
      { type: 'personal_access_token', id: revoked.id },
      { name: revoked.name, scopes: revoked.scopes },
      'both',
    )
  },
})
