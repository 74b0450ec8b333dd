import type { Pool, PoolClient } from 'pg'
import type { Row } from '#control-plane/db/queries.ts'
import { type Reader, readerSql } from './reader.ts'

export type Queue = 'mail' | 'http'

/** A message that this process has claimed, with its subscriber and the readers of the page as they are now. */
export type Claimed = Row<
  'subscriber_messages',
  'id' | 'tenant_id' | 'subscriber_id' | 'update_id' | 'queue_key' | 'attempts'
> &
  Row<'status_page_subscribers', 'address' | 'locale' | 'state' | 'page_id'> &
  Reader

export const outcomes = ['sent', 'suppressed', 'refused', 'given_up', 'left_out'] as const
export type Outcome = (typeof outcomes)[number]

/** Longer than all messages of a claim may take. The claims of a killed process expire. */
const claimS = 180

// no team and no host may fill all places: messages are taken by key, each key's first ones
const claim = `
  with recursive keys as (
    (select queue_key from subscriber_messages where done_at is null and queue = $1 order by queue_key limit 1)
    union all
    select (
      select m.queue_key from subscriber_messages m
      where m.done_at is null and m.queue = $1 and m.queue_key > k.queue_key order by m.queue_key limit 1)
    from keys k where k.queue_key is not null
  ), chosen as materialized (
    select queue_key from keys where queue_key is not null and queue_key <> all($4::text[])
    order by random() limit 500
  ), taken as materialized (
    select c.id from chosen k cross join lateral (
      select m.id from subscriber_messages m
      where m.queue = $1 and m.queue_key = k.queue_key and m.done_at is null and m.next_at <= clock_timestamp()
      order by m.next_at, m.id limit $3 for update skip locked) c
    limit $2
  ), claimed as (
    update subscriber_messages m set next_at = clock_timestamp() + interval '${claimS} seconds'
    from taken where m.id = taken.id
    returning m.id, m.tenant_id, m.subscriber_id, m.update_id, m.queue_key, m.attempts
  )
  select c.*, s.address, s.locale, s.state, s.page_id, ${readerSql}
  from claimed c join status_page_subscribers s on s.id = c.subscriber_id join status_pages p on p.id = s.page_id
  order by c.id`

/** Claims up to `most` messages that are due, up to `mostOfKey` of each key, none of the busy keys. */
export async function claimMessages(
  platform: Pool,
  queue: Queue,
  { most, mostOfKey, busyKeys }: { most: number; mostOfKey: number; busyKeys: readonly string[] },
): Promise<Claimed[]> {
  const values = [queue, most, mostOfKey, busyKeys]
  const { rows } = await platform.query<Claimed>({ name: 'subscriber-messages-claim', text: claim, values })
  return rows
}

/** Notes messages that are done with. */
export const finish = (platform: Pool, done: readonly { id: string; outcome: Outcome }[]): Promise<unknown> =>
  platform.query({
    name: 'subscriber-messages-done',
    text: `update subscriber_messages m set done_at = clock_timestamp(), outcome = r.outcome
      from jsonb_to_recordset($1::jsonb) as r(id bigint, outcome text) where m.id = r.id and m.done_at is null`,
    values: [JSON.stringify(done)],
  })

/** Puts a message off after a failed attempt. */
export const retryLater = (platform: Pool, { id, attempts }: Claimed, waitS: number): Promise<unknown> =>
  platform.query({
    name: 'subscriber-messages-retry',
    text: `update subscriber_messages
      set attempts = $2 + 1, next_at = clock_timestamp() + $3::float8 * interval '1 second'
      where id = $1 and attempts = $2 and done_at is null`,
    values: [id, attempts, waitS],
  })

/** Puts messages off. No attempt is counted. */
export const waitWith = (db: Pool | PoolClient, ids: readonly string[], seconds: number): Promise<unknown> =>
  db.query(
    `update subscriber_messages set next_at = clock_timestamp() + $2::float8 * interval '1 second'
     where id = any($1::bigint[]) and done_at is null`,
    [ids, seconds],
  )
