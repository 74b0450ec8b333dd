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

const inReach = '(:reach::uuid[] is null or tenant_id = any(:reach::uuid[]))'
const own = 'It is part of the account, of which the profile is exported.'
const secret = 'It only proves an address or a sign-in, and ends within hours.'
const byTeam = 'It belongs to the team; the audit entries of the person are exported.'

/** Replaces address and name in texts of a team; what is left says that something stood there. */
const replaces = (table: string, columns: readonly string[], by = ':mention', tenant = 'tenant_id'): string[] => [
  `update ${table} set ${columns
    .map(column => `${column} = regexp_replace(${column}::text, ${by}::text, '[…]', 'gi'::text)`)
    .join(', ')}
   where ${tenant} = any(:tenants::uuid[])
     and (${columns.map(column => `${column}::text ~* ${by}::text`).join(' or ')})`,
]

/** Texts that people of a team write about anything, and so about each other. */
const written = (table: string, columns: readonly string[], more: Partial<Place> = {}): Place => ({
  table,
  texts: columns,
  exports: 'Texts of a team, which others wrote.',
  ...more,
  erases: [...replaces(table, columns), ...(more.erases ?? [])],
})

/**
 * Every table that holds data of a person: what an erasure does there, and what an export has of it. Both are made of
 * this list; a test searches all tables for a person and finds no other place.
 */
export const places: readonly Place[] = [
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
  written('scim_tokens', ['name'], { ids: { created_by: 'kept' } }),
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
  written('incidents', ['title'], {
    ids: { acknowledged_by: 'kept' },
    exports: {
      incidents_acknowledged: `select id, tenant_id, number, ${stampSql('acknowledged_at')} as acknowledged_at
        from incidents where acknowledged_by = $1 order by incidents.acknowledged_at desc`,
    },
  }),
  written('incident_updates', ['body'], {
    ids: { user_id: 'kept' },
    exports: {
      incident_updates: `select id, tenant_id, incident_id, status, body, ${stampSql('created_at')} as created_at
        from incident_updates where user_id = $1 order by incident_updates.created_at desc`,
    },
  }),
  {
    table: 'mail_recipients',
    texts: ['email'],
    exports: {
      mail_recipients: `select q.tenant_id, q.email, ${stampSql('q.confirmed_at')} as confirmed_at,
        ${stampSql('q.unsubscribed_at')} as unsubscribed_at, ${stampSql('q.refused_at')} as refused_at
        from mail_recipients q join users u on u.email = q.email and u.email_verified_at is not null
        where u.id = $1 order by q.created_at desc`,
    },
    erases: [
      `delete from mail_recipients where email = :email::citext and ${inReach}`,
      // addresses that only contact methods of the person name, which are deleted with the memberships
      `delete from mail_recipients q using notification_channels c
       where c.owner_user_id = :id and c.type = 'email' and q.tenant_id = c.tenant_id
         and c.config -> 'recipients' ? q.email::text
         and not exists (
           select 1 from notification_channels o
           where o.tenant_id = q.tenant_id and o.id <> c.id and o.type = 'email'
             and o.config -> 'recipients' ? q.email::text)`,
    ],
  },
  {
    table: 'notification_channels',
    ids: { owner_user_id: 'deleted' },
    texts: ['name', 'config'],
    exports: {
      contact_methods: `select id, tenant_id, name, type, is_enabled, ${stampSql('created_at')} as created_at,
        case when type = 'email' then config -> 'recipients' end as recipients
        from notification_channels where owner_user_id = $1 order by notification_channels.created_at desc`,
    },
    // its address is taken out of the channels of others by `leaveChannels`, which notifies the team
    erases: replaces('notification_channels', ['name']),
  },
  {
    table: 'deliveries',
    texts: ['body', 'log'],
    exports: {
      calls: `select d.id, d.tenant_id, d.event, d.status, c.name as contact_method,
        ${stampSql('d.created_at')} as created_at
        from deliveries d join notification_channels c on c.id = d.channel_id and c.owner_user_id = $1
        order by d.created_at desc`,
    },
    // who acknowledged an incident is named by its event
    erases: [
      `update deliveries set body = null
       where tenant_id = any(:tenants::uuid[]) and status in ('delivered', 'failed')
         and case when event = 'incident.acknowledged' then body::jsonb ->> 'acknowledged_by_name' = :name::text end`,
    ],
  },
  {
    table: 'escalation_notifications',
    ids: { user_id: 'emptied' },
    texts: ['user_name'],
    exports: {
      escalation_calls: `select n.tenant_id, n.run_id, n.reason from escalation_notifications n where n.user_id = $1
        order by n.created_at desc`,
    },
    erases: ['update escalation_notifications set user_name = null where user_id = :id'],
  },
  {
    table: 'escalation_targets',
    ids: { user_id: 'deleted' },
    exports: {
      escalation_targets: `select g.tenant_id, p.name as policy_name
        from escalation_targets g join escalation_steps s on s.id = g.step_id
        join escalation_policies p on p.id = s.policy_id where g.user_id = $1 order by g.tenant_id, p.name`,
    },
  },
  written('escalation_policies', ['name']),
  written('on_call_schedules', ['name'], { ids: { on_duty_user_id: 'kept' } }),
  written('on_call_rotations', ['name']),
  {
    table: 'on_call_rotation_users',
    ids: { user_id: 'deleted' },
    exports: {
      on_call_rotations: `select u.tenant_id, r.id, r.name, u.position from on_call_rotation_users u
        join on_call_rotations r on r.id = u.rotation_id where u.user_id = $1 order by u.tenant_id, r.name`,
    },
  },
  {
    table: 'on_call_rotation_versions',
    ids: { users: 'kept' },
    exports: {
      on_call_duties: `select v.tenant_id, v.rotation_id, ${stampSql('v.from_at')} as from_at, v.handoff, v.timezone
        from on_call_rotation_versions v where $1 = any(v.users) order by v.rotation_id, v.number desc`,
    },
  },
  written('on_call_overrides', ['reason'], {
    ids: { user_id: 'kept', replaces_user_id: 'kept', created_by: 'kept' },
    exports: {
      on_call_overrides: `select id, tenant_id, schedule_id, ${stampSql('starts_at')} as starts_at,
        ${stampSql('ends_at')} as ends_at, user_id = $1 as is_on_duty, replaces_user_id = $1 as is_replaced, reason
        from on_call_overrides where $1 in (user_id, replaces_user_id, created_by)
        order by on_call_overrides.starts_at desc`,
    },
  }),
  {
    table: 'on_call_calendars',
    ids: { user_id: 'deleted' },
    exports: { on_call_calendars: 'select tenant_id from on_call_calendars where user_id = $1 order by tenant_id' },
  },
  written('checks', ['snooze_reason'], {
    ids: { snoozed_by: 'kept' },
    exports: {
      checks_snoozed: `select id, tenant_id, ${stampSql('snoozed_until')} as snoozed_until, snooze_reason from checks
        where snoozed_by = $1`,
    },
  }),
  written('status_page_posts', ['title', 'postmortem'], {
    ids: { created_by: 'kept' },
    exports: {
      status_page_posts: `select id, tenant_id, page_id, title, phase, postmortem,
        ${stampSql('created_at')} as created_at
        from status_page_posts where created_by = $1 order by status_page_posts.created_at desc`,
    },
  }),
  written('status_page_updates', ['title', 'body'], {
    ids: { created_by: 'kept' },
    exports: {
      status_page_updates: `select id, tenant_id, post_id, phase, title, body,
        ${stampSql('created_at')} as created_at
        from status_page_updates where created_by = $1 order by status_page_updates.created_at desc`,
    },
  }),
  {
    table: 'status_page_subscribers',
    texts: ['address'],
    exports: 'Subscriptions are by address, without an account: their mails have a link to see and end them.',
    erases: [
      `delete from status_page_subscribers where channel = 'email' and ${inReach}
       and address_hash in (select decode(h, 'hex') from unnest(:hashes::text[]) h)`,
    ],
  },
  {
    table: 'monthly_report_mails',
    ids: { user_id: 'deleted' },
    exports: {
      monthly_reports_mailed: `select tenant_id, month from monthly_report_mails where user_id = $1
        order by month desc, tenant_id`,
    },
  },
  { table: 'agent_enrolments', ids: { created_by: 'kept' }, exports: byTeam },
  written('provider_migrations', ['name', 'account'], { ids: { asked_by: 'kept' } }),
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
    table: 'mail_sink_messages',
    texts: ['recipients', 'subject', 'body', 'html'],
    exports: 'The mails themselves were sent to the person, or wait for the operator for some days.',
    erases: [
      `delete from mail_sink_messages
       where exists (select 1 from unnest(recipients) r where lower(r) = lower(:email::text))
       and ${inReach}`,
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
  // texts and names that people of a team write
  written('monitors', ['name', 'group_name', 'notes']),
  written('maintenance_windows', ['title', 'description']),
  written('monitor_templates', ['name']),
  written('status_pages', ['name', 'description']),
  written('status_page_groups', ['name']),
  written('status_page_components', ['name', 'description']),
  written('status_page_update_templates', ['name', 'title', 'body']),
  written('managed_teams', ['label']),
  { table: 'tenants', texts: ['name'], exports: own, erases: replaces('tenants', ['name'], ':mention', 'id') },
]

/** The statements of an export by its parts. */
export const exportParts: Readonly<Record<string, string>> = Object.assign(
  {},
  ...places.map(({ exports }) => (typeof exports === 'string' ? {} : exports)),
)
