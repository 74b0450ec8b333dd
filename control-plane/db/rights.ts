import { defaultRoles } from './roles.ts'

type Right = 'select' | 'insert' | 'update' | 'delete' | { insert: readonly string[] } | { update: readonly string[] }

interface Policy {
  name: string
  command?: 'select' | 'insert' | 'delete'
  using?: string
  check?: string
}

interface TableRights {
  /** The owner, which alone writes the table. Modules above read it; `conventions/imports.test.ts` counts the others. */
  module: string
  /**
   * Which rows the role of the API reaches: those of the tenant, the reseller or the user that the request acts for,
   * all of them, or none.
   */
  scope: 'tenant' | 'tenant, to read' | 'reseller' | 'user' | 'shared' | 'none'
  app: readonly Right[]
  /** The role of jobs and of the engine; everything, where not said otherwise. It reaches all rows. */
  platform?: readonly Right[]
  /** What the owner's functions (triggers that run as the owner) do with rows. Row security binds the owner too. */
  owner?: 'all' | 'select'
  /** Policies of the API's role beyond the scope. */
  policies?: readonly Policy[]
}

const isColleague = (user: string) =>
  `exists (select 1 from memberships m where m.user_id = ${user} and m.tenant_id = (select current_tenant()))`
const ofReseller = (table: string) =>
  'tenant_id = (select current_reseller()) or exists\n  ' +
  `(select 1 from managed_teams t where t.tenant_id = ${table}.tenant_id ` +
  'and t.reseller_id = (select current_reseller()))'

/**
 * Which role may do what with which rows of which table. Grants and policies are generated from it, again for each
 * table whose line changed. A statement injected into a request cannot write columns that are not listed: it cannot
 * make a user super admin, a tenant a reseller or a token another kind, nor set a password.
 */
export const rights = {
  liveness: { module: 'engine', scope: 'none', app: [] },
  epochs: { module: 'engine', scope: 'none', app: [], platform: ['select', 'insert', 'update'] },
  ingest_owners: { module: 'engine', scope: 'none', app: [], platform: ['select', 'insert', 'update', 'delete'] },
  ingest_members: { module: 'engine', scope: 'none', app: [] },
  process_reports: { module: 'platform', scope: 'none', app: [] },
  setup_links: { module: 'platform', scope: 'none', app: [] },
  backups: { module: 'platform', scope: 'none', app: [], platform: ['select', 'insert', 'delete'] },
  restore_marks: { module: 'platform', scope: 'none', app: [], platform: ['select', 'insert', 'delete'] },
  quarantined_rows: { module: 'base', scope: 'none', app: [], owner: 'all' },
  tenants: {
    module: 'tenancy',
    scope: 'none',
    app: ['select', 'insert', { update: ['name', 'updated_at', 'webhook_secret'] }],
    owner: 'all',
    policies: [
      { name: 'founded', command: 'insert', check: '(select current_reseller()) is not null and not is_reseller' },
      {
        name: 'managed_tenants',
        using:
          'exists (select 1 from managed_teams t ' +
          'where t.tenant_id = tenants.id and t.reseller_id = (select current_reseller()))',
      },
      {
        name: 'own_tenant',
        using: 'id = (select current_tenant()) or id = (select current_reseller())',
        check: 'id = (select current_tenant())',
      },
    ],
  },
  tenant_counts: {
    module: 'tenancy',
    scope: 'none',
    app: ['select'],
    owner: 'all',
    policies: [
      {
        name: 'own_counts',
        command: 'select',
        using: 'tenant_id = (select current_tenant()) or reseller_id = (select current_reseller())',
      },
    ],
  },
  count_deltas: { module: 'tenancy', scope: 'none', app: [], owner: 'all' },
  brandings: {
    module: 'tenancy',
    scope: 'tenant',
    app: [
      'select',
      'insert',
      {
        update: [
          'brand_name',
          'alert_prefix',
          'logo_url',
          'logo_url_dark',
          'symbol_url',
          'favicon_url',
          'footer_url',
          'privacy_url',
          'imprint_url',
          'upgrade_url',
          'support_url',
          'primary_color',
          'secondary_color',
          'footer_text',
          'hide_powered_by',
          'notification_from_name',
          'upsell_mode',
          'upsell_cta',
          'plan_labels',
          'upsell_offers',
          'upsell_threshold',
          'updated_at',
        ],
      },
    ],
  },
  security_policies: {
    module: 'identity',
    scope: 'tenant',
    app: ['select', 'insert', { update: ['mfa_required_at', 'mfa_grace_days', 'updated_at'] }],
  },
  quota_notices: { module: 'tenancy', scope: 'tenant', app: ['select', 'insert', { update: ['notified_at'] }] },
  usage_counters: { module: 'http', scope: 'tenant, to read', app: ['select'] },
  users: {
    module: 'tenancy',
    scope: 'none',
    app: [
      'select',
      'insert',
      {
        update: [
          'name',
          'language',
          'updated_at',
          'timezone',
          'digest',
          'digest_at',
          'monthly_report',
          'monthly_report_at',
          'handover_mails',
          'preferences',
          'chose_locale',
        ],
      },
    ],
    owner: 'all',
    policies: [
      { name: 'known_people', using: `id = (select current_user_id()) or ${isColleague('users.id')}` },
      { name: 'new_people', command: 'insert', check: 'not is_super_admin and email_verified_at is null' },
    ],
  },
  second_factors: {
    module: 'identity',
    scope: 'user',
    app: ['select', 'insert', 'delete', { update: ['secret', 'last_step', 'recovery_hashes', 'confirmed_at'] }],
    policies: [
      { name: 'team_mates_delete', command: 'delete', using: isColleague('second_factors.user_id') },
      { name: 'team_mates_select', command: 'select', using: isColleague('second_factors.user_id') },
    ],
  },
  passkeys: {
    module: 'identity',
    scope: 'user',
    app: ['select', 'insert', 'delete', { update: ['name', 'updated_at'] }],
    policies: [
      { name: 'team_mates_delete', command: 'delete', using: isColleague('passkeys.user_id') },
      { name: 'team_mates_select', command: 'select', using: isColleague('passkeys.user_id') },
    ],
  },
  passkey_challenges: { module: 'identity', scope: 'none', app: [] },
  trusted_devices: { module: 'identity', scope: 'user', app: ['select', 'delete'], owner: 'all' },
  known_devices: { module: 'identity', scope: 'none', app: [] },
  known_networks: { module: 'identity', scope: 'none', app: [] },
  guesses: { module: 'identity', scope: 'none', app: [] },
  password_resets: { module: 'identity', scope: 'none', app: [] },
  login_links: { module: 'identity', scope: 'none', app: [] },
  email_changes: {
    module: 'identity',
    scope: 'user',
    app: ['select', 'insert', 'delete', { update: ['email', 'token_hash', 'expires_at', 'requested_at'] }],
  },
  email_reverts: {
    module: 'identity',
    scope: 'none',
    app: ['insert'],
    policies: [{ name: 'own', command: 'insert', check: 'user_id = (select current_user_id())' }],
  },
  email_verifications: {
    module: 'identity',
    scope: 'none',
    app: ['insert'],
    policies: [{ name: 'new_people', command: 'insert', check: isColleague('email_verifications.user_id') }],
  },
  partner_sso: {
    module: 'identity',
    scope: 'tenant',
    app: [
      'select',
      'insert',
      'delete',
      {
        update: [
          'is_enabled',
          'secret',
          'hide_password_login',
          'auto_register',
          'auto_link_existing_users',
          'updated_at',
        ],
      },
    ],
  },
  partner_sso_uses: { module: 'identity', scope: 'none', app: [] },
  partner_sso_people: { module: 'identity', scope: 'tenant', app: ['select', 'delete'] },
  memberships: {
    module: 'tenancy',
    scope: 'tenant',
    app: ['select', 'insert', 'delete', { update: ['role', 'disabled_at', 'updated_at'] }],
    owner: 'all',
  },
  tokens: {
    module: 'identity',
    scope: 'tenant',
    app: ['select', 'insert', 'delete', { update: ['name', 'is_active', 'expires_at', 'rotated_at', 'updated_at'] }],
    owner: 'all',
    policies: [
      { name: 'own_delete', command: 'delete', using: `user_id = (select current_user_id()) and kind in ('ss', 'sk')` },
      { name: 'own_select', command: 'select', using: `user_id = (select current_user_id()) and kind in ('ss', 'sk')` },
    ],
  },
  invitations: {
    module: 'identity',
    scope: 'tenant',
    app: [
      'select',
      'insert',
      { update: ['status', 'token_hash', 'expires_at', 'resent_count', 'resent_at', 'updated_at', 'mail_hash'] },
    ],
  },
  scim_tokens: { module: 'access', scope: 'tenant', app: ['select', 'insert', 'delete'] },
  scim_users: {
    module: 'identity',
    scope: 'tenant',
    app: [
      'select',
      'insert',
      {
        update: [
          'user_name',
          'external_id',
          'display_name',
          'formatted_name',
          'given_name',
          'family_name',
          'updated_at',
        ],
      },
    ],
  },
  identity_changes: { module: 'http', scope: 'none', app: [], platform: ['select', 'delete'], owner: 'all' },
  stream_events: { module: 'outbox', scope: 'none', app: [], platform: ['select', 'delete'], owner: 'all' },
  outbox: {
    module: 'outbox',
    scope: 'tenant',
    app: ['select', 'insert'],
    policies: [{ name: 'by_reseller', command: 'insert', check: ofReseller('outbox') }],
  },
  audit_entries: {
    module: 'outbox',
    scope: 'tenant',
    app: ['select', 'insert'],
    platform: ['select', 'insert', { update: ['changes', 'ip', 'request_id'] }],
    owner: 'select',
    policies: [{ name: 'by_reseller', command: 'insert', check: ofReseller('audit_entries') }],
  },
  audit_heads: { module: 'outbox', scope: 'none', app: [], platform: ['select'], owner: 'all' },
  audit_links: { module: 'outbox', scope: 'none', app: [], platform: ['select'], owner: 'all' },
  idempotency_keys: {
    module: 'http',
    scope: 'tenant',
    app: ['select', 'insert', { update: ['fingerprint', 'status', 'answer', 'created_at'] }],
  },
  rate_windows: { module: 'http', scope: 'none', app: [] },
  monitors: {
    module: 'engine',
    scope: 'tenant',
    app: [
      'select',
      'insert',
      'delete',
      {
        update: [
          'name',
          'url',
          'type',
          'tags',
          'group_name',
          'notes',
          'is_enabled',
          'held_by_plan',
          'check_interval',
          'timeout',
          'regions',
          'region_policy',
          'confirmations',
          'recovery_confirmations',
          'depends_on',
          'external_ref',
          'metadata',
          'slo',
          'updated_at',
          'switched_at',
          'is_kept',
          'is_shadow',
          'escalation_policy_id',
        ],
      },
    ],
    owner: 'all',
  },
  checks: {
    module: 'engine',
    scope: 'tenant',
    app: [
      'select',
      'insert',
      'delete',
      {
        update: [
          'is_enabled',
          'settings',
          'interval',
          'severity',
          'snoozed_until',
          'snoozed_by',
          'snooze_reason',
          'updated_at',
          'secrets',
          'keeps_former_default',
        ],
      },
    ],
    owner: 'all',
  },
  incidents: {
    module: 'engine',
    scope: 'tenant',
    app: [
      'select',
      'insert',
      {
        update: [
          'title',
          'severity',
          'status',
          'visibility',
          'resolved_at',
          'resolution',
          'acknowledged_at',
          'acknowledged_by',
          'snoozed_until',
          'archived_at',
          'updated_at',
          'notified_at',
        ],
      },
    ],
    owner: 'all',
  },
  incident_numbers: { module: 'engine', scope: 'tenant', app: ['select', 'insert'] },
  incident_updates: { module: 'monitoring', scope: 'tenant', app: ['select', 'insert'] },
  heartbeats: { module: 'passive', scope: 'tenant', app: ['select', 'insert'], owner: 'all' },
  ping_addresses: { module: 'passive', scope: 'tenant', app: ['select', 'insert', 'delete', { update: ['ends_at'] }] },
  ping_aliases: { module: 'passive', scope: 'tenant', app: ['select', 'insert', 'delete'] },
  pings: { module: 'passive', scope: 'tenant', app: ['select'] },
  ingestion_gaps: { module: 'passive', scope: 'none', app: [] },
  agent_monitors: { module: 'passive', scope: 'tenant', app: ['select', 'insert', 'delete'] },
  waiting_server_samples: { module: 'passive', scope: 'none', app: [], platform: ['select', 'insert', 'delete'] },
  agent_tokens: { module: 'passive', scope: 'tenant', app: ['select', 'insert', 'delete', { update: ['expires_at'] }] },
  geo_audits: { module: 'monitoring', scope: 'tenant', app: ['select', 'insert', 'delete'] },
  provider_migrations: {
    module: 'importing',
    scope: 'tenant',
    app: [
      'select',
      'insert',
      {
        update: [
          'state',
          'failed_in',
          'failure',
          'base_url',
          'credentials',
          'credentials_expire_at',
          'has_file',
          'phase',
          'done',
          'total',
          'counts',
          'asked_by',
          'shadow_at',
          'cutover_at',
          'rollback_until',
          'pauses_source',
          'updated_at',
        ],
      },
    ],
  },
  migration_files: { module: 'importing', scope: 'tenant', app: ['select', 'insert', 'delete'] },
  migration_items: {
    module: 'importing',
    scope: 'tenant',
    app: [
      'select',
      { update: ['state', 'failure', 'monitor_id', 'status_page_id', 'keeps_ping_address', 'stand_ins'] },
    ],
  },
  imported_monitors: {
    module: 'importing',
    scope: 'tenant',
    app: ['select', 'insert', { update: ['migration_id', 'fingerprint', 'is_created'] }],
  },
  imported_histories: { module: 'monitoring', scope: 'tenant', app: ['select'] },
  removed_monitors: { module: 'engine', scope: 'tenant', app: ['select', 'insert'] },
  migration_divergences: { module: 'importing', scope: 'tenant', app: ['select'] },
  vitals_beacons: {
    module: 'passive',
    scope: 'tenant',
    app: ['select', 'insert', 'delete', { update: ['beacon_id', 'updated_at'] }],
  },
  maintenance_windows: {
    module: 'engine',
    scope: 'tenant',
    app: [
      'select',
      'insert',
      'delete',
      {
        update: [
          'title',
          'description',
          'monitor_ids',
          'tags',
          'is_all',
          'starts_at',
          'timezone',
          'duration_minutes',
          'rrule',
          'until',
          'mode',
          'exclude_from_uptime',
          'state',
          'next_starts_at',
          'next_ends_at',
          'actual_started_at',
          'actual_ended_at',
          'last_planned_at',
          'exceptions',
          'notify_on_create',
          'notify_before_minutes',
          'notify_on_start',
          'notify_on_end',
          'status_page_ids',
          'updated_at',
        ],
      },
    ],
    owner: 'all',
  },
  maintenance_occurrences: { module: 'monitoring', scope: 'none', app: [], owner: 'all' },
  maintenance_spans: { module: 'engine', scope: 'tenant', app: ['select'], owner: 'all' },
  maintenance_notices: { module: 'monitoring', scope: 'none', app: [], owner: 'all' },
  maintenance_calendars: {
    module: 'monitoring',
    scope: 'tenant',
    app: ['select', 'insert', 'delete', { update: ['token_hash', 'created_at'] }],
  },
  status_page_subscribers: {
    module: 'publishing',
    scope: 'tenant',
    app: ['select', 'insert', 'delete', { update: ['asked_at', 'updated_at'] }],
  },
  subscriber_mailings: { module: 'publishing', scope: 'none', app: [] },
  slo_states: {
    module: 'monitoring',
    scope: 'tenant',
    app: ['select', 'insert', 'delete', { update: ['state', 'examine_at'] }],
  },
  slo_spans: {
    module: 'monitoring',
    scope: 'tenant',
    app: ['select', 'insert', { update: ['ended_at'] }],
    owner: 'all',
  },
  subscriber_messages: { module: 'publishing', scope: 'tenant', app: ['select', 'insert'] },
  custom_domains: {
    module: 'publishing',
    scope: 'tenant',
    app: [
      'select',
      'insert',
      'delete',
      {
        update: ['target_id', 'state', 'state_changed_at', 'attempts', 'last_error', 'next_check_at', 'updated_at'],
      },
    ],
  },
  portals: {
    module: 'tenancy',
    scope: 'tenant',
    app: [
      'select',
      'insert',
      {
        update: [
          'slug',
          'is_enabled',
          'support_email',
          'sign_up_enabled',
          'sign_up_plan',
          'sign_up_profile_id',
          'sign_up_domains',
          'updated_at',
        ],
      },
    ],
  },
  sign_ups: { module: 'reselling', scope: 'none', app: [] },
  used_challenges: { module: 'identity', scope: 'none', app: [] },
  sso_configs: {
    module: 'identity',
    scope: 'tenant',
    app: [
      'select',
      'insert',
      'delete',
      {
        update: [
          'issuer',
          'client_id',
          'client_secret',
          'scopes',
          'groups_claim',
          'role_map',
          'default_role',
          'is_jit',
          'is_enabled',
          'is_enforced',
          'break_glass_user_id',
          'protocol',
          'sign_in_url',
          'certificates',
          'email_attribute',
          'updated_at',
        ],
      },
    ],
  },
  sso_domains: { module: 'identity', scope: 'tenant', app: ['select', 'insert', 'delete'] },
  sso_identities: { module: 'identity', scope: 'tenant', app: ['select', 'delete'] },
  sso_logins: { module: 'identity', scope: 'none', app: [] },
  sso_logout_tokens: { module: 'identity', scope: 'none', app: [] },
  sso_attempts: { module: 'identity', scope: 'tenant', app: ['select'] },
  regions: { module: 'engine', scope: 'shared', app: ['select'] },
  agents: { module: 'engine', scope: 'shared', app: ['select'] },
  agent_enrolments: { module: 'engine', scope: 'none', app: [] },
  votes: { module: 'engine', scope: 'tenant', app: ['select'] },
  verdict_changes: { module: 'engine', scope: 'tenant', app: ['select', 'insert'], owner: 'all' },
  monitor_changes: { module: 'engine', scope: 'tenant', app: ['select'], owner: 'all' },
  check_regions: { module: 'engine', scope: 'tenant', app: ['select'], owner: 'all' },
  region_gaps: { module: 'engine', scope: 'shared', app: ['select'] },
  monitoring_gaps: { module: 'engine', scope: 'shared', app: ['select'] },
  history_waits: { module: 'engine', scope: 'shared', app: ['select'] },
  region_eligibilities: {
    module: 'engine',
    scope: 'shared',
    app: ['select'],
    platform: ['select', 'insert', 'delete'],
  },
  check_warnings: { module: 'engine', scope: 'tenant', app: ['select', 'delete', { update: ['notified_depth'] }] },
  check_snapshots: { module: 'engine', scope: 'tenant', app: ['select'] },
  check_changes: { module: 'engine', scope: 'tenant', app: ['select'] },
  pushed_reports: { module: 'engine', scope: 'none', app: [] },
  crawl_runs: {
    module: 'engine',
    scope: 'tenant',
    app: ['select', 'insert', { update: ['state', 'reason', 'finished_at'] }],
  },
  crawl_pages: { module: 'engine', scope: 'tenant', app: ['select'] },
  notification_channels: {
    module: 'alerting',
    scope: 'tenant',
    app: [
      'select',
      'insert',
      'delete',
      { update: ['name', 'config', 'secrets', 'is_enabled', 'updated_at', 'position', 'verified_at'] },
    ],
    owner: 'all',
  },
  notification_rules: {
    module: 'alerting',
    scope: 'tenant',
    app: [
      'select',
      'insert',
      'delete',
      { update: ['channel_id', 'event_types', 'monitor_filter', 'tenant_filter', 'updated_at'] },
    ],
  },
  on_call_schedules: {
    module: 'alerting',
    scope: 'tenant',
    app: ['select', 'insert', 'delete', { update: ['name', 'timezone', 'updated_at', 'watch_at'] }],
    owner: 'all',
  },
  on_call_rotations: {
    module: 'alerting',
    scope: 'tenant',
    owner: 'select',
    app: [
      'select',
      'insert',
      'delete',
      {
        update: [
          'position',
          'name',
          'handoff',
          'shift_minutes',
          'first_handoff_at',
          'restrictions',
          'starts_at',
          'ends_at',
          'updated_at',
        ],
      },
    ],
  },
  on_call_rotation_users: { module: 'alerting', scope: 'tenant', app: ['select', 'insert', 'delete'] },
  on_call_rotation_versions: {
    module: 'alerting',
    scope: 'tenant',
    app: ['select', 'insert', 'delete'],
    owner: 'select',
  },
  on_call_overrides: {
    module: 'alerting',
    scope: 'tenant',
    app: ['select', 'insert', 'delete', { update: ['ends_at'] }],
    owner: 'all',
  },
  on_call_calendars: {
    module: 'alerting',
    scope: 'tenant',
    app: ['select', 'insert', 'delete', { update: ['token_hash', 'created_at'] }],
  },
  escalation_policies: {
    module: 'alerting',
    scope: 'tenant',
    app: [
      'select',
      'insert',
      'delete',
      {
        update: ['name', 'is_default', 'repeat_count', 'repeat_delay_minutes', 'fallback_policy_id', 'updated_at'],
      },
    ],
  },
  escalation_steps: {
    module: 'alerting',
    scope: 'tenant',
    app: [
      'select',
      'insert',
      'delete',
      { update: ['position', 'delay_minutes', 'assignment', 'only_if', 'updated_at'] },
    ],
  },
  escalation_targets: { module: 'alerting', scope: 'tenant', app: ['select', 'insert', 'delete'] },
  // a trigger of incidents ends, parks and resumes runs in the transaction of a request
  escalation_runs: {
    module: 'alerting',
    scope: 'tenant',
    app: ['select', { update: ['state', 'next_at', 'updated_at'] }],
  },
  escalation_notifications: { module: 'alerting', scope: 'tenant', app: ['select'] },
  flappings: { module: 'engine', scope: 'tenant, to read', app: ['select'] },
  storms: { module: 'engine', scope: 'tenant, to read', app: ['select'] },
  host_storms: { module: 'engine', scope: 'tenant, to read', app: ['select'] },
  deliveries: {
    module: 'alerting',
    scope: 'tenant',
    app: [
      'select',
      {
        update: ['status', 'attempts', 'replays', 'next_at', 'finished_at', 'mailed_to', 'handed_to', 'handed_over_at'],
      },
    ],
  },
  notification_decisions: {
    module: 'alerting',
    scope: 'none',
    app: ['select'],
    policies: [
      {
        name: 'own_channels',
        command: 'select',
        using:
          'tenant_id = (select current_tenant()) and ' +
          '(reseller_id is null or reseller_id = (select current_reseller()))',
      },
    ],
  },
  smtp_configs: {
    module: 'tenancy',
    scope: 'tenant',
    app: [
      'select',
      'insert',
      'delete',
      {
        update: [
          'host',
          'port',
          'encryption',
          'username',
          'password',
          'from_address',
          'from_name',
          'failing_since',
          'failure',
          'updated_at',
        ],
      },
    ],
  },
  mail_sink_messages: { module: 'alerting', scope: 'none', app: [] },
  email_suppressions: {
    module: 'alerting',
    scope: 'tenant',
    app: ['select', 'insert', { update: ['types', 'updated_at'] }],
  },
  mail_recipients: {
    module: 'alerting',
    scope: 'tenant',
    app: ['select', { insert: ['tenant_id', 'email'] }, { update: ['token_hash', 'requested_at'] }],
  },
  mail_budgets: { module: 'alerting', scope: 'tenant', app: ['select'] },
  mail_questions: {
    module: 'tenancy',
    scope: 'tenant',
    app: ['select', { insert: ['tenant_id', 'address_hash', 'asked_by'] }],
  },
  monthly_report_mails: { module: 'alerting', scope: 'none', app: [] },
  sent_months: { module: 'alerting', scope: 'tenant, to read', app: ['select'] },
  status_pages: {
    module: 'publishing',
    scope: 'tenant',
    app: [
      'select',
      'insert',
      'delete',
      {
        update: [
          'name',
          'slug',
          'description',
          'state',
          'access',
          'password_hash',
          'password_changed_at',
          'access_changed_at',
          'allowed_email_domains',
          'allowed_ips',
          'locale',
          'locales',
          'timezone',
          'history_days',
          'show_uptime',
          'show_response',
          'show_values',
          'uptime_mode',
          'min_incident_minutes',
          'noindex',
          'hide_powered_by',
          'primary_color',
          'logo_url',
          'logo_url_dark',
          'theme',
          'header_links',
          'footer_links',
          'texts',
          'content_changed_at',
          'updated_at',
        ],
      },
    ],
  },
  status_page_former_slugs: { module: 'publishing', scope: 'none', app: [], owner: 'all' },
  status_page_groups: {
    module: 'publishing',
    scope: 'tenant',
    app: ['select', 'insert', 'delete', { update: ['name', 'position', 'is_open', 'updated_at'] }],
  },
  status_page_components: {
    module: 'publishing',
    scope: 'tenant',
    app: [
      'select',
      'insert',
      'delete',
      {
        update: [
          'group_id',
          'type',
          'monitor_id',
          'monitor_group',
          'name',
          'description',
          'position',
          'show_history',
          'status_when_down',
          'static_status',
          'updated_at',
        ],
      },
    ],
  },
  status_page_posts: {
    module: 'publishing',
    scope: 'tenant',
    app: [
      'select',
      'insert',
      'delete',
      {
        update: [
          'title',
          'impact',
          'phase',
          'counts_as_downtime',
          'started_at',
          'resolved_at',
          'postmortem',
          'postmortem_published_at',
          'updated_at',
        ],
      },
    ],
  },
  status_page_post_components: { module: 'publishing', scope: 'tenant', app: ['select', 'insert', 'delete'] },
  status_page_updates: {
    module: 'publishing',
    scope: 'tenant',
    app: ['select', 'insert', 'delete', { update: ['body', 'updated_at'] }],
  },
  status_page_update_templates: {
    module: 'publishing',
    scope: 'tenant',
    app: ['select', 'insert', 'delete', { update: ['name', 'phase', 'title', 'body', 'updated_at'] }],
  },
  managed_teams: {
    module: 'tenancy',
    scope: 'none',
    app: [
      'select',
      'insert',
      'delete',
      {
        update: [
          'label',
          'external_ref',
          'metadata',
          'paused_reason',
          'trial_ends_at',
          'trial_set_at',
          'trial_reminded',
          'trial_expired_at',
          'plan_after_trial',
          'deleted_at',
          'updated_at',
        ],
      },
    ],
    owner: 'all',
    policies: [
      {
        name: 'own_teams',
        using: 'reseller_id = (select current_reseller()) or tenant_id = (select current_tenant())',
        check: 'reseller_id = (select current_reseller())',
      },
    ],
  },
  monitor_templates: {
    module: 'reselling',
    scope: 'reseller',
    app: ['select', 'insert', 'delete', { update: ['name', 'monitors', 'variables', 'updated_at'] }],
  },
  provisioning_profiles: {
    module: 'reselling',
    scope: 'reseller',
    app: [
      'select',
      'insert',
      'delete',
      { update: ['name', 'plan', 'trial_days', 'feature_overrides', 'branding', 'monitor_template_id', 'updated_at'] },
    ],
  },
  subscriptions: { module: 'billing', scope: 'tenant, to read', app: ['select'] },
  invoices: { module: 'billing', scope: 'tenant, to read', app: ['select'] },
  billing_events: { module: 'billing', scope: 'none', app: [] },
  ended_subscriptions: { module: 'billing', scope: 'none', app: [] },
  purged_tenants: { module: 'tenancy', scope: 'none', app: [], platform: ['select', 'insert', 'update'] },
} as const satisfies Record<string, TableRights>

/** Functions that not everybody may call. */
const functions: Record<string, 'platform' | 'app' | 'owner'> = {
  change_managed_tenant: 'app',
  claim_outbox: 'platform',
  mark_stream: 'platform',
  add_audit_link: 'owner',
  link_audit_entry: 'owner',
}

const scopes: Record<TableRights['scope'], Policy[]> = {
  tenant: [{ name: 'own_tenant', ...both('tenant_id = (select current_tenant())') }],
  'tenant, to read': [{ name: 'own_tenant', command: 'select', using: 'tenant_id = (select current_tenant())' }],
  reseller: [{ name: 'own_reseller', ...both('tenant_id = (select current_reseller())') }],
  user: [{ name: 'own', ...both('user_id = (select current_user_id())') }],
  shared: [{ name: 'shared', command: 'select', using: 'true' }],
  none: [],
}

function both(condition: string) {
  return { using: condition, check: condition }
}

/** The statements that give a table its rights, whatever it had before, for roles of these names. */
export function rightsOf(table: keyof typeof rights, { app, platform } = defaultRoles): string {
  const { scope, ...given }: TableRights = rights[table]
  const policies = [...scopes[scope], ...(given.policies ?? [])]
  const owner = given.owner && {
    name: 'upkeep',
    ...(given.owner === 'all' ? both('true') : { command: given.owner, using: 'true' }),
  }
  return [
    `alter table ${table} enable row level security`,
    `alter table ${table} force row level security`,
    `do $$ declare found record; begin
       for found in select policyname from pg_policies where schemaname = 'public' and tablename = '${table}' loop
         execute format('drop policy %I on ${table}', found.policyname);
       end loop;
     end $$`,
    `revoke all on ${table} from ${app}, ${platform}`,
    ...grants(table, given.platform ?? ['select', 'insert', 'update', 'delete'], platform),
    ...grants(table, given.app, app),
    policy(table, { name: 'platform', ...both('true') }, platform),
    ...policies.map(rule => policy(table, rule, app)),
    ...(owner ? [policy(table, owner, 'current_user')] : []),
  ].join(';\n')
}

/** The same for functions. */
export const rightsOfFunctions = (roles = defaultRoles) =>
  Object.entries(functions)
    .flatMap(([name, user]) => [
      `revoke execute on function ${name} from public`,
      ...(user === 'owner' ? [] : [`grant execute on function ${name} to ${roles[user]}`]),
    ])
    .join(';\n')

const grants = (table: string, list: readonly Right[], role: string) =>
  list.map(right => {
    const [[command, columns] = []] = typeof right === 'string' ? [[right]] : Object.entries(right)
    return `grant ${command}${columns ? ` (${columns.join(', ')})` : ''} on ${table} to ${role}`
  })

const policy = (table: string, { name, command = undefined, using, check }: Policy, role: string) =>
  `create policy ${name} on ${table}${command ? ` for ${command}` : ''} to ${role}` +
  `${using ? ` using (${using})` : ''}${check ? ` with check (${check})` : ''}`
