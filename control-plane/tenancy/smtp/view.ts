import { z } from 'zod'
import { effectiveLimits } from '#contract/plans.ts'
import type { TenantContext } from '#control-plane/base/caller.ts'
import { mask } from '#control-plane/base/secrets.ts'
import { smtpFailures } from './failure.ts'
import { encryptions, smtpPorts } from './input.ts'
import type { StoredSmtp } from './row.ts'

const time = z.string().meta({ format: 'date-time' })

export const SmtpView = z
  .object({
    host: z.string(),
    port: z.literal(smtpPorts),
    encryption: z.enum(encryptions),
    username: z.string().nullable(),
    password: z.literal(mask).nullable(),
    from_address: z.string().nullable(),
    from_name: z.string().nullable(),
    is_active: z.boolean().meta({
      description: 'false: the plan lacks `custom_smtp`, and mail goes through the platform’s server.',
    }),
    failing_since: time
      .nullable()
      .meta({ description: 'Since when mail goes through the platform’s server because this one fails.' }),
    failure: z.enum(smtpFailures).nullable().meta({ description: 'Why this server failed last.' }),
    updated_at: time,
  })
  .meta({ id: 'SmtpConfig' })

export const viewSmtp = ({ plan, featureOverrides }: TenantContext, row: StoredSmtp): z.input<typeof SmtpView> => ({
  ...row,
  password: row.password === null ? null : mask,
  is_active: effectiveLimits(plan, featureOverrides).custom_smtp,
  failure: smtpFailures.find(failure => failure === row.failure) ?? null,
})
