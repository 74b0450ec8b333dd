import { randomUUID } from 'node:crypto'
import type { PoolClient } from 'pg'
import { stamp } from '#contract/time.ts'
import { addressHashes } from '#control-plane/base/address-hash.ts'
import type { Keyring } from '#control-plane/base/secrets.ts'
import { type Row, rows } from '#control-plane/db/queries.ts'
import { erasePlaces, mentionsOf } from '#control-plane/identity/person-data/erase-places.ts'
import type { Place } from '#control-plane/identity/person-data/places.ts'
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
  places: readonly Place[]
}

export interface Erasure {
  erasure_id: string
  user_id: string
  erased_at: string
}

type Person = Row<'users', 'name' | 'email' | 'language'> & { is_verified: boolean; known_since: string }

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
  await forgetMentions(client, userId, person, ties, asked)
  await rows(client)`delete from users where id = ${userId}`
  await mailErasedPerson(client, userId, person, ties, asked)
  await auditErasure(client, ties, erasure, asked)
  return erasure
}

async function readPerson(client: PoolClient, userId: string): Promise<Person> {
  const [row] = await rows(client)<Person>`
    select u.name, u.email, u.language, u.email_verified_at is not null as is_verified,
    least(u.created_at, (select min(i.created_at) from invitations i where i.email = u.email)) as known_since
    from users u where u.id = ${userId}`
  return row!
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

/** Removes the person from every place that does not belong to them alone. */
async function forgetMentions(
  client: PoolClient,
  userId: string,
  { email, name, is_verified, known_since }: Person,
  ties: readonly Tie[],
  { keys, places }: Pick<Asked, 'keys' | 'places'>,
): Promise<void> {
  const tenants = [...new Set(ties.flatMap(tie => [tie.tenantId, ...(tie.resellerId ? [tie.resellerId] : [])]))]
  // other tenants' records of an unproven address may mean another person
  const reach = is_verified ? null : tenants
  const hashes = addressHashes(keys, email).map(hash => hash.toString('hex'))
  const mentions = mentionsOf({ email, name })
  await erasePlaces(client, places, { id: userId, email, name, tenants, reach, hashes, known_since, ...mentions })
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
