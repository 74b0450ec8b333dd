import { sql } from 'kysely'
import { z } from 'zod'
import { kindNames, kindOf, type QuarantineKind } from '#control-plane/base/quarantine/kinds.ts'
import { type Row, stamp } from '#control-plane/db/queries.ts'

const time = z.string().meta({ format: 'date-time' })

export const QuarantinedRowView = z
  .object({
    id: z.uuid(),
    kind: z.enum(kindNames).meta({ description: 'The kind of the row.' }),
    key: z.string().meta({ description: 'The key of the row in the table of its kind.' }),
    tenant_id: z.uuid().nullable(),
    reason: z.string().meta({ description: 'What is wrong with it. Stored data is not quoted.' }),
    effect: z.string().meta({ description: 'What does not happen while it is quarantined.' }),
    attempts: z.int().meta({ description: 'The number of attempts.' }),
    since: time,
    last_tried_at: time,
    next_try_at: time.meta({ description: 'At the latest: a change by its owner causes a retry at once.' }),
  })
  .meta({ id: 'QuarantinedRow' })

export type QuarantinedRow = Row<
  'quarantined_rows',
  'id' | 'key' | 'tenant_id' | 'reason' | 'attempts' | 'since' | 'last_tried_at' | 'next_try_at'
> & { kind: QuarantineKind }

export const quarantineColumns = sql`q.id, q.kind, q.key, q.tenant_id, q.reason, q.attempts,
  ${stamp('q.since')} as since, ${stamp('q.last_tried_at')} as last_tried_at, ${stamp('q.next_try_at')} as next_try_at`

export const viewQuarantined = (row: QuarantinedRow): z.input<typeof QuarantinedRowView> => ({
  ...row,
  effect: kindOf(row.kind)?.effect ?? '',
})
