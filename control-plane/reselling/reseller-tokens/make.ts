import type { z } from 'zod'
import { stamp } from '#contract/time.ts'
import { mintToken } from '#control-plane/access/tokens/create.ts'
import { endOfNew } from '#control-plane/access/tokens/pass-on.ts'
import { findToken } from '#control-plane/access/tokens/row.ts'
import type { RequestContext } from '#control-plane/http/endpoint.ts'
import { tokensOf } from './find.ts'
import type { NewResellerToken } from './input.ts'
import { viewResellerToken } from './view.ts'

/** Creates a token that acts for the caller, and returns its secret, which is stored nowhere. */
export async function makeResellerToken(
  { em, tenant, caller, now, audit }: RequestContext,
  body: z.output<typeof NewResellerToken>,
) {
  const end = endOfNew(caller, body.expires_at, now)
  const person = caller.user?.id ?? null
  const { id, plain } = await mintToken(
    em,
    {
      kind: 'rk',
      tenantId: tenant.id,
      userId: person,
      createdBy: person,
      name: body.name,
      scopes: body.scopes,
      expiresAt: end,
    },
    now,
  )
  audit(
    'reseller_token.created',
    { type: 'personal_access_token', id },
    { name: body.name, scopes: body.scopes, expires_at: stamp(end) },
  )
  return { data: viewResellerToken(await findToken(em, tokensOf(tenant), id)), plain_text_token: plain }
}
