import { randomUUID } from 'node:crypto'
import type { PoolClient } from 'pg'
import { stamp } from '#contract/time.ts'
import { addressHashes } from '#control-plane/base/address-hash.ts'
import type { Keyring } from '#control-plane/base/secrets.ts'
import type { Row } from '#control-plane/db/queries.ts'
import { noticeOf, recipientOf } from '#control-plane/identity/users/notify.ts'
import type { Tie } from '#control-plane/identity/users/ties.ts'
import { addAudit } from '#control-plane/outbox/audit.ts'
import { type EmittedEvent, emitEvents } from '#control-plane/outbox/emit.ts'
import { addMail } from '#control-plane/outbox/mail.ts'

/** The requester of an erasure, and where the request came from. */
export interface Asked {
  by: 'self' | 'reseller'
  userId: string | null
  tokenId: string
  tenantId: string
  /** Tenants, besides the team, whose audit entries name the requester. */
  trails: string[]
  ip: string
  requestId: string
  now: Date
  keys: Keyring
}

export interface Erasure {
  erasure_id: string
  user_id: string
  erased_at: string
}

type Person = Row<'users', 'name' | 'email' | 'language'> & { is_verified: boolean; known_since: Date }

/**
 * Erases a person from the whole platform in one transaction of the platform's role. Remaining rows hold only the id.
 * Each reseller of the person's teams is notified once, of its own teams; the outbox deletes that event once it is
 * delivered.
 */
export async function erasePerson(
  client: PoolClient,
  userId: string,
  ties: readonly Tie[],
  asked: Asked,
): Promise<Erasure> {
  const person = await readPerson(client, userId)
  const erasure = { erasure_id: randomUUID(), user_id: userId, erased_at: stamp(asked.now) }
  await notifyResellers(client, person, ties, erasure, asked.by)
  await forgetMentions(client, userId, person, ties, asked.keys)
  await client.query('delete from tokens where impersonated_by = $1', [userId])
  await client.query('delete from users where id = $1', [userId])
  await mailErasedPerson(client, userId, person, ties, asked)
  await auditErasure(client, ties, erasure, asked)
  return erasure
}

async function readPerson(client: PoolClient, userId: string): Promise<Person> {
  const { rows } = await client.query<Person>(
    `select u.name, u.email, u.language, u.email_verified_at is not null as is_verified,
     least(u.created_at, (select min(i.created_at) from invitations i where i.email = u.email)) as known_since
     from users u where u.id = $1`,
    [userId],
  )
  return rows[0]!
}

async function notifyResellers(
  client: PoolClient,
  { name, email }: Person,
  ties: readonly Tie[],
  { erasure_id, erased_at, user_id }: Erasure,
  initiated_by: Asked['by'],
): Promise<void> {
  const events: EmittedEvent[] = []
  for (const [tenantId, ofReseller] of Map.groupBy(ties, tie => tie.resellerId)) {
    if (tenantId === null) continue
    const teams = ofReseller.map(team => ({
      managed_tenant_id: team.tenantId,
      user_id,
      role: team.role,
      label: team.label,
      external_ref: team.externalRef,
    }))
    const payload = { email, name, erased_at, initiated_by, erasure_id, teams }
    events.push({ tenantId, name: 'member.erased', payload })
  }
  await emitEvents(client, events)
}

// who acknowledged an incident is named by its event
const forgetInDeliveries = `
  update deliveries set body = null
  where tenant_id = any($1::uuid[]) and status in ('delivered', 'failed')
    and case when event = 'incident.acknowledged' then body::jsonb ->> 'acknowledged_by_name' = $2 end`
const forgetInEvents = `
  delete from outbox where name = 'incident.acknowledged' and done_at is not null
    and tenant_id = any($1::uuid[]) and payload ->> 'acknowledged_by_name' = $2`

/** Removes the person's name, address and IP from rows that do not belong to them. */
async function forgetMentions(
  client: PoolClient,
  userId: string,
  { email, name, is_verified, known_since }: Person,
  ties: readonly Tie[],
  keys: Keyring,
): Promise<void> {
  const tenants = [...new Set(ties.flatMap(tie => [tie.tenantId, ...(tie.resellerId ? [tie.resellerId] : [])]))]
  // other tenants' records of an unproven address may mean another person
  const where = [email, is_verified ? null : tenants]
  const inReach = '($2::uuid[] is null or tenant_id = any($2::uuid[]))'
  await client.query(`delete from invitations where email = $1 and ${inReach}`, where)
  await client.query(
    `delete from status_page_subscribers where channel = 'email' and ${inReach}
     and address_hash in (select decode(h, 'hex') from unnest($1::text[]) h)`,
    [addressHashes(keys, email).map(hash => hash.toString('hex')), is_verified ? null : tenants],
  )
  await client.query(`delete from mail_recipients where email = $1 and ${inReach}`, where)
  // addresses that only contact methods of the person name, which are deleted with the memberships
  await client.query(
    `delete from mail_recipients q using notification_channels c
     where c.owner_user_id = $1 and c.type = 'email' and q.tenant_id = c.tenant_id
       and c.config -> 'recipients' ? q.email::text
       and not exists (
         select 1 from notification_channels o
         where o.tenant_id = q.tenant_id and o.id <> c.id and o.type = 'email'
           and o.config -> 'recipients' ? q.email::text)`,
    [userId],
  )
  await client.query(
    `delete from outbox where kind = 'mail' and lower(payload -> 'recipient' ->> 'email') = lower($1) and ${inReach}`,
    where,
  )
  await client.query(
    `delete from mail_sink_messages where exists (select 1 from unnest(recipients) r where lower(r) = lower($1))
     and ${inReach}`,
    where,
  )
  await client.query('update escalation_notifications set user_name = null where user_id = $1', [userId])
  for (const forget of [forgetInDeliveries, forgetInEvents]) await client.query(forget, [tenants, name])
  await client.query(
    'update audit_entries set ip = null, request_id = null where user_id = $1 or impersonator_id = $1',
    [userId],
  )
  await client.query(
    `update audit_entries set changes = null
     where tenant_id = any($1::uuid[]) and strpos(lower(changes::text), lower($2)) > 0`,
    [tenants, email],
  )
  await client.query(
    `delete from outbox where tenant_id = any($1::uuid[]) and done_at is not null
     and strpos(lower(payload::text), lower($2)) > 0`,
    [tenants, email],
  )
  // stored replies to repeated calls are encrypted: all since the person is known are deleted, as they may name the
  // person
  await client.query(
    `delete from idempotency_keys where created_at >= $2 and tenant_id = any($1::uuid[])
       or token_id in (select id from tokens where user_id = $3)`,
    [tenants, known_since, userId],
  )
}

/** Sends the last mail to the address. The outbox deletes it once it is sent. */
async function mailErasedPerson(
  client: PoolClient,
  id: string,
  { name, email, language }: Person,
  ties: readonly Tie[],
  asked: Asked,
): Promise<void> {
  const tenantId = ties.find(tie => !tie.isDeleted)?.tenantId ?? asked.tenantId
  const person = { id, name, email, language }
  const data = noticeOf(person, asked.now, asked.by === 'self' ? asked.ip : null)
  await addMail(client, asked.keys, {
    tenantId,
    type: 'security_account_deleted',
    recipient: recipientOf(person),
    data,
  })
}

/** Adds an audit entry in each team of the person; the requester is named only in the tenants they act in. */
async function auditErasure(
  client: PoolClient,
  ties: readonly Tie[],
  { erasure_id, user_id }: Erasure,
  asked: Asked,
): Promise<void> {
  const named = new Set([asked.tenantId, ...asked.trails])
  const { userId, tokenId, ip, requestId, by, now: at } = asked
  const changes = { erasure_id, initiated_by: by }
  const entries = [...new Set([...named, ...ties.map(tie => tie.tenantId)])].map(tenantId => ({
    tenantId,
    action: 'member.erased',
    type: 'user' as const,
    id: user_id,
    changes,
    at,
    actor: named.has(tenantId) && by === 'reseller' ? { userId, tokenId, ip, requestId } : {},
  }))
  await addAudit(client, entries)
}
