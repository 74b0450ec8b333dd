import type { PoolClient } from 'pg'
import type { Config } from '#control-plane/config.ts'
import { emitEvents } from '#control-plane/outbox/emit.ts'
import { countOf } from '#control-plane/tenancy/plans/counts.ts'
import { countLock } from '#control-plane/tenancy/plans/enforce.ts'
import { limitsNow } from '#control-plane/tenancy/plans/limits.ts'
import { notifyQuota } from '#control-plane/tenancy/plans/quota.ts'
import { runOn } from '#control-plane/tenancy/plans/run.ts'

export type SubscriberDeps = { config: Config }

/**
 * Whether the plan of a team has room for one more active subscriber; a pending one that the team added has its place
 * already. Other activations of the team wait until the transaction ends. A reseller is notified where there is none.
 */
export async function hasPlace(
  client: PoolClient,
  tenantId: string,
  now: Date,
  subscriberId: string | null = null,
): Promise<boolean> {
  const run = runOn(client)
  const [lock, values] = countLock(tenantId, 'subscribers')
  await run(lock, values)
  const limit = (await limitsNow(run, tenantId)).subscribers
  const [found] = await run<{ current: number }>(
    `select (${countOf.subscribers})::int - (
       select count(*) from status_page_subscribers where id = ? and state = 'pending' and source <> 'self'
     )::int as current from tenants t where t.id = ?`,
    [subscriberId, tenantId],
  )
  const current = found?.current ?? 0
  if (limit === null || current < limit) return true
  const emit = (
    name: 'tenant.quota_exceeded' | 'tenant.quota_warning',
    payload: Parameters<typeof emitEvents>[1][number]['payload'],
  ) => emitEvents(client, [{ tenantId, name, payload } as Parameters<typeof emitEvents>[1][number]])
  await notifyQuota({ run, tenant: { id: tenantId }, now, emit }, 'tenant.quota_exceeded', {
    feature: 'subscribers',
    current,
    limit,
  })
  return false
}
