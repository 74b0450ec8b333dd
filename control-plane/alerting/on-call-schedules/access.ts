import type { EntityManager } from '@mikro-orm/postgresql'
import { notInPlan } from '#control-plane/base/refusal.ts'
import { planNow } from '#control-plane/tenancy/plans/limits.ts'

export const mayRead = { tenant: 'escalation:read', reseller: 'notifications:read' } as const
export const mayWrite = { tenant: 'escalation:write', reseller: 'notifications:write' } as const

/** Schedules of a team whose plan no longer includes them can be read and deleted. */
export async function refuseWithoutFeature(em: EntityManager, tenant: { id: string }): Promise<void> {
  const { plan, limits } = await planNow(em, tenant.id)
  if (!limits.on_call_schedules)
    throw notInPlan('on_call_schedules', plan, 'The plan does not include on-call schedules.')
}
