import { z } from 'zod'
import { refuseBroaderReseller } from '#control-plane/access/tokens/pass-on.ts'
import { endpoint } from '#control-plane/http/endpoint.ts'
import { created } from '#control-plane/http/reply.ts'
import { ownScopesOnly } from './find.ts'
import { NewResellerToken } from './input.ts'
import { makeResellerToken } from './make.ts'
import { ResellerTokenView } from './view.ts'

export const createResellerToken = endpoint({
  method: 'POST',
  path: '/reseller/tokens',
  summary: 'Create a reseller token',
  description:
    'Its secret is shown once. ' +
    `${ownScopesOnly} It acts for the person behind the token of this call while they administer it.`,
  access: { reseller: 'any' },
  needsFreshSession: true,
  body: NewResellerToken,
  returns: created({ data: ResellerTokenView, plain_text_token: z.string() }),

  async handle(context) {
    refuseBroaderReseller(context.caller, context.body.scopes)
    return makeResellerToken(context, context.body)
  },
})
