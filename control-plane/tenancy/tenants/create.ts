import { randomUUID } from 'node:crypto'
import type { Pool, PoolClient } from 'pg'

export interface NewTenant {
  name: string
  slug: string
  plan: string
  isReseller?: boolean
  featureOverrides?: Record<string, unknown>
}

/** A tenant by its slug: made, or brought to these values if it is there. */
export async function createTenant(db: Pool | PoolClient, tenant: NewTenant): Promise<string> {
  const { rows } = await db.query<{ id: string }>(
    `insert into tenants (id, name, slug, plan, is_reseller, feature_overrides) values ($1, $2, $3, $4, $5, $6)
     on conflict (slug) do update set name = excluded.name, plan = excluded.plan, feature_overrides = excluded.feature_overrides
     returning id`,
    [
      randomUUID(),
      tenant.name,
      tenant.slug,
      tenant.plan,
      tenant.isReseller ?? false,
      JSON.stringify(tenant.featureOverrides ?? {}),
    ],
  )
  return rows[0]!.id
}
