import { type Db, rows } from '#control-plane/db/queries.ts'
import { emitEvents } from '#control-plane/outbox/emit.ts'
import { countOf } from '#control-plane/tenancy/plans/counts.ts'
import { lockCount } from '#control-plane/tenancy/plans/enforce.ts'
import { limitsNow } from '#control-plane/tenancy/plans/limits.ts'
import { notifyQuota } from '#control-plane/tenancy/plans/quota.ts'

/**
 * Whether the plan of a team has room for one more active subscriber; a pending one that the team added has its place
 * already. Other activations of the team wait until the transaction ends. A reseller is notified where there is none.
 */
export async function hasPlace(
  db: Db,
  tenantId: string,
  now: Date,
  subscriberId: string | null = null,
): Promise<boolean> {
  await lockCount(db, { id: tenantId }, 'subscribers')
  const limit = (await limitsNow(db, tenantId)).subscribers
  const [found] = await rows(db)<{ current: number }>`select (${countOf.subscribers})::int - (
     select count(*) from status_page_subscribers
     where id = ${subscriberId} and state = 'pending' and source <> 'self'
   )::int as current from tenants t where t.id = ${tenantId}`
  const current = found?.current ?? 0
  if (limit === null || current < limit) return true
  const emit = (
    name: 'tenant.quota_exceeded' | 'tenant.quota_warning',
    payload: Parameters<typeof emitEvents>[1][number]['payload'],
  ) => emitEvents(db, [{ tenantId, name, payload } as Parameters<typeof emitEvents>[1][number]])
  await notifyQuota({ db, tenant: { id: tenantId }, now, emit }, 'tenant.quota_exceeded', {
    feature: 'subscribers',
    current,
    limit,
  })
  return false
}
