import { effectiveLimits, type Limits } from '#contract/plans.ts'
import { Sentence } from '#contract/sentence.ts'
import { Refusal } from '#control-plane/base/refusal.ts'
import { advisoryLock, type Db, type Row, rows } from '#control-plane/db/queries.ts'
import type { RequestContext } from '#control-plane/http/endpoint.ts'
import { type Counted, counted, countOf, isBeyond } from './counts.ts'
import { limitsNow } from './limits.ts'
import { countsOf } from './over-plan.ts'
import { notifyQuota, type QuotaNotices } from './quota.ts'

type QuotaContext = Pick<RequestContext, 'em' | 'tenant' | 'now' | 'emit'>

/** Makes transactions that count and then insert in the same tenant run one after the other. */
export const lockCount = (db: Db, tenant: { id: string }, feature: Counted): Promise<unknown> =>
  advisoryLock(db, `${feature}:${tenant.id}`)

/**
 * Reserves places of a limited feature for rows that this transaction inserts next, or has inserted under `lockCount`
 * (`areInserted`): locks, counts, refuses more than the plan allows, and warns near the limit. Returns the present
 * limits: the plan may have changed since authentication.
 */
export async function reserveQuota(
  { em, tenant, now, emit }: QuotaContext,
  feature: Counted,
  adding: number,
  { areInserted = false } = {},
): Promise<Limits> {
  await lockCount(em, tenant, feature)
  const [found] = await rows(em)<Row<'tenants', 'plan' | 'feature_overrides'> & { current: number }>`
    select t.plan, t.feature_overrides, (${countOf[feature]})::int as current
    from tenants t where t.id = ${tenant.id}`
  const limits = effectiveLimits(found?.plan ?? 'free', found?.feature_overrides ?? {})
  const current = (found?.current ?? 0) - (areInserted ? adding : 0)
  refuseBeyondPlan(limits, feature, current, adding)
  await warnNearLimit({ db: em, tenant, now, emit }, limits, feature, current + adding)
  return limits
}

/**
 * Refuses a create beyond a plan's limit, and notifies the reseller. Call it under `lockCount` with the present
 * count.
 */
export function refuseBeyondPlan(limits: Limits, feature: Counted, current: number, adding: number): void {
  const limit = limits[feature]
  if (limit === null || !isBeyond(limit, current + adding)) return
  const words = feature.replaceAll('_', ' ')
  throw new Refusal(
    422,
    'plan_limit',
    new Sentence("The plan's limit is reached: {feature}, current {current}, limit {limit}.", {
      feature,
      current,
      limit,
    }),
    {
      errors: {
        [feature]: [
          new Sentence('The plan allows {limit} {feature}, there are {count}.', {
            limit,
            feature: words,
            count: current,
          }),
        ],
      },
      details: { quota: feature, current, limit },
      async leaves(em, sideEffects, { tenantId, now }) {
        if (tenantId === null) return
        const { emit } = sideEffects
        await notifyQuota({ db: em, tenant: { id: tenantId }, now, emit }, 'tenant.quota_exceeded', {
          feature,
          current,
          limit,
        })
      },
    },
  )
}

const warnFromPct = 80

/** Warns when a limit is nearly reached, at most once a day. `current` counts what was just added. */
async function warnNearLimit(notices: QuotaNotices, limits: Limits, feature: Counted, current: number): Promise<void> {
  const limit = limits[feature]
  if (limit === null || current === 0 || current * 100 < limit * warnFromPct) return
  // each team has a person
  if (feature === 'team_members' && current === 1 && limit === 1) return
  await notifyQuota(notices, 'tenant.quota_warning', { feature, current, limit })
}

/**
 * Warns of each limit that became lower than `before` and is now nearly reached or passed.
 * A change of plan or overrides must call this in the same transaction.
 */
export async function warnOfLowerLimits(notices: QuotaNotices, before: Limits): Promise<void> {
  const { db, tenant } = notices
  const limits = await limitsNow(db, tenant.id)
  const lowered = counted.filter(feature => (limits[feature] ?? Infinity) < (before[feature] ?? Infinity))
  if (lowered.length === 0) return
  const current = await countsOf(db, tenant.id)
  for (const feature of lowered) await warnNearLimit(notices, limits, feature, current[feature])
}
