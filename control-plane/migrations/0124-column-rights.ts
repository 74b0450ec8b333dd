import { Migration } from '@mikro-orm/migrations'

/** What the API changes of rows that are there. `test/authorization/column-rights.test.ts` holds the reviewed list a second time. */
const columns: Record<string, string> = {
  agent_monitors: '',
  agent_tokens: 'expires_at',
  brandings: `brand_name, alert_prefix, logo_url, logo_url_dark, symbol_url, favicon_url, footer_url, privacy_url, imprint_url, upgrade_url,
    support_url, primary_color, secondary_color, footer_text, hide_powered_by, notification_from_name, upsell_mode, upsell_cta, plan_labels,
    upsell_offers, upsell_threshold, updated_at`,
  check_warnings: 'told_depth',
  checks: 'is_enabled, settings, secrets, interval, severity, snoozed_until, snoozed_by, snooze_reason, updated_at',
  crawl_runs: 'state, reason, finished_at',
  deliveries: 'status, attempts, replays, next_at, finished_at',
  email_changes: 'email, token_hash, expires_at, requested_at',
  email_suppressions: 'types, updated_at',
  geo_audits: '',
  heartbeats: '',
  idempotency_keys: 'fingerprint, status, answer, created_at',
  incident_numbers: '',
  incidents: `title, severity, visibility, status, resolved_at, resolution, snoozed_until, acknowledged_at, acknowledged_by, archived_at,
    told_at, updated_at`,
  invitations: 'status, token_hash, mail_hash, expires_at, resent_count, resent_at, updated_at',
  mail_recipients: 'token_hash, asked_at',
  managed_teams: 'label, external_ref, metadata, paused_reason, trial_ends_at, deleted_at, updated_at',
  memberships: 'role, updated_at',
  monitor_templates: 'name, monitors, variables, updated_at',
  monitors: `name, url, type, tags, group_name, notes, is_enabled, held_by_plan, is_kept, check_interval, timeout, regions, region_policy,
    confirmations, recovery_confirmations, depends_on, external_ref, metadata, switched_at, updated_at`,
  notification_channels: 'name, config, secrets, is_enabled, updated_at',
  notification_rules: 'channel_id, event_types, monitor_filter, tenant_filter, updated_at',
  ping_addresses: 'ends_at',
  provisioning_profiles: 'name, plan, trial_days, feature_overrides, branding, monitor_template_id, updated_at',
  quota_notices: 'told_at',
  second_factors: 'secret, last_step, recovery_hashes, confirmed_at',
  smtp_configs:
    'host, port, encryption, username, password, from_address, from_name, failing_since, failure, updated_at',
  tenants: 'name, plan, feature_overrides, paused_at, deleted_at, webhook_secret, updated_at',
  tokens: 'name, is_active, rotated_at, expires_at, updated_at',
  users: 'name, language, timezone, digest, digest_at, monthly_report, monthly_report_at, updated_at',
  vitals_beacons: 'beacon_id, updated_at',
}

/**
 * Row security says which rows a request reaches; this says what of them. A statement that was injected into a request makes nobody a super
 * admin, no tenant a reseller and no token another kind, and sets no password.
 */
export class ColumnRights extends Migration {
  override up(): void {
    for (const [table, changed] of Object.entries(columns))
      this.addSql(
        `revoke update on ${table} from vedette_app${changed && `; grant update (${changed}) on ${table} to vedette_app`}`,
      )
    // who confirmed says so by a link, which the platform reads
    this.addSql(
      'revoke insert on mail_recipients from vedette_app; grant insert (tenant_id, email) on mail_recipients to vedette_app',
    )
  }
}
