import type { EntityManager } from '@mikro-orm/postgresql'
import type { Limits } from '#contract/plans.ts'
import { Refusal } from '#control-plane/kernel/refusal.ts'

/** Features whose number a plan limits. */
type Counted = 'monitors' | 'status_pages' | 'team_members'

/** Held until the transaction ends: whoever counts, then adds, in the same tenant does so one after the other. */
export async function lockCount(em: EntityManager, tenant: { id: string }, feature: Counted): Promise<void> {
  await em.execute('select pg_advisory_xact_lock(hashtextextended(?, 0))', [`${feature}:${tenant.id}`])
}

/** The one place where a plan's limit stops a create. Call it under `lockCount`, with the number there is now. */
export function refuseBeyondPlan(limits: Limits, feature: Counted, current: number, adding: number): void {
  const limit = limits[feature]
  if (limit === null || current + adding <= limit) return
  const words = feature.replaceAll('_', ' ')
  throw new Refusal(422, 'plan_limit', `The plan's limit is reached: ${feature}, current ${current}, limit ${limit}.`, {
    errors: { [feature]: [`The plan allows ${limit} ${words}, there are ${current}.`] },
  })
}
