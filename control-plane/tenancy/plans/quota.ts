import type { Facts } from '#control-plane/kernel/endpoint.ts'
import type { Counted } from './counts.ts'

interface Known extends Pick<Facts, 'em' | 'now' | 'emit'> {
  tenant: { id: string }
}

/** How long nothing more is said of the same feature of the same team. */
const silence = {
  'tenant.quota_warning': '1 day',
  'tenant.quota_exceeded': '6 hours',
} as const

/** Tells of a managed team's quota, unless that was told lately. Of many at once, one tells. Independent tenants have nobody to tell. */
export async function tellQuota(
  { em, tenant, now, emit }: Known,
  event: keyof typeof silence,
  { feature, current, limit }: { feature: Counted; current: number; limit: number },
): Promise<void> {
  const [told] = await em.execute<unknown[]>(
    `insert into quota_notices as q (tenant_id, event, feature, told_at)
     select m.tenant_id, ?, ?, ?::timestamptz from managed_teams m where m.tenant_id = ? and m.deleted_at is null
     on conflict (tenant_id, event, feature) do update set told_at = excluded.told_at where q.told_at <= excluded.told_at - ?::interval
     returning q.feature`,
    [event, feature, now, tenant.id, silence[event]],
  )
  if (!told) return
  const pct = limit === 0 ? 100 : Math.round((100 * current) / limit)
  emit(event, { tenant_id: tenant.id, feature, current_count: current, limit, usage_pct: pct })
}
