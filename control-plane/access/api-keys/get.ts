import { findToken } from '#control-plane/access/tokens/row.ts'
import { GeneralTokenView, viewGeneralToken } from '#control-plane/access/tokens/view.ts'
import { endpoint } from '#control-plane/http/endpoint.ts'
import { ok } from '#control-plane/http/reply.ts'
import { keysOf, reading } from './keys-of.ts'

export const getApiKey = endpoint({
  method: 'GET',
  path: '/api-keys/{token}',
  summary: 'Get one of the team’s API keys, without its secret',
  access: reading,
  underImpersonation: 'refused',
  returns: ok({ data: GeneralTokenView }),

  async handle(context) {
    const { em, tenant, params } = context
    return { data: await viewGeneralToken(context, await findToken(em, keysOf(tenant).holder, params.token)) }
  },
})
