import { findToken } from '#control-plane/access/tokens/row.ts'
import { endpoint } from '#control-plane/http/endpoint.ts'
import { ok } from '#control-plane/http/reply.ts'
import { tokensOf } from './find.ts'
import { ResellerTokenView, viewResellerToken } from './view.ts'

export const getResellerToken = endpoint({
  method: 'GET',
  path: '/reseller/tokens/{token}',
  summary: 'Get one of the reseller’s tokens, without its secret',
  access: { reseller: 'teams:read' },
  returns: ok({ data: ResellerTokenView }),

  async handle({ em, tenant, params }) {
    return { data: viewResellerToken(await findToken(em, tokensOf(tenant), params.token)) }
  },
})
