import type { EntityManager } from '@mikro-orm/postgresql'
import { notInPlan } from '#control-plane/base/refusal.ts'
import { planNow } from '#control-plane/tenancy/plans/limits.ts'

/** Only administrators may read or change a tenant's mail server. */
export const adminsOnly = { tenant: 'settings:manage', reseller: 'branding:manage' } as const

export async function refuseWithoutFeature(em: EntityManager, tenant: { id: string }): Promise<void> {
  const { plan, limits } = await planNow(em, tenant.id)
  if (!limits.custom_smtp) throw notInPlan('custom_smtp', plan, 'The plan does not include a mail server of one’s own.')
}
