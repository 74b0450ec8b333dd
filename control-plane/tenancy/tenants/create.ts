import { randomUUID } from 'node:crypto'
import { type Db, json, queries } from '#control-plane/db/queries.ts'

export interface NewTenant {
  name: string
  slug: string
  plan: string
  isReseller?: boolean
  featureOverrides?: Record<string, unknown>
}

/** Creates a tenant, or updates the one with this slug. */
export async function createTenant(db: Db, tenant: NewTenant): Promise<string> {
  const { name, slug, plan, isReseller = false, featureOverrides = {} } = tenant
  const feature_overrides = json(featureOverrides)
  const { id } = await queries(db)
    .insertInto('tenants')
    .values({ id: randomUUID(), name, slug, plan, is_reseller: isReseller, feature_overrides })
    .onConflict(conflict => conflict.column('slug').doUpdateSet({ name, plan, feature_overrides }))
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}
