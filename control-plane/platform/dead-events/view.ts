import { sql } from 'kysely'
import { z } from 'zod'
import { type Row, stamp } from '#control-plane/db/queries.ts'
import { deadKinds } from '#control-plane/outbox/dispatcher.ts'

const time = z.string().meta({ format: 'date-time' })

export const DeadEventView = z
  .object({
    id: z.uuid(),
    kind: z.enum(deadKinds).meta({
      description:
        '`event`: no notification was sent; `workflow`: a durable process was not started; ' +
        '`signal`: a durable process was not signalled.',
    }),
    name: z.string(),
    tenant_id: z.uuid(),
    monitor_id: z.uuid().nullable(),
    attempts: z.int(),
    reason: z.string().nullable().meta({ description: 'Why the last attempt failed. Stored data is not quoted.' }),
    created_at: time,
    died_at: time.nullable().meta({ description: '`null`: it is being replayed.' }),
    is_replayable: z.boolean().meta({ description: 'Events with personal data are not kept.' }),
  })
  .meta({ id: 'DeadEvent' })
export type DeadEventRow = Row<'outbox', 'name' | 'tenant_id' | 'attempts' | 'created_at'> & {
  id: NonNullable<Row<'outbox'>['dead_id']>
  kind: (typeof deadKinds)[number]
  monitor_id: string | null
  reason: Row<'outbox'>['error']
  died_at: Row<'outbox'>['dead_at']
  is_replayable: boolean
}

export const deadEventColumns = sql`o.dead_id as id, o.kind, o.name, o.tenant_id,
  case when o.payload ->> 'monitor_id' ~ '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$'
    then o.payload ->> 'monitor_id' end as monitor_id,
  o.attempts, o.error as reason, ${stamp('o.created_at')} as created_at, ${stamp('o.dead_at')} as died_at,
  o.dead_at is not null and o.payload <> '{}' as is_replayable`
