import type { EntityManager } from '@mikro-orm/postgresql'
import { forbidden } from '#control-plane/kernel/refusal.ts'
import { limitsNow } from '#control-plane/tenancy/plans/limits.ts'
import { runIn } from '#control-plane/tenancy/plans/run.ts'

/** Admins only, for reading as well: where a tenant's mail leaves is nobody else's business. */
export const adminsOnly = { tenant: 'settings:manage', reseller: 'branding:manage' } as const

export async function refuseWithoutFeature(em: EntityManager, tenant: { id: string }): Promise<void> {
  if ((await limitsNow(runIn(em), tenant.id)).custom_smtp) return
  throw forbidden('The plan does not include a mail server of one’s own.', 'custom_smtp_needed')
}
