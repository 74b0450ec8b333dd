import { stampSql } from '#control-plane/base/stamp-sql.ts'

/** What becomes of the id of an erased person in a column. Kept: it then refers to no person. */
type OfId = 'deleted' | 'emptied' | 'kept'

/** A table with data of people. */
export interface Place {
  table: string
  /** The columns with ids of people. Why they are kept: so that what a person did stays one person's, without a name. */
  ids?: Readonly<Record<string, OfId>>
  /** The columns whose texts may have an address or a name, of which nothing is left. */
  texts?: readonly string[]
  /** Statements of an export by its parts, `$1` is the person's id; or why the person gets nothing of it. */
  exports: Readonly<Record<string, string>> | string
  /** Statements of an erasure, with the names of `ErasureValues` as parameters, before the account is deleted. */
  erases?: readonly string[]
}

/** The parameters of the statements of an erasure. */
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

export const inReach = '(:reach::uuid[] is null or tenant_id = any(:reach::uuid[]))'
const own = 'It is part of the account, of which the profile is exported.'
const secret = 'It only proves an address or a sign-in, and ends within hours.'
export const byTeam = 'It belongs to the team; the audit entries of the person are exported.'

/** Replaces address and name in texts of a team; what is left says that something stood there. */
export const replaces = (
  table: string,
  columns: readonly string[],
  by = ':mention',
  tenant = 'tenant_id',
): string[] => [
  `update ${table} set ${columns
    .map(column => `${column} = regexp_replace(${column}::text, ${by}::text, '[…]', 'gi'::text)`)
    .join(', ')}
   where ${tenant} = any(:tenants::uuid[])
     and (${columns.map(column => `${column}::text ~* ${by}::text`).join(' or ')})`,
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
      tokens: `select id, tenant_id, kind, name, scopes, is_active, ${stampSql('created_at')} as created_at,
        ${stampSql('last_used_at')} as last_used_at, host(last_used_ip) as last_used_ip,
        ${stampSql('expires_at')} as expires_at
        from tokens where user_id = $1 order by tokens.created_at desc`,
    },
    erases: [
      ...replaces('tokens', ['name'], ':any_mention'),
      `delete from idempotency_keys where created_at >= :known_since::timestamptz and tenant_id = any(:tenants::uuid[])
         or token_id in (select id from tokens where user_id = :id)`,
      'delete from tokens where impersonated_by = :id',
    ],
  },
  // replies to repeated calls are encrypted, and may name the person: those since the person is known are deleted
  { table: 'idempotency_keys', texts: ['answer'], exports: 'Encrypted replies, kept for a day.' },
  {
    table: 'invitations',
    ids: { invited_by: 'kept', accepted_by: 'kept' },
    texts: ['email'],
    exports: {
      invitations_received: `select id, tenant_id, email, role, status, ${stampSql('i.created_at')} as created_at,
        ${stampSql('i.accepted_at')} as accepted_at
        from invitations i where exists (select 1 from users u where u.id = $1 and u.email = i.email
          and (u.email_verified_at is not null or i.accepted_by = u.id)) order by i.created_at desc`,
      invitations_sent: `select id, tenant_id, role, status, ${stampSql('created_at')} as created_at from invitations
        where invited_by = $1 order by invitations.created_at desc`,
    },
    erases: [`delete from invitations where email = :email::citext and ${inReach}`],
  },
  {
    table: 'second_factors',
    ids: { user_id: 'deleted' },
    exports: {
      second_factor: `select ${stampSql('confirmed_at')} as enabled_at,
        cardinality(recovery_hashes) as recovery_codes_left from second_factors where user_id = $1`,
    },
  },
  {
    table: 'passkeys',
    ids: { user_id: 'deleted' },
    texts: ['name'],
    exports: {
      passkeys: `select id, rp_id, name, transports, is_backup_eligible, is_backed_up, aaguid,
        ${stampSql('created_at')} as created_at, ${stampSql('last_used_at')} as last_used_at
        from passkeys where user_id = $1 order by passkeys.created_at desc`,
    },
  },
  {
    table: 'email_changes',
    ids: { user_id: 'deleted' },
    texts: ['email'],
    exports: {
      email_change: `select email, ${stampSql('expires_at')} as expires_at from email_changes where user_id = $1`,
    },
  },
  {
    table: 'email_reverts',
    ids: { user_id: 'deleted' },
    texts: ['email'],
    exports: {
      email_reverts: `select email, ${stampSql('requested_at')} as requested_at, ${stampSql('expires_at')} as expires_at
        from email_reverts where user_id = $1 order by email_reverts.requested_at desc`,
    },
  },
  {
    table: 'email_verifications',
    ids: { user_id: 'deleted' },
    exports: {
      email_verification: `select ${stampSql('expires_at')} as expires_at from email_verifications where user_id = $1`,
    },
  },
  {
    table: 'passkey_challenges',
    ids: { user_id: 'deleted' },
    exports: secret,
    erases: ['delete from passkey_challenges where user_id = :id'],
  },
  { table: 'password_resets', ids: { user_id: 'deleted' }, exports: secret },
  { table: 'login_links', ids: { user_id: 'deleted' }, texts: ['email'], exports: secret },
  {
    table: 'known_networks',
    ids: { user_id: 'deleted' },
    exports: {
      known_networks: `select encode(fingerprint, 'hex') as fingerprint, ${stampSql('last_seen_at')} as last_seen_at
        from known_networks where user_id = $1 order by known_networks.last_seen_at desc`,
    },
  },
  {
    table: 'known_devices',
    ids: { user_id: 'deleted' },
    exports: {
      known_devices: `select encode(fingerprint, 'hex') as fingerprint, ${stampSql('last_seen_at')} as last_seen_at
        from known_devices where user_id = $1 order by known_devices.last_seen_at desc`,
    },
  },
  {
    table: 'trusted_devices',
    ids: { user_id: 'deleted' },
    texts: ['name'],
    exports: {
      trusted_devices: `select id, name, ${stampSql('created_at')} as created_at,
        ${stampSql('last_used_at')} as last_used_at, host(last_used_ip) as last_used_ip,
        ${stampSql('expires_at')} as expires_at
        from trusted_devices where user_id = $1 order by trusted_devices.created_at desc`,
    },
  },
  {
    table: 'sso_identities',
    ids: { user_id: 'deleted' },
    texts: ['subject'],
    exports: {
      sso_identities: `select tenant_id, issuer, subject from sso_identities where user_id = $1 order by tenant_id`,
    },
  },
  { table: 'sso_attempts', ids: { user_id: 'emptied' }, texts: ['detail'], exports: byTeam },
  { table: 'sso_configs', ids: { break_glass_user_id: 'emptied' }, exports: byTeam },
  {
    table: 'partner_sso_people',
    ids: { user_id: 'deleted' },
    exports: {
      partner_sign_ins: 'select tenant_id from partner_sso_people where user_id = $1 order by tenant_id',
    },
  },
  {
    table: 'scim_users',
    ids: { user_id: 'deleted' },
    texts: ['user_name', 'display_name', 'formatted_name', 'given_name', 'family_name'],
    exports: {
      directory_entries: `select tenant_id, user_name, external_id, display_name, formatted_name, given_name,
          family_name
        from scim_users where user_id = $1 order by tenant_id`,
    },
  },
  {
    table: 'audit_entries',
    ids: { user_id: 'kept', impersonator_id: 'kept', entity_id: 'kept' },
    texts: ['changes'],
    exports: {
      audit_entries: `select id, tenant_id, action, entity_type, entity_id, changes,
        case when user_id = $1 or impersonator_id = $1 then host(ip) end as ip, request_id,
        ${stampSql('created_at')} as created_at
        from audit_entries where user_id = $1 or impersonator_id = $1
          or (entity_type = 'user' and entity_id = $1) order by audit_entries.created_at desc`,
    },
    erases: [
      'update audit_entries set ip = null, request_id = null where user_id = :id or impersonator_id = :id',
      // an entry is never edited, only emptied
      `update audit_entries set changes = null
       where tenant_id = any(:tenants::uuid[]) and changes::text ~* :json_mention::text`,
    ],
  },
  {
    table: 'outbox',
    texts: ['payload'],
    exports: 'Events and mails under way: deleted or emptied once they are delivered.',
    erases: [
      `delete from outbox where kind = 'mail' and lower(payload -> 'recipient' ->> 'email') = lower(:email::text)
       and ${inReach}`,
      `delete from outbox where name = 'incident.acknowledged' and done_at is not null
       and tenant_id = any(:tenants::uuid[]) and payload ->> 'acknowledged_by_name' = :name::text`,
      `delete from outbox where tenant_id = any(:tenants::uuid[]) and done_at is not null
       and payload::text ~* :json_mention::text`,
    ],
  },
  {
    table: 'stream_events',
    texts: ['payload'],
    exports: 'Events of a team, kept for minutes.',
    erases: [
      `delete from stream_events where tenant_id = any(:tenants::uuid[]) and payload::text ~* :json_mention::text`,
    ],
  },
  {
    table: 'portals',
    texts: ['support_email'],
    exports: 'A setting of a team.',
    erases: [`update portals set support_email = null where lower(support_email) = lower(:email::text) and ${inReach}`],
  },
  // a server that signs in as the person is the team's to replace: the team is mailed when it fails
  {
    table: 'smtp_configs',
    texts: ['username', 'from_address', 'from_name'],
    exports: 'A setting of a team.',
    erases: [
      `update smtp_configs set from_address = nullif(lower(from_address), lower(:email::text)),
         password = case when lower(username) = lower(:email::text) then null else password end,
         username = nullif(lower(username), lower(:email::text)), updated_at = clock_timestamp()
       where lower(:email::text) in (lower(from_address), lower(username)) and ${inReach}`,
      ...replaces('smtp_configs', ['from_name']),
    ],
  },
  written('managed_teams', ['label']),
  { table: 'tenants', texts: ['name'], exports: own, erases: replaces('tenants', ['name'], ':mention', 'id') },
]

/** The statements of an export by its parts. */
export const partsOf = (places: readonly Place[]): Readonly<Record<string, string>> =>
  Object.assign({}, ...places.map(({ exports }) => (typeof exports === 'string' ? {} : exports)))
