import type { EntityManager } from '@mikro-orm/postgresql'
import { z } from 'zod'
import { stampSql } from '#control-plane/base/stamp-sql.ts'

export const maxLiving = 5
export const impersonationScopes = ['read', 'write'] as const

/** Whose impersonation tokens: a team's, made by its reseller. */
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

export const isOfPair = `kind = 'ik' and tenant_id = ? and impersonating_tenant_id = ?`

/** Those that work at this moment, newest first: never more than a handful. */
export const livingTokens = (em: EntityManager, { tenant, reseller }: Pair, now: Date) =>
  em.execute<z.input<typeof ImpersonationTokenView>[]>(
    `select id, name, scopes, ${stampSql('expires_at')} as expires_at, impersonated_by as impersonated_by_user_id, ${stampSql('created_at')} as created_at
     from tokens where ${isOfPair} and is_active and tokens.expires_at > ? order by tokens.created_at desc, id`,
    [tenant.id, reseller.id, now],
  )
