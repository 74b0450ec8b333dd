import { findToken } from '#control-plane/access/tokens/row.ts'
import { GeneralTokenView, viewGeneralToken } from '#control-plane/access/tokens/view.ts'
import { endpoint } from '#control-plane/http/endpoint.ts'
import { ok } from '#control-plane/http/reply.ts'
import { tokensOf } from './tokens-of.ts'

export const getApiToken = endpoint({
  method: 'GET',
  path: '/api-tokens/{token}',
  summary: 'Get one of your tokens, without its secret',
  access: 'session',
  underImpersonation: 'refused',
  returns: ok({ data: GeneralTokenView }),

  async handle(context) {
    const { em, caller, params } = context
    return { data: await viewGeneralToken(context, await findToken(em, tokensOf(caller).holder, params.token)) }
  },
})
