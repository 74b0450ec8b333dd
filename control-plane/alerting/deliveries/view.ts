import type { EntityManager } from '@mikro-orm/postgresql'
import { type InferResult, sql } from 'kysely'
import { z } from 'zod'
import { channelTypes } from '#contract/plans.ts'
import type * as shapes from '#control-plane/db/model/shapes.ts'
import { deliveryStatuses, sendErrors } from '#control-plane/db/model/shapes.ts'
import { queries, stamp } from '#control-plane/db/queries.ts'

const time = z.string().meta({ format: 'date-time' })

const AttemptView = z
  .object({
    number: z.int(),
    at: time,
    duration_ms: z.int(),
    status_code: z.int().nullable(),
    error: z.enum(sendErrors).nullable(),
    response: z.string().nullable().meta({ description: 'The first kilobyte of the response.' }),
  })
  .meta({ id: 'DeliveryAttempt' }) satisfies z.ZodType<shapes.DeliveryAttempt>
export type Attempt = z.input<typeof AttemptView>

export const DeliveryView = z
  .object({
    id: z.uuid(),
    channel_id: z.uuid(),
    channel_name: z.string(),
    channel_type: z.enum(channelTypes),
    event: z.string(),
    status: z.enum(deliveryStatuses).meta({
      description:
        'A mail that the reseller suppresses has the state of its delivery to the webhook of the reseller, and one ' +
        'that another channel sends to the same recipients the state of that. ' +
        'held: queued behind an earlier notification about the same monitor, storm or team; ' +
        'failed: no attempt succeeded, and no other follows unless the notification is replayed.',
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

/** Deliveries of a tenant, as the API shows them; callers add conditions. */
export const selectDeliveries = (em: EntityManager, tenant: { id: string }) =>
  queries(em)
    .selectFrom('deliveries as d')
    .innerJoin('notification_channels as c', 'c.id', 'd.channel_id')
    .where('d.tenant_id', '=', tenant.id)
    .select(['d.id', 'd.channel_id', 'c.name as channel_name', 'c.type as channel_type', 'd.event', 'd.status'])
    .select(['d.managed_tenant_id', 'd.monitor_id'])
    .select(({ ref, eb, and }) => [
      sql<Attempt[]>`coalesce((
        select jsonb_agg(e || jsonb_build_object('at', ${stamp(sql<string>`(e ->> 'at')::timestamptz`)}) order by n)
        from jsonb_array_elements(${ref('d.log')}) with ordinality as l(e, n)), '[]')`.as('attempts'),
      eb
        .case()
        .when(and([eb('d.status', '=', 'retrying'), eb('d.handed_over_at', 'is', null)]))
        .then(stamp(ref('d.next_at')))
        .end()
        .as('next_attempt_at'),
      and([eb('d.status', 'in', ['delivered', 'failed']), eb('d.body', 'is not', null)])
        .$castTo<boolean>()
        .as('is_replayable'),
      stamp(ref('d.created_at')).as('created_at'),
      stamp(ref('d.finished_at')).as('finished_at'),
    ])
export type DeliveryRow = InferResult<ReturnType<typeof selectDeliveries>>[number]
