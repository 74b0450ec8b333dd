import { effectiveLimits, type Limits } from '#contract/plans.ts'
import type { Run } from './run.ts'

/** The limits as the database has them: whoever read a team at the door may be a plan behind. */
export async function limitsNow(run: Run, tenantId: string): Promise<Limits> {
  const [tenant] = await run<{ plan: string; feature_overrides: Record<string, unknown> }>('select plan, feature_overrides from tenants where id = ?::uuid', [
    tenantId,
  ])
  return effectiveLimits(tenant?.plan ?? 'free', tenant?.feature_overrides ?? {})
}
