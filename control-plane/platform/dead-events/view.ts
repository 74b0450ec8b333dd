import { z } from 'zod'
import { stampSql } from '#control-plane/base/stamp-sql.ts'
import type { Row } from '#control-plane/db/queries.ts'
import { deadKinds } from '#control-plane/outbox/dispatcher.ts'

const time = z.string().meta({ format: 'date-time' })

export const DeadEventView = z
  .object({
    id: z.uuid(),
    kind: z.enum(deadKinds).meta({
      description:
        'event: nobody was notified of it; workflow: a durable process was not started; signal: one was not told of a change.',
    }),
    name: z.string(),
    tenant_id: z.uuid(),
    monitor_id: z.uuid().nullable(),
    attempts: z.int(),
    reason: z
      .string()
      .nullable()
      .meta({ description: 'Why the last attempt failed. Nothing that is stored is quoted.' }),
    created_at: time,
    died_at: time.nullable().meta({ description: '`null`: it is being replayed.' }),
    is_replayable: z.boolean().meta({ description: 'What is about people is not kept.' }),
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

export const deadEventColumns = `o.dead_id as id, o.kind, o.name, o.tenant_id,
  case when o.payload ->> 'monitor_id' ~ '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$' then o.payload ->> 'monitor_id' end as monitor_id,
  o.attempts, o.error as reason, ${stampSql('o.created_at')} as created_at, ${stampSql('o.dead_at')} as died_at,
  o.dead_at is not null and o.payload <> '{}' as is_replayable`
