import { z } from 'zod'
import { rotateGeneralToken } from '#control-plane/access/tokens/general.ts'
import { Rotation } from '#control-plane/access/tokens/input.ts'
import { RotatedFrom } from '#control-plane/access/tokens/rotate.ts'
import { GeneralTokenView } from '#control-plane/access/tokens/view.ts'
import { endpoint } from '#control-plane/http/endpoint.ts'
import { created } from '#control-plane/http/reply.ts'
import { keysOf, withinOwn, writing } from './keys-of.ts'

export const rotateApiKey = endpoint({
  method: 'POST',
  path: '/api-keys/{token}/rotate',
  summary: 'Rotate an API key',
  description:
    'The old secret keeps working for a while. ' +
    'The new key takes over name, scopes, addresses and expiry. A key is replaced once; the caller becomes its ' +
    `creator. ${withinOwn}`,
  access: writing,
  needsFreshSession: true,
  needsOwnSession: true,
  underImpersonation: 'refused',
  body: Rotation,
  returns: created({ data: GeneralTokenView, plain_text_token: z.string(), rotated_from: RotatedFrom }),

  handle: context => rotateGeneralToken(context, keysOf(context.tenant), context.params.token, context.body),
})
