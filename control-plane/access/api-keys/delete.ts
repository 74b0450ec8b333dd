import { deleteGeneralToken } from '#control-plane/access/tokens/general.ts'
import { endpoint } from '#control-plane/http/endpoint.ts'
import { noContent } from '#control-plane/http/reply.ts'
import { keysOf, writing } from './keys-of.ts'

export const deleteApiKey = endpoint({
  method: 'DELETE',
  path: '/api-keys/{token}',
  summary: 'Revoke an API key',
  access: writing,
  underImpersonation: 'refused',
  returns: noContent,

  handle: context => deleteGeneralToken(context, keysOf(context.tenant), context.params.token),
})
