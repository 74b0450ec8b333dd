import { z } from 'zod'
import { line } from '#contract/line.ts'
import { Overrides, plans } from '#contract/plans.ts'
import type { ProfileBranding } from '#control-plane/db/model/shapes.ts'
import { BrandingChanges } from '#control-plane/tenancy/branding/fields.ts'

const fields = {
  name: line(255),
  plan: z.enum(plans),
  trial_days: z.int().min(1).max(365).nullable().meta({ description: 'Trial days of a new team; `null`: no trial.' }),
  feature_overrides: Overrides,
  branding: BrandingChanges satisfies z.ZodType<ProfileBranding>,
  monitor_template_id: z
    .uuid()
    .toLowerCase()
    .nullable()
    .meta({ description: 'Template for the monitors of a new team.' }),
}

export const NewProfile = z
  .object({
    ...fields,
    plan: fields.plan.default('free'),
    trial_days: fields.trial_days.default(null),
    feature_overrides: fields.feature_overrides.default({}),
    branding: fields.branding.default({}),
    monitor_template_id: fields.monitor_template_id.default(null),
  })
  .meta({ id: 'NewProvisioningProfile' })
export const ProfileChanges = z.object(fields).partial().meta({ id: 'ProvisioningProfileChanges' })

export type ProfileFields = z.output<typeof NewProfile>
export const fieldNames = [
  'name',
  'plan',
  'trial_days',
  'feature_overrides',
  'branding',
  'monitor_template_id',
] as const satisfies (keyof ProfileFields)[]
