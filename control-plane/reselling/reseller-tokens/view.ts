import { z } from 'zod'
import { type ResellerScope, resellerScopes } from '#contract/scopes.ts'
import type { TokenRow } from '#control-plane/access/tokens/row.ts'
import { maskedSecret } from '#control-plane/base/token-secret.ts'

const time = z.string().meta({ format: 'date-time' })

export const ResellerTokenView = z
  .object({
    id: z.uuid(),
    name: z.string(),
    masked_token: z
      .string()
      .meta({ description: 'Its prefix and last four characters; the secret itself is shown only once.' }),
    scopes: z.array(z.enum(resellerScopes).meta({ id: 'ResellerScope' })),
    purpose: z.literal('reseller'),
    is_active: z.boolean(),
    last_used_at: time.nullable().meta({ description: 'Written at most once a minute.' }),
    expires_at: time.nullable().meta({ description: 'Null: never.' }),
    created_by: z.uuid().nullable(),
    rotated_from: z.uuid().nullable().meta({ description: 'The token this one replaced.' }),
    created_at: time,
  })
  .meta({ id: 'ResellerToken' })

export const scopesOf = (row: TokenRow): ResellerScope[] => resellerScopes.filter(scope => row.scopes.includes(scope))

export const viewResellerToken = (row: TokenRow): z.input<typeof ResellerTokenView> => ({
  id: row.id,
  name: row.name,
  masked_token: maskedSecret('rk', row.tail),
  scopes: scopesOf(row),
  purpose: 'reseller',
  is_active: row.is_active,
  last_used_at: row.last_used_at,
  expires_at: row.expires_at,
  created_by: row.created_by,
  rotated_from: row.rotated_from,
  created_at: row.created_at,
})
