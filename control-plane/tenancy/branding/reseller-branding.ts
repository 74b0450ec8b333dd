import { sql } from 'kysely'
import type { Pool } from 'pg'
import { effectiveLimits, type Limits } from '#contract/plans.ts'
import { prepared, type Row, rows } from '#control-plane/db/queries.ts'
import { type Branding, brandingFields, unset } from './fields.ts'
import { selectBranding } from './row.ts'

export interface ResellerBranding {
  resellerId: string
  branding: Branding
  limits: Limits
  /** Encrypted; `webhookSecretOf` opens it. */
  encryptedSecret: string | null
}

type ResellerRow = Branding &
  Row<'tenants', 'webhook_secret' | 'plan' | 'feature_overrides'> &
  Row<'managed_teams', 'reseller_id'>

/**
 * The branding of the reseller that manages this tenant, also while it is in the trash; null without one. Row security
 * hides it from the team itself.
 */
export async function findResellerBranding(platform: Pool, tenantId: string): Promise<ResellerBranding | null> {
  const [row] = await rows(platform, resellerBranding(tenantId))
  if (!row) return null
  const branding: Branding = { ...unset, ...Object.fromEntries(brandingFields.map(name => [name, row[name]])) }
  return {
    resellerId: row.reseller_id,
    branding,
    limits: effectiveLimits(row.plan, row.feature_overrides),
    encryptedSecret: row.webhook_secret,
  }
}

const resellerBranding = prepared(
  'reseller-branding',
  (tenantId: string) => sql<ResellerRow>`
    select ${selectBranding}, m.reseller_id, t.plan, t.feature_overrides, t.webhook_secret
    from managed_teams m join tenants t on t.id = m.reseller_id left join brandings b on b.tenant_id = t.id
    where m.tenant_id = ${tenantId}`,
)
