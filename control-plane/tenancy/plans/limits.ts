import { effectiveLimits, type Limits } from '#contract/plans.ts'
import type { Run } from './run.ts'

/** Plan and limits as the database has them now: the plan may have changed since the request was authenticated. */
export async function planNow(run: Run, tenantId: string): Promise<{ plan: string; limits: Limits }> {
  const sql = 'select plan, feature_overrides from tenants where id = ?::uuid'
  const [tenant] = await run<{ plan: string; feature_overrides: Record<string, unknown> }>(sql, [tenantId])
  const plan = tenant?.plan ?? 'free'
  return { plan, limits: effectiveLimits(plan, tenant?.feature_overrides ?? {}) }
}

export const limitsNow = async (run: Run, tenantId: string): Promise<Limits> => (await planNow(run, tenantId)).limits
