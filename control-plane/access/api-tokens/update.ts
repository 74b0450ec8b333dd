import { changeGeneralToken } from '#control-plane/access/tokens/general.ts'
import { GeneralTokenChanges } from '#control-plane/access/tokens/input.ts'
import { GeneralTokenView } from '#control-plane/access/tokens/view.ts'
import { endpoint } from '#control-plane/http/endpoint.ts'
import { ok } from '#control-plane/http/reply.ts'
import { tokensOf } from './tokens-of.ts'

export const updateApiToken = endpoint({
  method: 'PATCH',
  path: '/api-tokens/{token}',
  summary: 'Rename, enable or disable one of your tokens',
  access: 'session',
  underImpersonation: 'refused',
  body: GeneralTokenChanges,
  returns: ok({ data: GeneralTokenView }),

  handle: context => changeGeneralToken(context, tokensOf(context.caller), context.params.token, context.body),
})
