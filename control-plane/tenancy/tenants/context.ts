import type { Pool } from 'pg'
import type { TenantContext } from '#control-plane/base/caller.ts'
import { accessTimeoutMs, withQueryTimeout } from '#control-plane/base/db-timeouts.ts'
import type { Row } from '#control-plane/db/queries.ts'

export type TenantRow = Row<'tenants', 'slug' | 'plan' | 'feature_overrides' | 'is_reseller'> & {
  tenant_id: Row<'tenants'>['id']
  tenant_name: Row<'tenants'>['name']
}

/** The columns of `TenantRow`, read from a table known as `alias`. */
export const tenantColumns = (alias: string) =>
  `${alias}.id as tenant_id, ${alias}.name as tenant_name, ${alias}.slug, ${alias}.plan, ${alias}.feature_overrides,
   ${alias}.is_reseller`

export const tenantContext = (row: TenantRow): TenantContext => ({
  id: row.tenant_id,
  name: row.tenant_name,
  slug: row.slug,
  plan: row.plan,
  featureOverrides: row.feature_overrides,
  isReseller: row.is_reseller,
})

/** A tenant that exists and is not deleted. */
export async function findTenant(platform: Pool, id: string): Promise<TenantContext | null> {
  const { rows } = await platform.query<TenantRow>(
    withQueryTimeout(accessTimeoutMs, {
      name: 'find-tenant',
      text: `select ${tenantColumns('t')} from tenants t where t.id = $1 and t.deleted_at is null`,
      values: [id],
    }),
  )
  return rows[0] ? tenantContext(rows[0]) : null
}
