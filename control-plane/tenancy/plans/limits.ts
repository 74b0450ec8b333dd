import { effectiveLimits, type Limits } from '#contract/plans.ts'
import { type Db, queries } from '#control-plane/db/queries.ts'

/** Plan and limits as the database has them now: the plan may have changed since the request was authenticated. */
export async function planNow(db: Db, tenantId: string): Promise<{ plan: string; limits: Limits }> {
  const found = queries(db).selectFrom('tenants').where('id', '=', tenantId).select(['plan', 'feature_overrides'])
  const tenant = await found.executeTakeFirst()
  const plan = tenant?.plan ?? 'free'
  return { plan, limits: effectiveLimits(plan, tenant?.feature_overrides ?? {}) }
}

export const limitsNow = async (db: Db, tenantId: string): Promise<Limits> => (await planNow(db, tenantId)).limits
