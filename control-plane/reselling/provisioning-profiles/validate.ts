import { isDeepStrictEqual } from 'node:util'
import { effectiveLimits } from '#contract/plans.ts'
import { invalid } from '#control-plane/base/refusal.ts'
import { queries } from '#control-plane/db/queries.ts'
import type { RequestContext } from '#control-plane/http/endpoint.ts'
import { refuseByPlan } from '#control-plane/reselling/monitor-templates/try.ts'
import { withoutWhiteLabel } from '#control-plane/tenancy/branding/change.ts'
import type { ProfileFields } from './input.ts'

/**
 * Refuses a profile with features outside its plan, an unknown template, or one that the plan does not allow. Locks the
 * template, so that it is not deleted. `before`: the profile as it is stored.
 */
export async function validateProfile(
  { em, tenant }: Pick<RequestContext, 'em' | 'tenant'>,
  profile: ProfileFields,
  before: Pick<ProfileFields, 'plan' | 'feature_overrides' | 'monitor_template_id'> | null = null,
): Promise<void> {
  const { plan, feature_overrides, branding, monitor_template_id } = profile
  if (branding.hide_powered_by === true && !effectiveLimits(plan, feature_overrides).white_label_branding)
    throw withoutWhiteLabel(plan, 'branding.hide_powered_by')
  if (monitor_template_id === null) return
  const templates = queries(em)
    .selectFrom('monitor_templates')
    .where('tenant_id', '=', tenant.id)
    .where('id', '=', monitor_template_id)
  const template = await templates.select(['id', 'monitors']).forKeyShare().executeTakeFirst()
  if (!template) throw invalid({ monitor_template_id: ['There is no such template.'] })
  // what was stored before stays usable
  if (before && template.id === before.monitor_template_id && isSamePlan(before, profile)) return
  const beyond = refuseByPlan(template.monitors, effectiveLimits(plan, feature_overrides))
  if (Object.keys(beyond).length > 0)
    throw invalid({
      monitor_template_id: ['The plan of the profile does not allow this template.'],
      ...Object.fromEntries(Object.entries(beyond).map(([path, reasons]) => [`monitor_template.${path}`, reasons])),
    })
}

type Planned = Pick<ProfileFields, 'plan' | 'feature_overrides'>
const isSamePlan = (one: Planned, other: Planned) =>
  one.plan === other.plan && isDeepStrictEqual(one.feature_overrides, other.feature_overrides)
