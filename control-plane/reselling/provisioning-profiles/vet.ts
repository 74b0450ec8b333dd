import { effectiveLimits } from '#contract/plans.ts'
import { invalid } from '#control-plane/base/refusal.ts'
import { queries } from '#control-plane/db/queries.ts'
import type { RequestContext } from '#control-plane/http/endpoint.ts'
import { withoutWhiteLabel } from '#control-plane/tenancy/branding/change.ts'
import type { ProfileFields } from './input.ts'

/**
 * Refuses a profile with features outside its plan or an unknown template. Locks the template, so that it is not
 * deleted.
 */
export async function vetProfile(
  { em, tenant }: Pick<RequestContext, 'em' | 'tenant'>,
  profile: ProfileFields,
): Promise<void> {
  const { plan, feature_overrides, branding, monitor_template_id } = profile
  if (branding.hide_powered_by === true && !effectiveLimits(plan, feature_overrides).white_label_branding)
    throw withoutWhiteLabel(plan, 'branding.hide_powered_by')
  if (monitor_template_id === null) return
  const templates = queries(em)
    .selectFrom('monitor_templates')
    .where('tenant_id', '=', tenant.id)
    .where('id', '=', monitor_template_id)
  if (!(await templates.select('id').forKeyShare().executeTakeFirst()))
    throw invalid({ monitor_template_id: ['There is no such template.'] })
}
