import { sql } from 'kysely'
import type { Pool } from 'pg'
import { z } from 'zod'
import { roles, type TenantScope, tenantScopes, withinRole } from '#contract/scopes.ts'
import { maskedSecret } from '#control-plane/base/token-secret.ts'
import { rows } from '#control-plane/db/queries.ts'
import { makerRoleSql } from '#control-plane/identity/users/maker-role.ts'
import type { TokenRow } from './row.ts'

const time = z.string().meta({ format: 'date-time' })

export const tokenProblems = ['disabled', 'expired', 'creator_left', 'creator_role'] as const

/** A token with general scopes, without its secret. */
export const GeneralTokenView = z
  .object({
    id: z.uuid(),
    name: z.string(),
    masked_token: z
      .string()
      .meta({ description: 'Its prefix and last four characters; the secret itself is shown only once.' }),
    scopes: z.array(z.enum(tenantScopes).meta({ id: 'TenantScope' })),
    allowed_ips: z.array(z.string()).nullable().meta({ description: 'Null: from everywhere.' }),
    is_active: z.boolean().meta({ description: 'Whether it is switched on.' }),
    effective_scopes: z.array(z.enum(tenantScopes)).meta({
      description: 'What it may do now, as its creator may in the team; empty: it does not work.',
    }),
    problem: z
      .enum(tokenProblems)
      .nullable()
      .meta({
        description:
          'Why it may do less than its scopes: it is disabled or expired, its creator has left the team or is ' +
          'disabled there, or their role does not include all of them. A rotation makes the caller its creator.',
      }),
    last_used_at: time.nullable().meta({ description: 'Written at most once a minute.' }),
    last_used_ip: z.string().nullable(),
    expires_at: time.nullable().meta({ description: 'Null: never.' }),
    created_by: z.uuid().nullable(),
    rotated_from: z.uuid().nullable().meta({ description: 'The token this one replaced.' }),
    created_at: time,
    updated_at: time,
  })
  .meta({ id: 'ApiToken' })

const tenantScopesOf = (row: TokenRow): TenantScope[] => tenantScopes.filter(scope => row.scopes.includes(scope))

interface Asked {
  services: { platform: Pool }
  tenant: { id: string }
  now: Date
}

/** Tokens with what they may do at this moment, as the authentication of a request decides it. */
export async function viewGeneralTokens(
  { services, tenant, now }: Asked,
  tokens: readonly TokenRow[],
): Promise<z.input<typeof GeneralTokenView>[]> {
  const people = [...new Set(tokens.flatMap(row => personOf(row) ?? []))]
  // an administrator of the reseller may be a creator, whom the rights of a team do not show
  const found = await rows(services.platform)<{ id: string; role: string | null }>`
    select who.id, ${makerRoleSql(sql`${tenant.id}`, 'who.id')} as role from unnest(${people}::uuid[]) who (id)`
  const roleOf = new Map(found.map(({ id, role }) => [id, roles.find(known => known === role) ?? null]))
  return tokens.map(row => {
    const person = personOf(row)
    const scopes = tenantScopesOf(row)
    const role = person === null ? 'owner' : roleOf.get(person)
    const allowed = role ? withinRole(role, scopes) : null
    const problem = problemOf(row, allowed, now)
    const limited = problem === 'creator_role' ? tenantScopes.filter(scope => allowed?.includes(scope)) : []
    return { ...viewStored(row), effective_scopes: problem === null ? scopes : limited, problem }
  })
}

/** `allowed`: what the role of its creator covers; null: they have none. */
function problemOf(row: TokenRow, allowed: readonly string[] | null, now: Date) {
  if (!row.is_active) return 'disabled'
  if (row.expires_at !== null && Date.parse(row.expires_at) <= now.getTime()) return 'expired'
  if (allowed === null) return 'creator_left'
  return tenantScopesOf(row).every(scope => allowed.includes(scope)) ? null : 'creator_role'
}

/** Whose role a token is limited by; null: that of no person. */
const personOf = ({ user_id, created_by }: TokenRow): string | null => user_id ?? created_by

const viewStored = (row: TokenRow) => ({
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
