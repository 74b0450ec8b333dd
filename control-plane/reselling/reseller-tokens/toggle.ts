import { changeToken } from '#control-plane/access/tokens/row.ts'
import { endpoint } from '#control-plane/http/endpoint.ts'
import { ok } from '#control-plane/http/reply.ts'
import { lockToken, ownScopesOnly, tokensOf } from './find.ts'
import { ResellerTokenView, viewResellerToken } from './view.ts'

export const toggleResellerToken = endpoint({
  method: 'POST',
  path: '/reseller/tokens/{token}/toggle',
  summary: 'Enable or disable a reseller token',
  description: `Takes effect with the next request. ${ownScopesOnly}`,
  access: { reseller: 'any' },
  returns: ok({ data: ResellerTokenView }),

  async handle(context) {
    const { em, tenant, params, now, audit } = context
    const row = await lockToken(context, params.token)
    const isActive = !row.is_active
    await changeToken(em, tokensOf(tenant), row.id, { is_active: isActive }, now)
    audit(
      isActive ? 'reseller_token.enabled' : 'reseller_token.disabled',
      { type: 'personal_access_token', id: row.id },
      {
        is_active: { before: row.is_active, after: isActive },
      },
    )
    return { data: viewResellerToken({ ...row, is_active: isActive }) }
  },
})
