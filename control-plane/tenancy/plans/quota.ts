import type { Payload } from '#contract/events.ts'
import { type Db, rows } from '#control-plane/db/queries.ts'
import type { Counted } from './counts.ts'

type QuotaEvent = keyof typeof silence

/** Where a notice about a team's quota is written, and how its event is published. */
export interface QuotaNotices {
  db: Db
  tenant: { id: string }
  now: Date
  emit(event: QuotaEvent, payload: Payload<QuotaEvent>): void | Promise<void>
}

/** The least time between two equal notices about the same feature of the same team. */
const silence = {
  'tenant.quota_warning': '1 day',
  'tenant.quota_exceeded': '6 hours',
} as const

/**
 * Emits an event about a managed team's quota, unless the same event was emitted lately. Of concurrent calls only one
 * emits. A tenant without a reseller emits nothing.
 */
export async function notifyQuota(
  { db, tenant, now, emit }: QuotaNotices,
  event: QuotaEvent,
  { feature, current, limit }: { feature: Counted; current: number; limit: number },
): Promise<void> {
  const [notice] = await rows(db)`insert into quota_notices as q (tenant_id, event, feature, notified_at)
   select m.tenant_id, ${event}, ${feature}, ${now}::timestamptz from managed_teams m
   where m.tenant_id = ${tenant.id} and m.deleted_at is null
   on conflict (tenant_id, event, feature) do update set notified_at = excluded.notified_at
     where q.notified_at <= excluded.notified_at - ${silence[event]}::interval
   returning q.feature`
  if (!notice) return
  const pct = limit === 0 ? 100 : Math.round((100 * current) / limit)
  await emit(event, { tenant_id: tenant.id, feature, current_count: current, limit, usage_pct: pct })
}
