import { z } from 'zod'
import { makeGeneralToken } from '#control-plane/access/tokens/general.ts'
import { NewGeneralToken } from '#control-plane/access/tokens/input.ts'
import { GeneralTokenView } from '#control-plane/access/tokens/view.ts'
import { endpoint } from '#control-plane/http/endpoint.ts'
import { created } from '#control-plane/http/reply.ts'
import { byMaker, keysOf, withinOwn, writing } from './keys-of.ts'

export const createApiKey = endpoint({
  method: 'POST',
  path: '/api-keys',
  summary: 'Create an API key of the team',
  description:
    'Its secret is shown once. ' +
    `It acts for the team, not for a person, and ends with the team. ${byMaker} ${withinOwn}`,
  access: writing,
  needsFreshSession: true,
  needsOwnSession: true,
  underImpersonation: 'refused',
  body: NewGeneralToken,
  returns: created({ data: GeneralTokenView, plain_text_token: z.string() }),

  handle: context => makeGeneralToken(context, keysOf(context.tenant), context.body),
})
