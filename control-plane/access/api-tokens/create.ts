import { z } from 'zod'
import { makeGeneralToken } from '#control-plane/access/tokens/general.ts'
import { NewGeneralToken } from '#control-plane/access/tokens/input.ts'
import { GeneralTokenView } from '#control-plane/access/tokens/view.ts'
import { endpoint } from '#control-plane/http/endpoint.ts'
import { created } from '#control-plane/http/reply.ts'
import { byRole, tokensOf } from './tokens-of.ts'

export const createApiToken = endpoint({
  method: 'POST',
  path: '/api-tokens',
  summary: 'Create a token that acts in your name',
  description: `Its secret is shown once. ${byRole} It ends when you leave the team.`,
  access: 'session',
  needsFreshSession: true,
  underImpersonation: 'refused',
  body: NewGeneralToken,
  returns: created({ data: GeneralTokenView, plain_text_token: z.string() }),

  handle: context => makeGeneralToken(context, tokensOf(context.caller), context.body),
})
