import { type RawBuilder, sql } from 'kysely'
import { stamp } from '#control-plane/db/queries.ts'

/** What becomes of the id of an erased person in a column. Kept: it then refers to no person. */
type OfId = 'deleted' | 'emptied' | 'kept'

/** A table with data of people. */
export interface Place {
  table: string
  /** The columns with ids of people. Why they are kept: so that what a person did stays one person's, without a name. */
  ids?: Readonly<Record<string, OfId>>
  /** The columns whose texts may have an address or a name, of which nothing is left. */
  texts?: readonly string[]
  /** Statements of an export by its parts, of the person with this id; or why the person gets nothing of it. */
  exports: Readonly<Record<string, Export>> | string
  /** Statements of an erasure, before the account is deleted. */
  erases?: readonly Erase[]
}

type Export = (id: string) => RawBuilder<Record<string, unknown>>
export type Erase = (it: ErasureValues) => RawBuilder<unknown>

/** The values of the statements of an erasure. */
export interface ErasureValues {
  id: string
  email: string
  name: string
  /** The teams of the person and their resellers. */
  tenants: string[]
  /** Where an address means this person: null is everywhere, as it is proven. */
  reach: string[] | null
  /** Hashes of the address, in hexadecimal. */
  hashes: string[]
  known_since: string
  /** A regular expression of the address and the full name. */
  mention: string
  /** As `mention`, also of a name of one word. */
  any_mention: string
  /** As `mention`, in JSON; a name of one word where it is the whole of a text. */
  json_mention: string
}

export const inReach = ({ reach }: ErasureValues) =>
  sql`(${reach}::uuid[] is null or tenant_id = any(${reach}::uuid[]))`
const own = 'It is part of the account, of which the profile is exported.'
const secret = 'It only proves an address or a sign-in, and ends within hours.'
export const byTeam = 'It belongs to the team; the audit entries of the person are exported.'

/** In place of an address or a name. No part of a template, which the bundle cannot keep in ASCII. */
const removed = '[…]'

/** Replaces address and name in texts of a team; what is left says that something stood there. */
export const replaces = (
  table: string,
  columns: readonly string[],
  by: 'mention' | 'any_mention' = 'mention',
  tenant = 'tenant_id',
): Erase[] => [
  it => sql`
    update ${sql.table(table)} set ${sql.join(
      columns.map(
        name =>
          sql`${sql.ref(name)} = regexp_replace(${sql.ref(name)}::text, ${it[by]}::text, ${removed}::text, 'gi'::text)`,
      ),
    )}
    where ${sql.ref(tenant)} = any(${it.tenants}::uuid[])
      and (${sql.join(
        columns.map(name => sql`${sql.ref(name)}::text ~* ${it[by]}::text`),
        sql` or `,
      )})`,
]

/** Texts that people of a team write about anything, and so about each other. */
export const written = (table: string, columns: readonly string[], more: Partial<Place> = {}): Place => ({
  table,
  texts: columns,
  exports: 'Texts of a team, which others wrote.',
  ...more,
  erases: [...replaces(table, columns), ...(more.erases ?? [])],
})

/** The places of this module and of those below. Modules above have theirs; control-plane/person-data.ts has all. */
export const ownPlaces: readonly Place[] = [
  { table: 'users', ids: { id: 'deleted' }, texts: ['name', 'email'], exports: own },
  { table: 'memberships', ids: { user_id: 'deleted', invited_by: 'kept' }, exports: own },
  {
    table: 'tokens',
    ids: { user_id: 'deleted', created_by: 'kept', impersonated_by: 'deleted' },
    texts: ['name'],
    exports: {
      tokens: id => sql`select id, tenant_id, kind, name, scopes, is_active, ${stamp('created_at')} as created_at,
        ${stamp('last_used_at')} as last_used_at, host(last_used_ip) as last_used_ip,
        ${stamp('expires_at')} as expires_at
        from tokens where user_id = ${id}::uuid order by tokens.created_at desc`,
    },
    erases: [
      ...replaces('tokens', ['name'], 'any_mention'),
      it => sql`delete from idempotency_keys where created_at >= ${it.known_since}::timestamptz
        and tenant_id = any(${it.tenants}::uuid[])
         or token_id in (select id from tokens where user_id = ${it.id}::uuid)`,
      it => sql`delete from tokens where impersonated_by = ${it.id}::uuid`,
    ],
  },
  // replies to repeated calls are encrypted, and may name the person: those since the person is known are deleted
  { table: 'idempotency_keys', texts: ['answer'], exports: 'Encrypted replies, kept for a day.' },
  {
    table: 'invitations',
    ids: { invited_by: 'kept', accepted_by: 'kept' },
    texts: ['email'],
    exports: {
      invitations_received: id => sql`select id, tenant_id, email, role, status, ${stamp('i.created_at')} as created_at,
        ${stamp('i.accepted_at')} as accepted_at
        from invitations i where exists (select 1 from users u where u.id = ${id}::uuid and u.email = i.email
          and (u.email_verified_at is not null or i.accepted_by = u.id)) order by i.created_at desc`,
      invitations_sent:
        id => sql`select id, tenant_id, role, status, ${stamp('created_at')} as created_at from invitations
        where invited_by = ${id}::uuid order by invitations.created_at desc`,
    },
    erases: [it => sql`delete from invitations where email = ${it.email}::citext and ${inReach(it)}`],
  },
  {
    table: 'second_factors',
    ids: { user_id: 'deleted' },
    exports: {
      second_factor: id => sql`select ${stamp('confirmed_at')} as enabled_at,
        cardinality(recovery_hashes) as recovery_codes_left from second_factors where user_id = ${id}::uuid`,
    },
  },
  {
    table: 'passkeys',
    ids: { user_id: 'deleted' },
    texts: ['name'],
    exports: {
      passkeys: id => sql`select id, rp_id, name, transports, is_backup_eligible, is_backed_up, aaguid,
        ${stamp('created_at')} as created_at, ${stamp('last_used_at')} as last_used_at
        from passkeys where user_id = ${id}::uuid order by passkeys.created_at desc`,
    },
  },
  {
    table: 'email_changes',
    ids: { user_id: 'deleted' },
    texts: ['email'],
    exports: {
      email_change: id =>
        sql`select email, ${stamp('expires_at')} as expires_at from email_changes where user_id = ${id}::uuid`,
    },
  },
  {
    table: 'email_reverts',
    ids: { user_id: 'deleted' },
    texts: ['email'],
    exports: {
      email_reverts:
        id => sql`select email, ${stamp('requested_at')} as requested_at, ${stamp('expires_at')} as expires_at
        from email_reverts where user_id = ${id}::uuid order by email_reverts.requested_at desc`,
    },
  },
  {
    table: 'email_verifications',
    ids: { user_id: 'deleted' },
    exports: {
      email_verification: id =>
        sql`select ${stamp('expires_at')} as expires_at from email_verifications where user_id = ${id}::uuid`,
    },
  },
  {
    table: 'passkey_challenges',
    ids: { user_id: 'deleted' },
    exports: secret,
    erases: [it => sql`delete from passkey_challenges where user_id = ${it.id}::uuid`],
  },
  { table: 'password_resets', ids: { user_id: 'deleted' }, exports: secret },
  { table: 'login_links', ids: { user_id: 'deleted' }, texts: ['email'], exports: secret },
  {
    table: 'known_networks',
    ids: { user_id: 'deleted' },
    exports: {
      known_networks:
        id => sql`select encode(fingerprint, 'hex') as fingerprint, ${stamp('last_seen_at')} as last_seen_at
        from known_networks where user_id = ${id}::uuid order by known_networks.last_seen_at desc`,
    },
  },
  {
    table: 'known_devices',
    ids: { user_id: 'deleted' },
    exports: {
      known_devices:
        id => sql`select encode(fingerprint, 'hex') as fingerprint, ${stamp('last_seen_at')} as last_seen_at
        from known_devices where user_id = ${id}::uuid order by known_devices.last_seen_at desc`,
    },
  },
  {
    table: 'trusted_devices',
    ids: { user_id: 'deleted' },
    texts: ['name'],
    exports: {
      trusted_devices: id => sql`select id, name, ${stamp('created_at')} as created_at,
        ${stamp('last_used_at')} as last_used_at, host(last_used_ip) as last_used_ip,
        ${stamp('expires_at')} as expires_at
        from trusted_devices where user_id = ${id}::uuid order by trusted_devices.created_at desc`,
    },
  },
  {
    table: 'sso_identities',
    ids: { user_id: 'deleted' },
    texts: ['subject'],
    exports: {
      sso_identities: id =>
        sql`select tenant_id, issuer, subject from sso_identities where user_id = ${id}::uuid order by tenant_id`,
    },
  },
  { table: 'sso_attempts', ids: { user_id: 'emptied' }, texts: ['detail'], exports: byTeam },
  { table: 'sso_configs', ids: { break_glass_user_id: 'emptied' }, exports: byTeam },
  {
    table: 'partner_sso_people',
    ids: { user_id: 'deleted' },
    exports: {
      partner_sign_ins: id =>
        sql`select tenant_id from partner_sso_people where user_id = ${id}::uuid order by tenant_id`,
    },
  },
  {
    table: 'scim_users',
    ids: { user_id: 'deleted' },
    texts: ['user_name', 'display_name', 'formatted_name', 'given_name', 'family_name'],
    exports: {
      directory_entries: id => sql`select tenant_id, user_name, external_id, display_name, formatted_name, given_name,
          family_name
        from scim_users where user_id = ${id}::uuid order by tenant_id`,
    },
  },
  {
    table: 'audit_entries',
    ids: { user_id: 'kept', impersonator_id: 'kept', entity_id: 'kept' },
    texts: ['changes'],
    exports: {
      audit_entries: id => sql`select id, tenant_id, action, entity_type, entity_id, changes,
        case when user_id = ${id}::uuid or impersonator_id = ${id}::uuid then host(ip) end as ip, request_id,
        ${stamp('created_at')} as created_at
        from audit_entries where user_id = ${id}::uuid or impersonator_id = ${id}::uuid
          or (entity_type = 'user' and entity_id = ${id}::uuid) order by audit_entries.created_at desc`,
    },
    erases: [
      it =>
        sql`update audit_entries set ip = null, request_id = null where user_id = ${it.id}::uuid
          or impersonator_id = ${it.id}::uuid`,
      // an entry is never edited, only emptied
      it => sql`update audit_entries set changes = null
       where tenant_id = any(${it.tenants}::uuid[]) and changes::text ~* ${it.json_mention}::text`,
    ],
  },
  {
    table: 'outbox',
    texts: ['payload'],
    exports: 'Events and mails under way: deleted or emptied once they are delivered.',
    erases: [
      it => sql`delete from outbox where kind = 'mail'
        and lower(payload -> 'recipient' ->> 'email') = lower(${it.email}::text)
       and ${inReach(it)}`,
      it => sql`delete from outbox where name = 'incident.acknowledged' and done_at is not null
       and tenant_id = any(${it.tenants}::uuid[]) and payload ->> 'acknowledged_by_name' = ${it.name}::text`,
      it => sql`delete from outbox where tenant_id = any(${it.tenants}::uuid[]) and done_at is not null
       and payload::text ~* ${it.json_mention}::text`,
    ],
  },
  {
    table: 'stream_events',
    texts: ['payload'],
    exports: 'Events of a team, kept for minutes.',
    erases: [
      it =>
        sql`delete from stream_events where tenant_id = any(${it.tenants}::uuid[])
          and payload::text ~* ${it.json_mention}::text`,
    ],
  },
  {
    table: 'portals',
    texts: ['support_email'],
    exports: 'A setting of a team.',
    erases: [
      it =>
        sql`update portals set support_email = null where lower(support_email) = lower(${it.email}::text)
          and ${inReach(it)}`,
    ],
  },
  // a server that signs in as the person is the team's to replace: the team is mailed when it fails
  {
    table: 'smtp_configs',
    texts: ['username', 'from_address', 'from_name'],
    exports: 'A setting of a team.',
    erases: [
      it => sql`update smtp_configs set from_address = nullif(lower(from_address), lower(${it.email}::text)),
         password = case when lower(username) = lower(${it.email}::text) then null else password end,
         username = nullif(lower(username), lower(${it.email}::text)), updated_at = clock_timestamp()
       where lower(${it.email}::text) in (lower(from_address), lower(username)) and ${inReach(it)}`,
      ...replaces('smtp_configs', ['from_name']),
    ],
  },
  written('managed_teams', ['label']),
  { table: 'tenants', texts: ['name'], exports: own, erases: replaces('tenants', ['name'], 'mention', 'id') },
]

/** The statements of an export by its parts. */
export const partsOf = (places: readonly Place[]): Readonly<Record<string, Export>> =>
  Object.assign({}, ...places.map(({ exports }) => (typeof exports === 'string' ? {} : exports)))
