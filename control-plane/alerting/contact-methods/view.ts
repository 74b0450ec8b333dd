import { z } from 'zod'
import { channelTypes } from '#contract/plans.ts'
import { showConfig } from '#control-plane/alerting/channels/config.ts'
import type { ChannelRow } from '#control-plane/alerting/channels/row.ts'
import { mayUse } from '#control-plane/alerting/channels/view.ts'
import type { TenantContext } from '#control-plane/base/caller.ts'

const time = z.string().meta({ format: 'date-time' })

export const ContactMethodView = z
  .object({
    id: z.uuid(),
    name: z.string(),
    type: z.enum(channelTypes),
    config: z.record(z.string(), z.unknown()).meta({ description: 'As of a notification channel of this type.' }),
    position: z.int().meta({ description: 'The order of preference, from 1.' }),
    is_account: z.boolean().meta({ description: 'The e-mail address of the account: it cannot be deleted.' }),
    is_enabled: z.boolean(),
    verified: z.boolean().meta({
      description: 'E-mail: the address is confirmed. Others: a test succeeded since the configuration changed.',
    }),
    held_by_plan: z.boolean().meta({ description: 'The plan of the team does not allow this type.' }),
    is_failing: z.boolean(),
    failing_since: time.nullable(),
    created_at: time,
    updated_at: time,
  })
  .meta({ id: 'ContactMethod' })

export const viewContactMethod = (row: ChannelRow, tenant: TenantContext): z.input<typeof ContactMethodView> => ({
  id: row.id,
  name: row.name,
  type: row.type,
  config: showConfig(row.type, row.config),
  position: row.position ?? 1,
  is_account: row.is_account,
  is_enabled: row.is_enabled,
  verified: row.is_verified,
  held_by_plan: !mayUse(tenant, row.type),
  is_failing: row.failing_since !== null,
  failing_since: row.failing_since,
  created_at: row.created_at,
  updated_at: row.updated_at,
})
