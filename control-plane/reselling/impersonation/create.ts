import { z } from 'zod'
import { line } from '#contract/line.ts'
import { Sentence } from '#contract/sentence.ts'
import { stamp } from '#contract/time.ts'
import { createToken } from '#control-plane/access/tokens/create.ts'
import { scopesOf } from '#control-plane/access/tokens/input.ts'
import { forbidden, invalid } from '#control-plane/base/refusal.ts'
import { advisoryLock, queries } from '#control-plane/db/queries.ts'
import { endpoint } from '#control-plane/http/endpoint.ts'
import { created } from '#control-plane/http/reply.ts'
import { activeTokens, impersonationScopes, isOfPair, maxActive } from './active.ts'
import { serviceUserOf } from './service-user.ts'

export const createImpersonationToken = endpoint({
  method: 'POST',
  path: '/reseller/managed-teams/{managed_team}/impersonation-tokens',
  summary: 'Create an impersonation token of a team',
  description:
    'Its secret is shown once. ' +
    'It acts in this team only, as a service user that no list shows, and needs no header. At most ' +
    'five are valid at a time. It ends when it expires or is revoked, and when the team is deleted ' +
    'or no longer yours. Both audit logs record it and its actions, with both names.',
  access: { reseller: 'teams:write' },
  needsFreshSession: true,
  body: z.object({
    ttl_minutes: z.int().min(1).max(15).default(15),
    scopes: scopesOf(impersonationScopes).default(['read', 'write']),
    label: line(255, 0).nullable().optional(),
  }),
  returns: created({
    data: z.object({
      id: z.uuid(),
      managed_team_id: z.uuid(),
      managed_tenant_id: z.uuid(),
      scopes: z.array(z.enum(impersonationScopes)),
      expires_at: z.string().meta({ format: 'date-time' }),
      ttl_minutes: z.int(),
    }),
    plain_text_token: z.string(),
  }),

  async handle({ em, tenant, caller, params, body, now, audit }) {
    const { user, tenant: reseller } = caller
    if (!user) throw forbidden('This token acts for no person.', 'no_person')
    // creates for one team run one after the other, so that together they stay within the limit
    await advisoryLock(em, `impersonation:${tenant.id}`)
    const living = await activeTokens(em, { tenant, reseller }, now)
    if (living.length >= maxActive)
      throw invalid(
        {
          managed_team: [
            new Sentence('{n} impersonation tokens of this team are alive: revoke one, or wait until one ends.', {
              n: maxActive,
            }),
          ],
        },
        'impersonation_limit',
      )
    const ofPair = queries(em).deleteFrom('tokens').where(isOfPair({ tenant, reseller }))
    await ofPair.where('expires_at', '<=', now.toISOString()).execute()

    const end = new Date(now.getTime() + body.ttl_minutes * 60_000)
    const expiresAt = caller.expiresAt && caller.expiresAt < end ? caller.expiresAt : end
    const name = body.label || 'Impersonation'
    const { id, plain } = await createToken(
      em,
      {
        kind: 'ik',
        tenantId: tenant.id,
        userId: await serviceUserOf(em, tenant.id),
        createdBy: user.id,
        name,
        scopes: body.scopes,
        expiresAt,
        impersonator: { userId: user.id, tenantId: reseller.id },
      },
      now,
    )
    audit(
      'impersonation_token.created',
      { type: 'personal_access_token', id },
      { name, scopes: body.scopes, expires_at: stamp(expiresAt) },
      'both',
    )
    return {
      data: {
        id,
        managed_team_id: params.managed_team.toLowerCase(),
        managed_tenant_id: tenant.id,
        scopes: body.scopes,
        expires_at: stamp(expiresAt),
        ttl_minutes: body.ttl_minutes,
      },
      plain_text_token: plain,
    }
  },
})
