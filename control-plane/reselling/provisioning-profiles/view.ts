import { z } from 'zod'
import { plans } from '#contract/plans.ts'

const time = z.string().meta({ format: 'date-time' })

export const ProfileView = z
  .object({
    id: z.uuid(),
    name: z.string(),
    plan: z.enum(plans),
    trial_days: z.int().nullable(),
    feature_overrides: z.record(z.string(), z.unknown()),
    branding: z.record(z.string(), z.unknown()),
    monitor_template_id: z.uuid().nullable(),
    created_at: time,
    updated_at: time,
  })
  .meta({ id: 'ProvisioningProfile' })
