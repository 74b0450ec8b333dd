import { z } from 'zod'
import { makeToken } from '#control-plane/access/tokens/endpoints.ts'
import { forbidden } from '#control-plane/base/refusal.ts'
import { endpoint } from '#control-plane/http/endpoint.ts'
import { created } from '#control-plane/http/reply.ts'
import { resellerTokens } from './endpoints.ts'
import { NewResellerToken } from './input.ts'

export const createResellerTokenBySession = endpoint({
  method: 'POST',
  path: '/auth/reseller-token',
  operation: 'auth.createResellerToken',
  summary: 'Create a reseller token with a session',
  description: 'For the first token, by a signed-in owner or administrator; later tokens can be created with tokens.',
  tag: 'auth',
  access: 'session',
  needsFreshSession: true,
  underImpersonation: 'refused',
  body: NewResellerToken,
  returns: created({ data: resellerTokens.view, plain_text_token: z.string() }),

  async handle(context) {
    const { kind, isLocked, tenant, user } = context.caller
    if (kind !== 'ss' || isLocked) throw forbidden('Sign in with your own account for this.', 'session_needed')
    if (!tenant.isReseller) throw forbidden('Your account is not a reseller account.', 'not_a_reseller')
    if (user?.role !== 'owner' && user?.role !== 'admin')
      throw forbidden('Only owners and administrators may do this.', 'not_an_administrator')
    return makeToken(resellerTokens, context, context.body)
  },
})
