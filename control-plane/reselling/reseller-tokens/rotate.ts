import { z } from 'zod'
import { Rotation } from '#control-plane/access/tokens/input.ts'
import { RotatedFrom, rotateToken } from '#control-plane/access/tokens/rotate.ts'
import { findToken } from '#control-plane/access/tokens/row.ts'
import { endpoint } from '#control-plane/http/endpoint.ts'
import { created } from '#control-plane/http/reply.ts'
import { ownScopesOnly, takeToken, tokensOf } from './find.ts'
import { ResellerTokenView, viewResellerToken } from './view.ts'

export const rotateResellerToken = endpoint({
  method: 'POST',
  path: '/reseller/tokens/{token}/rotate',
  summary: 'Rotate a reseller token',
  description:
    'The old secret keeps working for a while. ' +
    'The new token takes over name, scopes and expiry. A token is replaced once. ' +
    `${ownScopesOnly} It must not outlive the token of this call.`,
  access: { reseller: 'any' },
  needsFreshSession: true,
  body: Rotation,
  returns: created({ data: ResellerTokenView, plain_text_token: z.string(), rotated_from: RotatedFrom }),

  async handle(context) {
    const { em, tenant, params, body, audit } = context
    const row = await takeToken(context, params.token)
    const { id, plain, rotatedFrom } = await rotateToken(context, row, body.grace_period_hours)
    audit(
      'reseller_token.rotated',
      { type: 'personal_access_token', id: row.id },
      {
        replaced_by: { before: null, after: id },
        expires_at: { before: row.expires_at, after: rotatedFrom.expires_at },
      },
    )
    return {
      data: viewResellerToken(await findToken(em, tokensOf(tenant), id)),
      plain_text_token: plain,
      rotated_from: rotatedFrom,
    }
  },
})
