import type { Pool, PoolClient } from 'pg'
import { z } from 'zod'
import { stampSql } from '#control-plane/base/stamp-sql.ts'
import type { Row } from '#control-plane/db/queries.ts'

const Payload = z.object({
  recipient: z.object({
    user_id: z.uuid().nullable(),
    email: z.string(),
    name: z.string().nullable(),
    language: z.string(),
  }),
  data: z.record(z.string(), z.unknown()),
})
export type MailPayload = z.output<typeof Payload>

/** A mail that waits in the outbox, claimed by this process. */
export interface WaitingMail {
  id: string
  tenantId: string
  type: string
  /** undefined: whoever wrote it did not know how. */
  payload: MailPayload | undefined
  /** Attempts made so far. */
  attempts: number
  createdAt: Date
  /** Waited for a day to become readable. */
  isLate: boolean
}

type ClaimedRow = Row<'outbox', 'id' | 'tenant_id' | 'name' | 'payload' | 'attempts' | 'created_at'> & {
  is_late: boolean
}

/** Longer than one mail may take by two servers. Whoever dies with a claim gives it back by doing nothing. */
const claimS = 90

// no tenant may fill all places: what is first in line of each comes before what is fifth.
// materialized, or a plan may ask for the next rows once for every row there is, and claim them all
const claim = `
  with taken as materialized (
    select o.id from (
      select id, row_number() over (partition by tenant_id order by next_at, id) as nth
      from (select id, tenant_id, next_at from outbox where kind = 'mail' and done_at is null and next_at <= clock_timestamp()
            and tenant_id <> all($2::uuid[]) order by next_at, id limit 1000) due
    ) first join outbox o on o.id = first.id
    where first.nth <= $3 and o.done_at is null and o.next_at <= clock_timestamp()
    order by o.next_at, o.id limit $1 for update of o skip locked
  )
  update outbox o set next_at = clock_timestamp() + interval '${claimS} seconds' from taken where o.id = taken.id
  returning o.id, o.tenant_id, o.name, o.payload, o.attempts, ${stampSql('o.created_at')} as created_at,
    o.created_at < clock_timestamp() - interval '1 day' as is_late`

export async function claimMails(
  platform: Pool,
  most: number,
  busyTenants: readonly string[],
  mostEach: number,
): Promise<WaitingMail[]> {
  const { rows } = await platform.query<ClaimedRow>({
    name: 'mails-claim',
    text: claim,
    values: [most, busyTenants, mostEach],
  })
  return rows.map(({ id, tenant_id, name, payload, attempts, created_at, is_late }) => ({
    id,
    tenantId: tenant_id,
    type: name,
    payload: Payload.safeParse(payload).data,
    attempts,
    createdAt: new Date(created_at),
    isLate: is_late,
  }))
}

/** It holds an address, so it leaves. */
export const forgetMail = (platform: Pool, id: string): Promise<unknown> =>
  platform.query({ name: 'mails-done', text: `delete from outbox where id = $1 and kind = 'mail'`, values: [id] })

export const putOff = (platform: Pool, { id, attempts }: WaitingMail, why: string, waitS: number): Promise<unknown> =>
  platform.query({
    name: 'mails-retry',
    text: `update outbox set attempts = $2 + 1, error = $3, next_at = clock_timestamp() + $4 * interval '1 second' where id = $1 and attempts = $2 and done_at is null`,
    values: [id, attempts, why, waitS],
  })

/** Not tried before so many seconds; no attempt is counted. */
export const waitWith = (db: Pool | PoolClient, id: string, seconds: number): Promise<unknown> =>
  db.query(
    `update outbox set next_at = clock_timestamp() + $2::float8 * interval '1 second' where id = $1 and kind = 'mail' and done_at is null`,
    [id, seconds],
  )

/** Mails that were put off are due now. Answers what is nobody's any more: it was given up. */
export async function retryMails(platform: Pool, ids: readonly string[]): Promise<string[]> {
  const { rows } = await platform.query<Row<'outbox', 'id'>>(
    `update outbox set next_at = clock_timestamp() where id = any($1::bigint[]) and kind = 'mail' and done_at is null returning id`,
    [ids],
  )
  const due = new Set(rows.map(({ id }) => id))
  return ids.filter(id => !due.has(id))
}

/** What stays for a while says that a mail was given up, and not whose it was. */
export const giveUp = (platform: Pool, { id, attempts }: WaitingMail, why: string): Promise<unknown> =>
  platform.query({
    name: 'mails-dead',
    text: `update outbox set attempts = $2 + 1, error = $3, payload = '{}', done_at = clock_timestamp() where id = $1 and done_at is null`,
    values: [id, attempts, why],
  })
