import { changeGeneralToken } from '#control-plane/access/tokens/general.ts'
import { GeneralTokenChanges } from '#control-plane/access/tokens/input.ts'
import { GeneralTokenView } from '#control-plane/access/tokens/view.ts'
import { endpoint } from '#control-plane/http/endpoint.ts'
import { ok } from '#control-plane/http/reply.ts'
import { keysOf, withinOwn, writing } from './keys-of.ts'

export const updateApiKey = endpoint({
  method: 'PATCH',
  path: '/api-keys/{token}',
  summary: 'Rename, enable or disable an API key',
  description: `A disabled key is refused from the next request on. ${withinOwn}`,
  access: writing,
  needsOwnSession: true,
  underImpersonation: 'refused',
  body: GeneralTokenChanges,
  returns: ok({ data: GeneralTokenView }),

  handle: context => changeGeneralToken(context, keysOf(context.tenant), context.params.token, context.body),
})
