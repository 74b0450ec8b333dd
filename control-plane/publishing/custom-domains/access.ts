import type { EntityManager } from '@mikro-orm/postgresql'
import { notInPlan } from '#control-plane/base/refusal.ts'
import { planNow } from '#control-plane/tenancy/plans/limits.ts'

export const mayRead = { tenant: 'settings:read', reseller: 'portal:read' } as const
export const mayWrite = { tenant: 'settings:write', reseller: 'portal:write' } as const

/** Domains of a team whose plan no longer includes them can be read and deleted, and are not served. */
export async function refuseWithoutFeature(em: EntityManager, tenant: { id: string }): Promise<void> {
  const { plan, limits } = await planNow(em, tenant.id)
  if (!limits.custom_domains) throw notInPlan('custom_domains', plan, 'The plan does not include custom domains.')
}
