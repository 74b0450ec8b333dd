import { isDeepStrictEqual } from 'node:util'
import { z } from 'zod'
import { effectiveLimits, Limits, OverrideChanges, Overrides, removal } from '#contract/plans.ts'
import { queries } from '#control-plane/db/queries.ts'
import { endpoint } from '#control-plane/http/endpoint.ts'
import { ok } from '#control-plane/http/reply.ts'
import { lockCount, warnOfLowerLimits } from '#control-plane/tenancy/plans/enforce.ts'
import { changeManagedTenant } from '#control-plane/tenancy/tenants/change-managed.ts'
import { mailAdministrators } from '#control-plane/tenancy/tenants/mail-administrators.ts'
import { onHoldChanged } from './hold-notice.ts'
import { pauseOverPlan } from './pause-over-plan.ts'

const OverridesView = z
  .object({
    plan: z.string(),
    overrides: Overrides,
    effective_limits: Limits.meta({ description: 'What the plan allows with the overrides laid over it.' }),
  })
  .meta({ id: 'FeatureOverridesOfTeam' })

const viewOverrides = (plan: string, stored: Record<string, unknown>): z.input<typeof OverridesView> => {
  const effective = effectiveLimits(plan, stored)
  const overrides = Object.fromEntries(Object.entries(effective).filter(([feature]) => Object.hasOwn(stored, feature)))
  return { plan, overrides, effective_limits: effective }
}

export const getOverrides = endpoint({
  method: 'GET',
  path: '/reseller/managed-teams/{managed_team}/feature-overrides',
  summary: 'Get a team’s feature overrides and effective limits',
  access: { reseller: 'teams:read' },
  returns: ok({ data: OverridesView }),
  handle: ({ tenant }) => ({ data: viewOverrides(tenant.plan, tenant.featureOverrides) }),
})

export const putOverrides = endpoint({
  method: 'PUT',
  path: '/reseller/managed-teams/{managed_team}/feature-overrides',
  summary: 'Override limits of a team’s plan',
  description:
    'Takes effect at once. Monitors over a limit are no longer checked until the limit rises. None is deleted. ' +
    'The administrators are mailed what that puts on hold, or releases.',
  access: { reseller: 'teams:write' },
  body: z.object({ overrides: OverrideChanges }),
  returns: ok({ data: OverridesView }),

  async handle(context) {
    const { em, tenant, params, body, now, audit, emit } = context
    // before the tenant's row, in the same order as a create: two orders of locking would deadlock
    await lockCount(em, tenant, 'monitors')
    const db = queries(em)
    const own = db.selectFrom('tenants').where('id', '=', tenant.id)
    const stored = await own.select(['plan', 'feature_overrides']).forNoKeyUpdate().executeTakeFirst()
    const { plan, feature_overrides: before } = stored ?? {
      plan: tenant.plan,
      feature_overrides: tenant.featureOverrides,
    }
    const sent = Object.entries(body.overrides).filter(([, value]) => value !== undefined)
    const removed = new Set(sent.filter(([, value]) => value === removal).map(([feature]) => feature))
    const after = Object.fromEntries([...Object.entries(before), ...sent].filter(([feature]) => !removed.has(feature)))
    const changed = sent
      .map(([feature]) => feature)
      .filter(feature => !isDeepStrictEqual(before[feature], after[feature]))
    if (changed.length > 0) {
      await changeManagedTenant(em, tenant.id, { feature_overrides: after }, now)
      const change = await pauseOverPlan(em, tenant.id)
      const { overLimit, released } = change
      await warnOfLowerLimits({ db: em, tenant, now, emit }, effectiveLimits(plan, before))
      const notice = await onHoldChanged(em, tenant.id, effectiveLimits(plan, before), change, now)
      if (notice) await mailAdministrators(em, tenant.id, 'on_hold_changed', notice)
      const notes = Object.fromEntries(
        changed.map(feature => [feature, { before: before[feature] ?? null, after: after[feature] ?? null }]),
      )
      audit(
        'feature_overrides.updated',
        { type: 'managed_tenant', id: params.managed_team },
        {
          ...notes,
          ...(overLimit.length > 0 && { monitors_held: overLimit.length }),
          ...(released.length > 0 && { monitors_released: released.length }),
        },
        'both',
      )
    }
    return { data: viewOverrides(plan, after) }
  },
})
