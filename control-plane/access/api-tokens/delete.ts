import { deleteGeneralToken } from '#control-plane/access/tokens/general.ts'
import { endpoint } from '#control-plane/http/endpoint.ts'
import { noContent } from '#control-plane/http/reply.ts'
import { tokensOf } from './tokens-of.ts'

export const deleteApiToken = endpoint({
  method: 'DELETE',
  path: '/api-tokens/{token}',
  summary: 'Revoke one of your tokens',
  access: 'session',
  underImpersonation: 'refused',
  returns: noContent,

  handle: context => deleteGeneralToken(context, tokensOf(context.caller), context.params.token),
})
