import { z } from 'zod'
import { channelTypes } from '#contract/plans.ts'
import { stampSql } from '#control-plane/base/stamp-sql.ts'
import { sendErrors } from './send.ts'

export const statuses = ['pending', 'held', 'retrying', 'delivered', 'failed'] as const
const time = z.string().meta({ format: 'date-time' })

const AttemptView = z
  .object({
    number: z.int(),
    at: time,
    duration_ms: z.int(),
    status_code: z.int().nullable(),
    error: z.enum(sendErrors).nullable(),
    response: z.string().nullable().meta({ description: 'The first kilobyte of what the receiver answered.' }),
  })
  .meta({ id: 'DeliveryAttempt' })

export const DeliveryView = z
  .object({
    id: z.uuid(),
    channel_id: z.uuid(),
    channel_name: z.string(),
    channel_type: z.enum(channelTypes),
    event: z.string(),
    status: z.enum(statuses).meta({
      description:
        'held: waits for an earlier one about the same monitor; failed: every attempt was in vain, and none will be made unless somebody replays it.',
    }),
    managed_tenant_id: z.uuid().nullable(),
    monitor_id: z.uuid().nullable(),
    attempts: z.array(AttemptView),
    next_attempt_at: time.nullable(),
    is_replayable: z.boolean(),
    created_at: time,
    finished_at: time.nullable(),
  })
  .meta({ id: 'NotificationLog' })
export type DeliveryRow = z.input<typeof DeliveryView>

export const selectDeliveries = `d.id, d.channel_id, c.name as channel_name, c.type as channel_type, d.event, d.status, d.managed_tenant_id, d.monitor_id,
  coalesce((select jsonb_agg(e || jsonb_build_object('at', ${stampSql(`(e ->> 'at')::timestamptz`)}) order by n) from jsonb_array_elements(d.log) with ordinality as l(e, n)), '[]') as attempts,
  case when d.status = 'retrying' then ${stampSql('d.next_at')} end as next_attempt_at,
  d.status in ('delivered', 'failed') and d.body is not null as is_replayable,
  ${stampSql('d.created_at')} as created_at, ${stampSql('d.finished_at')} as finished_at`

export const fromDeliveries = 'from deliveries d join notification_channels c on c.id = d.channel_id'
