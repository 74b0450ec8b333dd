import { z } from 'zod'
import { type TenantScope, tenantScopes } from '#contract/scopes.ts'
import { maskedSecret } from '#control-plane/base/token-secret.ts'
import type { TokenRow } from './row.ts'

const time = z.string().meta({ format: 'date-time' })

/** A token with general scopes, without its secret. */
export const GeneralTokenView = z
  .object({
    id: z.uuid(),
    name: z.string(),
    masked_token: z
      .string()
      .meta({ description: 'Its prefix and last four characters; the secret itself is shown only once.' }),
    scopes: z.array(z.enum(tenantScopes)),
    allowed_ips: z.array(z.string()).nullable().meta({ description: 'Null: from everywhere.' }),
    is_active: z.boolean(),
    last_used_at: time.nullable().meta({ description: 'Written at most once a minute.' }),
    last_used_ip: z.string().nullable(),
    expires_at: time.nullable().meta({ description: 'Null: never.' }),
    created_by: z.uuid().nullable(),
    rotated_from: z.uuid().nullable().meta({ description: 'The token this one replaced.' }),
    created_at: time,
    updated_at: time,
  })
  .meta({ id: 'ApiToken' })

export const tenantScopesOf = (row: TokenRow): TenantScope[] => tenantScopes.filter(scope => row.scopes.includes(scope))

export const viewGeneralToken = (row: TokenRow): z.input<typeof GeneralTokenView> => ({
  id: row.id,
  name: row.name,
  masked_token: maskedSecret(row.kind, row.tail),
  scopes: tenantScopesOf(row),
  allowed_ips: row.allowed_ips,
  is_active: row.is_active,
  last_used_at: row.last_used_at,
  last_used_ip: row.last_used_ip,
  expires_at: row.expires_at,
  created_by: row.created_by,
  rotated_from: row.rotated_from,
  created_at: row.created_at,
  updated_at: row.updated_at,
})
