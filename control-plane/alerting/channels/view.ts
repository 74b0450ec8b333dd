import { z } from 'zod'
import { channelTypes, effectiveLimits } from '#contract/plans.ts'
import { recipientStates } from '#control-plane/alerting/recipients/states.ts'
import type { TenantContext } from '#control-plane/base/caller.ts'
import { describedAs } from '#control-plane/http/described-as.ts'
import { showConfig } from './config.ts'
import { shownByType } from './described.ts'
import type { ChannelRow } from './row.ts'

const time = z.string().meta({ format: 'date-time' })

const fields = {
  id: z.uuid(),
  name: z.string(),
  is_enabled: z.boolean(),
  held_by_plan: z
    .boolean()
    .meta({ description: 'The plan does not allow this type: nothing is sent to the channel until it does.' }),
  is_failing: z
    .boolean()
    .meta({ description: 'All attempts to deliver a message failed, and no message was delivered since.' }),
  failing_since: time.nullable(),
  recipients: z
    .array(z.object({ email: z.string(), state: z.enum(recipientStates).meta({ id: 'RecipientState' }) }))
    .nullable()
    .meta({
      description:
        'null for other types than e-mail. A recipient that is pending or has unsubscribed gets no mail. ' +
        'refused: the mail server says that the address has no mailbox; it is tried again with each message.',
    }),
  created_at: time,
  updated_at: time,
}

const { id, name, ...others } = fields
export const ChannelView = describedAs(
  z.object({
    id,
    name,
    type: z.enum(channelTypes).meta({ id: 'ChannelType' }),
    config: z.record(z.string(), z.unknown()),
    ...others,
  }),
  shownByType(fields),
)

export const mayUse = (tenant: Pick<TenantContext, 'plan' | 'featureOverrides'>, type: string): boolean =>
  effectiveLimits(tenant.plan, tenant.featureOverrides).notification_channels.some(allowed => allowed === type)

export const viewChannel = (
  row: ChannelRow,
  tenant: Pick<TenantContext, 'plan' | 'featureOverrides'>,
): z.input<typeof ChannelView> => ({
  id: row.id,
  name: row.name,
  type: row.type,
  config: showConfig(row.type, row.config),
  is_enabled: row.is_enabled,
  held_by_plan: !mayUse(tenant, row.type),
  is_failing: row.failing_since !== null,
  failing_since: row.failing_since,
  recipients: row.recipients,
  created_at: row.created_at,
  updated_at: row.updated_at,
})
