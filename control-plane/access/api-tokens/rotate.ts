import { z } from 'zod'
import { rotateGeneralToken } from '#control-plane/access/tokens/general.ts'
import { Rotation } from '#control-plane/access/tokens/input.ts'
import { RotatedFrom } from '#control-plane/access/tokens/rotate.ts'
import { GeneralTokenView } from '#control-plane/access/tokens/view.ts'
import { endpoint } from '#control-plane/http/endpoint.ts'
import { created } from '#control-plane/http/reply.ts'
import { byRole, tokensOf } from './tokens-of.ts'

export const rotateApiToken = endpoint({
  method: 'POST',
  path: '/api-tokens/{token}/rotate',
  summary: 'Rotate one of your tokens',
  description:
    'The old secret keeps working for a while. ' +
    `The new token takes over name, scopes, addresses and expiry. A token is replaced once. ${byRole}`,
  access: 'session',
  needsFreshSession: true,
  underImpersonation: 'refused',
  body: Rotation,
  returns: created({ data: GeneralTokenView, plain_text_token: z.string(), rotated_from: RotatedFrom }),

  handle: context => rotateGeneralToken(context, tokensOf(context.caller), context.params.token, context.body),
})
