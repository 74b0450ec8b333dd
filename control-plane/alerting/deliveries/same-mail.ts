import { sql } from 'kysely'
import type { Pool } from 'pg'
import { prepared, rows } from '#control-plane/db/queries.ts'

/** A recipient of a delivery who is mailed the same event by something else as well. */
export interface SameMail {
  /** In lower case. */
  address: string
  /** The other delivery; null: the mail that an escalation itself sends to this person. */
  delivery_id: string | null
  /** The other one sends it; else this one does. */
  is_first: boolean
}

// Of the deliveries of one event the first one mails an address; one that failed, and a replay, count for none. Later
// ones are written after the first: in the same statement, or in one after it. By channel and event each is found at
// once, however many deliveries a team has in a storm.
const sameMails = prepared(
  'deliveries-same-mail',
  (id: string, addresses: readonly string[]) => sql<SameMail>`
  with me as (
    select id, tenant_id, channel_id, event_id, created_at from deliveries where id = ${id} and replays = 0
  ), event as (
    select o.name, o.tenant_id, (o.payload ->> 'run_id')::uuid as run_id, (o.payload ->> 'round')::int as round,
      (o.payload ->> 'step')::int as step
    from me join outbox o on o.id = me.event_id
    where o.name in ('incident.escalated', 'incident.escalation_exhausted')
  )
  select lower(r.address) as address, d.id as delivery_id, (d.created_at, d.id) < (me.created_at, me.id) as is_first
  from me
  join notification_channels c on c.tenant_id = me.tenant_id and c.type = 'email' and c.id <> me.channel_id
  join deliveries d on d.channel_id = c.id and d.event_id = me.event_id and d.status <> 'failed' and d.replays = 0
  cross join lateral jsonb_array_elements_text(
    case when jsonb_typeof(c.config -> 'recipients') = 'array' then c.config -> 'recipients' else '[]' end) r(address)
  where lower(r.address) = any(${addresses}::text[])
  union all
  select lower(u.email), null, true
  from event e join escalation_notifications n on n.run_id = e.run_id and n.round = e.round and n.step = e.step
    and n.channel_id is null and n.outbox_id is not null
  join users u on u.id = n.user_id
  where e.name = 'incident.escalated' and lower(u.email) = any(${addresses}::text[])
  union all
  select lower(u.email), null, true
  from event e
  join memberships m on m.tenant_id = e.tenant_id and m.role in ('owner', 'admin') and m.disabled_at is null
  join users u on u.id = m.user_id and not u.is_service and u.email_verified_at is not null
  where e.name = 'incident.escalation_exhausted' and lower(u.email) = any(${addresses}::text[])`,
)

/** Which of these addresses are mailed the event of a delivery by something else too. */
export const sameMailsOf = (platform: Pool, id: string, addresses: readonly string[]): Promise<SameMail[]> =>
  rows(
    platform,
    sameMails(
      id,
      addresses.map(address => address.toLowerCase()),
    ),
  )
