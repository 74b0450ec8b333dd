import { endpoint } from '#control-plane/kernel/endpoint.ts'
import { noContent } from '#control-plane/kernel/reply.ts'
import { deleteGeneralToken } from '#control-plane/people/tokens/general.ts'
import { keysOf, writing } from './keys-of.ts'

export const deleteApiKey = endpoint({
  method: 'DELETE',
  path: '/api-keys/{token}',
  summary: 'Revoke an API key for good, at once',
  access: writing,
  underImpersonation: 'refused',
  returns: noContent,

  handle: facts => deleteGeneralToken(facts, keysOf(facts.tenant), facts.params.token),
})
