import { z } from 'zod'
import { plans } from '#contract/plans.ts'
import { referringTo } from '#control-plane/kernel/described-as.ts'

const time = z.string().meta({ format: 'date-time' })

export const ProfileView = z
  .object({
    id: z.uuid(),
    name: z.string(),
    plan: z.enum(plans),
    trial_days: z.int().nullable(),
    feature_overrides: referringTo(z.record(z.string(), z.unknown()), 'FeatureOverrides'),
    branding: referringTo(z.record(z.string(), z.unknown()), 'BrandingChanges'),
    monitor_template_id: z.uuid().nullable(),
    created_at: time,
    updated_at: time,
  })
  .meta({ id: 'ProvisioningProfile' })
