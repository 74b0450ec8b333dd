import type { EntityManager } from '@mikro-orm/postgresql'
import type { ExpressionBuilder } from 'kysely'
import { z } from 'zod'
import { type Database, queries, stamp } from '#control-plane/db/queries.ts'

export const maxActive = 5
export const impersonationScopes = ['read', 'write'] as const

/** The holder of impersonation tokens: a team and its reseller. */
export interface Pair {
  tenant: { id: string }
  reseller: { id: string }
}

const time = z.string().meta({ format: 'date-time' })

export const ImpersonationTokenView = z
  .object({
    id: z.uuid(),
    name: z.string(),
    scopes: z.array(z.enum(impersonationScopes)),
    expires_at: time,
    impersonated_by_user_id: z.uuid(),
    created_at: time,
  })
  .meta({ id: 'ImpersonationToken' })

/** Tokens of a pair, for a statement on `tokens`. */
export const isOfPair =
  ({ tenant, reseller }: Pair) =>
  ({ eb, and }: ExpressionBuilder<Database, 'tokens'>) =>
    and([eb('kind', '=', 'ik'), eb('tenant_id', '=', tenant.id), eb('impersonating_tenant_id', '=', reseller.id)])

/** The valid tokens of a pair, newest first; their number is limited. */
export const activeTokens = (em: EntityManager, { tenant, reseller }: Pair, now: Date) =>
  queries(em)
    .selectFrom('tokens')
    .where(isOfPair({ tenant, reseller }))
    .where('is_active', '=', true)
    .where('tokens.expires_at', '>', now.toISOString())
    .orderBy('tokens.created_at', 'desc')
    .orderBy('id')
    .select(['id', 'name'])
    .select(({ ref }) => [
      ref('scopes').$castTo<(typeof impersonationScopes)[number][]>().as('scopes'),
      stamp(ref('expires_at').$notNull()).as('expires_at'),
      ref('impersonated_by').$notNull().as('impersonated_by_user_id'),
      stamp(ref('created_at')).as('created_at'),
    ])
    .execute()
