import type { EntityManager } from '@mikro-orm/postgresql'
import { z } from 'zod'
import { suppressibleMails } from '#contract/events.ts'
import { effectiveLimits } from '#contract/plans.ts'
import type { TenantContext } from '#control-plane/base/caller.ts'
import { type Row, rows, stamp } from '#control-plane/db/queries.ts'

const Types = z.array(z.enum(suppressibleMails))

export const EmailSuppressionView = z
  .object({
    suppressed_types: Types,
    effective_types: Types.meta({
      description: 'Those that an enabled webhook is subscribed to as `email.<type>`; the others are still mailed.',
    }),
    suppressible_types: Types,
    updated_at: z.string().meta({ format: 'date-time' }).nullable(),
  })
  .meta({ id: 'EmailSuppression' })

type SuppressionRow = Row<'email_suppressions', 'types'> & {
  subscribed: string[]
  updated_at: Row<'email_suppressions'>['updated_at'] | null
}

export async function viewEmailSuppression(
  em: EntityManager,
  reseller: TenantContext,
): Promise<z.input<typeof EmailSuppressionView>> {
  const [row] = await rows(em)<SuppressionRow>`
    select coalesce(s.types, '{}') as types, ${stamp('s.updated_at')} as updated_at,
          array(select distinct e from notification_rules r
            join notification_channels c on c.id = r.channel_id, unnest(r.event_types) e
                where r.tenant_id = ${reseller.id}::uuid and c.is_enabled and c.type = 'webhook'
                  and e like 'email.%') as subscribed
   from (select ${reseller.id}::uuid as id) t left join email_suppressions s on s.tenant_id = t.id`
  const { types = [], subscribed = [], updated_at = null } = row ?? {}
  const mayCall = effectiveLimits(reseller.plan, reseller.featureOverrides).notification_channels.includes('webhook')
  const suppressed = suppressibleMails.filter(type => types.includes(type))
  return {
    suppressed_types: suppressed,
    effective_types: suppressed.filter(type => mayCall && subscribed.includes(`email.${type}`)),
    suppressible_types: [...suppressibleMails],
    updated_at,
  }
}
