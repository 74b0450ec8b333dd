import { type RawBuilder, sql } from 'kysely'
import type { Pool } from 'pg'
import type { TenantContext } from '#control-plane/base/caller.ts'
import { accessTimeoutMs } from '#control-plane/base/db-timeouts.ts'
import { prepared, type Row, rows } from '#control-plane/db/queries.ts'

export type TenantRow = Row<'tenants', 'slug' | 'plan' | 'feature_overrides' | 'is_reseller'> & {
  tenant_id: Row<'tenants'>['id']
  tenant_name: Row<'tenants'>['name']
}

/** The columns of `TenantRow`, read from a table known as `alias`. */
export function tenantColumns(alias: string): RawBuilder<unknown> {
  const t = sql.id(alias)
  return sql`${t}.id as tenant_id, ${t}.name as tenant_name, ${t}.slug, ${t}.plan, ${t}.feature_overrides,
    ${t}.is_reseller`
}

export const tenantContext = (row: TenantRow): TenantContext => ({
  id: row.tenant_id,
  name: row.tenant_name,
  slug: row.slug,
  plan: row.plan,
  featureOverrides: row.feature_overrides,
  isReseller: row.is_reseller,
})

const find = prepared(
  'find-tenant',
  (id: string) => sql<TenantRow>`
    select ${tenantColumns('t')} from tenants t where t.id = ${id} and t.deleted_at is null`,
  { timeoutMs: accessTimeoutMs },
)

/** A tenant that exists and is not deleted. */
export async function findTenant(platform: Pool, id: string): Promise<TenantContext | null> {
  const [row] = await rows(platform, find(id))
  return row ? tenantContext(row) : null
}
