import type { Pool } from 'pg'
import { z } from 'zod'
import type { Claimed } from '#control-plane/base/queue/end.ts'
import { type Claim, fairClaim, type QueueTable, settleIn } from '#control-plane/base/queue/table.ts'
import { sqlTextOf } from '#control-plane/base/sql-text.ts'
import { stamp } from '#control-plane/db/queries.ts'

const Payload = z.object({
  recipient: z.object({
    user_id: z.uuid().nullable(),
    email: z.string(),
    name: z.string().nullable(),
    language: z.string(),
  }),
  data: z.record(z.string(), z.unknown()),
  /** The trace that it is a part of, where that is recorded. */
  traceparent: z.string().optional().catch(undefined),
})
type Payload = z.output<typeof Payload>

/** A mail of the outbox, claimed by this process. */
export interface WaitingMail extends Claimed {
  type: string
  payload: unknown
  created_at: string
  /** It is a day old: it waited all day to become readable. */
  is_late: boolean
}

/** What a mail is made of; undefined if it is malformed. */
export const payloadOf = ({ payload }: WaitingMail): Payload | undefined => Payload.safeParse(payload).data

export const mailTable: QueueTable = {
  table: 'outbox',
  id: 'bigint',
  kind: 'mail',
  isOpen: `q.kind = 'mail' and q.done_at is null`,
  claimS: 90,
}

export const claimMails = (platform: Pool): Claim<WaitingMail> =>
  fairClaim(platform, mailTable, {
    key: 'tenant_id',
    columns: `q.name as type, q.payload, ${sqlTextOf(stamp('q.created_at'))} as created_at,
      q.created_at < clock_timestamp() - interval '1 day' as is_late`,
  })

/**
 * A mail that was sent is deleted, as it has an address. The row of one that was given up stays for a while, without
 * the address and the data.
 */
export const settleMails = (platform: Pool): ReturnType<typeof settleIn> =>
  settleIn(platform, mailTable, {
    set: `error = coalesce(g.why, q.error), payload = case when g.how = 'dead' then '{}' else q.payload end`,
    isDeleted: 'true',
  })
