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
  /** The trace that it is a part of, where that is recorded. */
  traceparent: z.string().optional().catch(undefined),
})
export type MailPayload = z.output<typeof Payload>

/** A mail of the outbox, claimed by this process. */
export interface WaitingMail {
  id: string
  tenantId: string
  type: string
  /** undefined if it is malformed. */
  payload: MailPayload | undefined
  /** Attempts made so far. */
  attempts: number
  createdAt: Date
  /** It is a day old: it waited all day to become readable. */
  isLate: boolean
}

type ClaimedRow = Row<'outbox', 'id' | 'tenant_id' | 'name' | 'payload' | 'attempts' | 'created_at'> & {
  is_late: boolean
}

/** How long a claim lasts: longer than two servers may take for a mail. The claims of a killed process expire. */
const claimS = 90

// no tenant may fill all places: each gets `$3` at most.
// materialized: otherwise a plan may run the subquery once for each row of the table, and claim all of them
const claim = `
  with taken as materialized (
    select o.id from (
      select id, row_number() over (partition by tenant_id order by next_at, id) as nth
      from (
        select id, tenant_id, next_at from outbox
        where kind = 'mail' and done_at is null and next_at <= clock_timestamp() and tenant_id <> all($2::uuid[])
        order by next_at, id limit 1000) due
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

/** Deletes a mail that was sent, as it has an address. */
export const forgetMail = (platform: Pool, id: string): Promise<unknown> =>
  platform.query({ name: 'mails-done', text: `delete from outbox where id = $1 and kind = 'mail'`, values: [id] })

export const putOff = (platform: Pool, { id, attempts }: WaitingMail, why: string, waitS: number): Promise<unknown> =>
  platform.query({
    name: 'mails-retry',
    text: `update outbox set attempts = $2 + 1, error = $3, next_at = clock_timestamp() + $4 * interval '1 second'
      where id = $1 and attempts = $2 and done_at is null`,
    values: [id, attempts, why, waitS],
  })

/** Puts a mail off for some seconds. No attempt is counted. */
export const waitWith = (db: Pool | PoolClient, id: string, seconds: number): Promise<unknown> =>
  db.query(
    `update outbox set next_at = clock_timestamp() + $2::float8 * interval '1 second'
     where id = $1 and kind = 'mail' and done_at is null`,
    [id, seconds],
  )

/** Makes mails due that were put off. Returns the ids of those that were sent or given up. */
export async function retryMails(platform: Pool, ids: readonly string[]): Promise<string[]> {
  const { rows } = await platform.query<Row<'outbox', 'id'>>(
    `update outbox set next_at = clock_timestamp()
     where id = any($1::bigint[]) and kind = 'mail' and done_at is null returning id`,
    [ids],
  )
  const due = new Set(rows.map(({ id }) => id))
  return ids.filter(id => !due.has(id))
}

/** Gives a mail up. Its row stays for a while, without the address and the data. */
export const giveUp = (platform: Pool, { id, attempts }: WaitingMail, why: string): Promise<unknown> =>
  platform.query({
    name: 'mails-dead',
    text: `update outbox set attempts = $2 + 1, error = $3, payload = '{}', done_at = clock_timestamp()
      where id = $1 and done_at is null`,
    values: [id, attempts, why],
  })
