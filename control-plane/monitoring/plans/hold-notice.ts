import type { MailData } from '#contract/mails.ts'
import type { Limits } from '#contract/plans.ts'
import { stamp } from '#contract/time.ts'
import { amongTexts, type Db, type Row, rows } from '#control-plane/db/queries.ts'
import { planNow } from '#control-plane/tenancy/plans/limits.ts'
import { beyondPlan } from '#control-plane/tenancy/plans/over-plan.ts'
import type { PlanChange } from './pause-over-plan.ts'

/**
 * The mail to the administrators of a team after a change of its plan or limits; null where the change put nothing on
 * hold and released nothing. `before`: the limits until now; `change`: what `pauseOverPlan` answered.
 */
export async function onHoldChanged(
  db: Db,
  tenantId: string,
  before: Limits,
  { overLimit, released }: PlanChange,
  now: Date,
): Promise<MailData<'on_hold_changed'> | null> {
  const { plan, limits } = await planNow(db, tenantId)
  const types = (of: Limits, without: Limits) =>
    of.notification_channels.filter(type => !without.notification_channels.includes(type))
  const [found] = await rows(db)<Row<'tenants', 'name'> & { stopped: number; released: number }>`
    select t.name, (count(x.id) filter (where x.type = ${amongTexts(types(before, limits))}))::int as stopped,
     (count(x.id) filter (where x.type = ${amongTexts(types(limits, before))}))::int as released
   from tenants t left join notification_channels x on x.tenant_id = t.id and x.owner_user_id is null
   where t.id = ${tenantId} group by t.id`
  const changes = {
    monitors_held: overLimit.length,
    channels_held: found?.stopped ?? 0,
    monitors_released: released.length,
    channels_released: found?.released ?? 0,
  }
  if (Object.values(changes).every(count => count === 0)) return null
  const beyond = await beyondPlan(db, tenantId, limits)
  return { team_name: found?.name ?? '', plan, changed_at: stamp(now), ...changes, ...beyond }
}
