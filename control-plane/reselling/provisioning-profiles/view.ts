import { z } from 'zod'
import { plans } from '#contract/plans.ts'
import { describedAs, referringTo } from '#control-plane/http/described-as.ts'
import { Branding } from '#control-plane/tenancy/branding/fields.ts'

const time = z.string().meta({ format: 'date-time' })

export const ProfileView = z
  .object({
    id: z.uuid(),
    name: z.string(),
    plan: z.enum(plans),
    trial_days: z.int().nullable(),
    feature_overrides: referringTo(z.record(z.string(), z.unknown()), 'FeatureOverrides'),
    branding: describedAs(z.record(z.string(), z.unknown()), Branding.partial().meta({ id: 'ProfileBranding' })),
    monitor_template_id: z.uuid().nullable(),
    created_at: time,
    updated_at: time,
  })
  .meta({ id: 'ProvisioningProfile' })
