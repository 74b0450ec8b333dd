import { endpoint } from '#control-plane/kernel/endpoint.ts'
import { ok } from '#control-plane/kernel/reply.ts'
import { findToken } from '#control-plane/people/tokens/row.ts'
import { tokensOf } from './find.ts'
import { ResellerTokenView, viewResellerToken } from './view.ts'

export const getResellerToken = endpoint({
  method: 'GET',
  path: '/reseller/tokens/{token}',
  summary: 'Read one of the reseller’s tokens, without its secret',
  access: { reseller: 'teams:read' },
  returns: ok({ data: ResellerTokenView }),

  async handle({ em, tenant, params }) {
    return { data: viewResellerToken(await findToken(em, tokensOf(tenant), params.token)) }
  },
})
