import { sql } from 'kysely'
import type { Pool } from 'pg'
import { z } from 'zod'
import { invalid } from '#control-plane/base/refusal.ts'
import type { Config } from '#control-plane/config.ts'
import { type Row, rows } from '#control-plane/db/queries.ts'
import { type LinkPurpose, type PersonalGrant, readLinkToken, readPersonalToken, tokenShape } from './token.ts'

export const LinkToken = z.string().regex(tokenShape, 'Must be the token of a link in an alert.')

/** The member of the team whose address or contact method the link was sent to. */
type Person = Row<'users', 'id' | 'name' | 'email'>

/** The incident of a link, and the channel and recipient, or the member of the team, that the link was sent to. */
export interface OpenLink {
  incidentId: string
  tenantId: string
  /** null: an escalation policy called the person. */
  channel: (Row<'notification_channels', 'id' | 'name' | 'type'> & { tenantId: string }) | null
  /** The address the link was mailed to; null for all readers of the channel. */
  recipient: string | null
  person: Person | null
}

type LinkRow = Row<'incidents', 'tenant_id'> &
  Row<'notification_channels', 'name' | 'type' | 'owner_user_id'> & {
    is_resolved: boolean
    channel_tenant_id: Row<'notification_channels'>['tenant_id']
    recipients: unknown
  }

// a channel of the team, or of the reseller that manages it: both get alerts about its incidents
const find = (incidentId: string, channelId: string) => sql<LinkRow>`
  select i.tenant_id, i.resolved_at is not null as is_resolved,
    c.tenant_id as channel_tenant_id, c.name, c.type, c.config -> 'recipients' as recipients, c.owner_user_id
  from incidents i
  join tenants t on t.id = i.tenant_id and t.deleted_at is null
  join notification_channels c on c.id = ${channelId} and c.is_enabled
  join tenants o on o.id = c.tenant_id and o.deleted_at is null
  where i.id = ${incidentId} and (c.tenant_id = i.tenant_id or exists (
    select 1 from managed_teams m
    where m.tenant_id = i.tenant_id and m.reseller_id = c.tenant_id and m.deleted_at is null))`

const refuse = (why: string, code: string) => invalid({ token: [why] }, code)

/**
 * The incident of a link. Refuses a link that is forged or expired, whose channel or recipient is gone, or whose
 * incident is resolved.
 */
export async function openLink(
  { platform, config }: { platform: Pool; config: Config },
  purpose: LinkPurpose,
  token: string,
  now: Date,
): Promise<OpenLink> {
  const personal = readPersonalToken(config, purpose, token)
  if (personal) return openPersonal(platform, personal, now)
  const grant = readLinkToken(config, purpose, token)
  if (!grant) throw refuse('This link was not made here.', 'bad_link')
  if (grant.expiresAt <= now) throw refuse('This link has expired.', 'link_expired')
  const [row] = await rows(platform, find(grant.incidentId, grant.channelId))
  const recipients = Array.isArray(row?.recipients) ? row.recipients.map(String) : []
  const recipient = grant.isForOneRecipient ? recipients.find(address => grant.isFor(address)) : null
  if (!row || recipient === undefined)
    throw refuse('The channel that this link was sent to is gone, or the incident is.', 'link_revoked')
  if (row.is_resolved) throw refuse('This incident is resolved.', 'incident_resolved')
  return {
    incidentId: grant.incidentId,
    tenantId: row.tenant_id,
    channel: { id: grant.channelId, name: row.name, type: row.type, tenantId: row.channel_tenant_id },
    recipient,
    person: await personOf(platform, row, recipient),
  }
}

// who has left the team acts no longer in its name
const findPersonal = (incidentId: string, userId: string) => sql<Person & Pick<LinkRow, 'tenant_id' | 'is_resolved'>>`
  select i.tenant_id, i.resolved_at is not null as is_resolved, u.id, u.name, u.email
  from incidents i
  join tenants t on t.id = i.tenant_id and t.deleted_at is null
  join memberships m on m.tenant_id = i.tenant_id and m.user_id = ${userId} and m.disabled_at is null
  join users u on u.id = m.user_id and not u.is_service
  where i.id = ${incidentId}`

async function openPersonal(
  platform: Pool,
  { incidentId, userId, expiresAt }: PersonalGrant,
  now: Date,
): Promise<OpenLink> {
  if (expiresAt <= now) throw refuse('This link has expired.', 'link_expired')
  const [row] = await rows(platform, findPersonal(incidentId, userId))
  if (!row) throw refuse('You are no member of the team any more, or the incident is gone.', 'link_revoked')
  if (row.is_resolved) throw refuse('This incident is resolved.', 'incident_resolved')
  const { id, name, email, tenant_id: tenantId } = row
  return { incidentId, tenantId, channel: null, recipient: email, person: { id, name, email } }
}

/** Whose contact method or address the link was sent to. */
async function personOf(
  platform: Pool,
  { channel_tenant_id, owner_user_id }: LinkRow,
  recipient: string | null,
): Promise<Person | null> {
  if (owner_user_id === null) return recipient === null ? null : personAt(platform, channel_tenant_id, recipient)
  const [found] = await rows(platform)<Person>`select id, name, email from users where id = ${owner_user_id}`
  return found ?? null
}

async function personAt(platform: Pool, tenantId: string, address: string): Promise<Person | null> {
  const [found] = await rows(platform)<Person>`
    select u.id, u.name, u.email from memberships m join users u on u.id = m.user_id and not u.is_service
    where m.tenant_id = ${tenantId} and m.disabled_at is null and lower(u.email) = lower(${address})`
  return found ?? null
}
