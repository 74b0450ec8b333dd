import pg from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { migrate } from '#control-plane/db/migrate.ts'
import { openDatabases, serviceUrls } from '#test/support/databases.ts'
import { store } from '#test/support/stores.ts'

/**
 * What the role of the API may change, column by column, reviewed: a column that is added here is one that an
 * injected statement in a tenant's request could change in any row that the tenant sees.
 */
const reviewed: Record<string, string> = {
  agent_tokens: 'expires_at',
  brandings:
    'alert_prefix brand_name favicon_url footer_text footer_url hide_powered_by imprint_url ' +
    'logo_url logo_url_dark notification_from_name plan_labels ' +
    'primary_color privacy_url secondary_color support_url symbol_url updated_at upgrade_url ' +
    'upsell_cta upsell_mode upsell_offers upsell_threshold',
  check_warnings: 'notified_depth',
  checks:
    'interval is_enabled keeps_former_default secrets settings severity snooze_reason snoozed_by snoozed_until updated_at',
  crawl_runs: 'finished_at reason state',
  status_page_subscribers: 'asked_at updated_at',
  custom_domains: 'attempts last_error next_check_at state state_changed_at target_id updated_at',
  portals: 'is_enabled sign_up_domains sign_up_enabled sign_up_plan sign_up_profile_id slug support_email updated_at',
  deliveries: 'attempts finished_at handed_over_at handed_to mailed_to next_at replays status',
  email_changes: 'email expires_at requested_at token_hash',
  email_suppressions: 'types updated_at',
  escalation_policies: 'fallback_policy_id is_default name repeat_count repeat_delay_minutes updated_at',
  escalation_runs: 'next_at state updated_at',
  escalation_steps: 'assignment delay_minutes only_if position updated_at',
  idempotency_keys: 'answer created_at fingerprint status',
  incidents:
    'acknowledged_at acknowledged_by archived_at notified_at resolution resolved_at severity ' +
    'snoozed_until status title updated_at visibility',
  invitations: 'expires_at mail_hash resent_at resent_count status token_hash updated_at',
  mail_recipients: 'requested_at token_hash',
  maintenance_calendars: 'created_at token_hash',
  maintenance_windows:
    'actual_ended_at actual_started_at description duration_minutes exceptions exclude_from_uptime is_all last_planned_at mode monitor_ids ' +
    'next_ends_at next_starts_at notify_before_minutes notify_on_create notify_on_end notify_on_start rrule starts_at ' +
    'state status_page_ids tags timezone title until updated_at',
  managed_teams:
    'deleted_at external_ref label metadata paused_reason plan_after_trial trial_ends_at trial_expired_at ' +
    'trial_reminded trial_set_at updated_at',
  memberships: 'disabled_at role updated_at',
  imported_monitors: 'fingerprint is_created migration_id',
  migration_items: 'failure keeps_ping_address monitor_id stand_ins state status_page_id',
  monitor_templates: 'monitors name updated_at variables',
  monitors:
    'check_interval confirmations depends_on escalation_policy_id external_ref group_name held_by_plan is_enabled ' +
    'is_kept is_shadow metadata name notes recovery_confirmations ' +
    'region_policy regions slo switched_at tags timeout type updated_at url',
  notification_channels: 'config is_enabled name position secrets updated_at verified_at',
  notification_rules: 'channel_id event_types monitor_filter tenant_filter updated_at',
  on_call_calendars: 'created_at token_hash',
  on_call_overrides: 'ends_at',
  on_call_rotations: 'ends_at first_handoff_at handoff name position restrictions shift_minutes starts_at updated_at',
  on_call_schedules: 'name timezone updated_at watch_at',
  partner_sso: 'auto_link_existing_users auto_register hide_password_login is_enabled secret updated_at',
  passkeys: 'name updated_at',
  ping_addresses: 'ends_at',
  provider_migrations:
    'asked_by base_url counts credentials credentials_expire_at cutover_at done failed_in failure has_file pauses_source phase ' +
    'rollback_until shadow_at state total updated_at',
  provisioning_profiles: 'branding feature_overrides monitor_template_id name plan trial_days updated_at',
  quota_notices: 'notified_at',
  security_policies: 'mfa_grace_days mfa_required_at updated_at',
  scim_users: 'display_name external_id family_name formatted_name given_name updated_at user_name',
  second_factors: 'confirmed_at last_step recovery_hashes secret',
  slo_spans: 'ended_at',
  slo_states: 'examine_at state',
  smtp_configs: 'encryption failing_since failure from_address from_name host password port updated_at username',
  status_page_components:
    'description group_id monitor_group monitor_id name position show_history static_status ' +
    'status_when_down type updated_at',
  status_page_groups: 'is_open name position updated_at',
  status_page_posts:
    'counts_as_downtime impact phase postmortem postmortem_published_at resolved_at started_at title ' + 'updated_at',
  status_page_update_templates: 'body name phase title updated_at',
  status_page_updates: 'body updated_at',
  sso_configs:
    'break_glass_user_id certificates client_id client_secret default_role email_attribute groups_claim is_enabled ' +
    'is_enforced is_jit issuer protocol role_map scopes sign_in_url updated_at',
  status_pages:
    'access access_changed_at allowed_email_domains allowed_ips content_changed_at description footer_links ' +
    'header_links hide_powered_by history_days locale locales logo_url logo_url_dark min_incident_minutes ' +
    'name noindex password_changed_at password_hash primary_color show_response show_uptime show_values ' +
    'slug state texts theme timezone updated_at uptime_mode',
  tenants: 'name updated_at webhook_secret',
  tokens: 'expires_at is_active name rotated_at updated_at',
  users:
    'chose_locale digest digest_at handover_mails language monthly_report monthly_report_at name preferences timezone ' +
    'updated_at',
  vitals_beacons: 'beacon_id updated_at',
}

let owner: pg.Client
let app: pg.Client
const name = 'vedette_column_rights'
beforeAll(async () => {
  const { ownerUrl } = await openDatabases(name)
  const postgres = await store('postgres')
  // a copy of a database does not have its rights: every start gives them
  await migrate({ ownerUrl, appPassword: postgres.appPassword, platformPassword: postgres.platformPassword })
  owner = new pg.Client({ connectionString: ownerUrl })
  app = new pg.Client({ connectionString: serviceUrls(ownerUrl, postgres).appUrl })
  await Promise.all([owner.connect(), app.connect()])
  await app.query(`select set_config('app.tenant_id', gen_random_uuid()::text, false)`)
})
afterAll(() => Promise.all([owner?.end(), app?.end()]))

test('the role of the API may change the reviewed columns and no other', async () => {
  const { rows } = await owner.query<{ table: string; columns: string }>(`
    select c.relname as table, string_agg(a.attname, ' ' order by a.attname::text collate "C") as columns
    from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
    where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p', 'v', 'm')
      and has_column_privilege('vedette_app', c.oid, a.attnum, 'update')
    group by 1 order by 1`)
  expect(Object.fromEntries(rows.map(({ table, columns }) => [table, columns]))).toEqual(reviewed)
  const { rows: whole } = await owner.query(`
    select c.relname from pg_class c where c.relnamespace = 'public'::regnamespace
      and has_table_privilege('vedette_app', c.oid, 'update') and c.relkind = 'r'`)
  expect(whole).toEqual([])
})

describe('columns that would raise a caller’s rights', () => {
  test.each([
    ['update users set is_super_admin = true'],
    [`update users set password_hash = 'x'`],
    [`update users set email = 'a@b.example'`],
    ['update users set email_verified_at = now()'],
    ['update users set home_tenant_id = null'],
    ['update tenants set is_reseller = true'],
    [`update tenants set plan = 'pro'`],
    [`update tenants set feature_overrides = '{"unlimited": true}'`],
    ['update tenants set paused_at = null'],
    ['update tenants set deleted_at = null'],
    ['update tenants set suspended_at = null'],
    [`insert into tenants (id, name, slug, plan, is_reseller) values (gen_random_uuid(), 'x', 'x', 'pro', true)`],
    [`select change_managed_tenant(current_tenant(), '{"plan": "pro"}')`],
    [`update tokens set kind = 'rk'`],
    [`update tokens set scopes = '{teams:manage}'`],
    ['update tokens set user_id = null'],
    ['update tokens set created_by = null'],
    [`update tokens set hash = ''`],
    ['update tokens set tenant_id = null'],
    ['update managed_teams set reseller_id = null'],
    ['update memberships set user_id = null'],
    ['update mail_recipients set confirmed_at = now()'],
    ['insert into mail_recipients (tenant_id, email, confirmed_at) values (current_tenant(), $$a@b.example$$, now())'],
    [`update incidents set tenant_id = null`],
  ])('is refused by the database: %s', async statement => {
    await expect(app.query(statement)).rejects.toMatchObject({ code: '42501' })
  })

  test('neither role of the service makes temporary tables, which would stand before the real ones', async () => {
    await expect(app.query('create temporary table users (id int)')).rejects.toMatchObject({ code: '42501' })
    const { rows } = await owner.query(
      `select role, has_database_privilege(role, current_database(), 'temporary') as may
       from unnest(array['vedette_app', 'vedette_platform']) role`,
    )
    expect(rows.map(({ may }) => may)).toEqual([false, false])
  })

  test('is open to a reseller for its own teams alone: plan, limits, name, pause and end', async () => {
    const { rows } = await owner.query(`select gen_random_uuid() as a, gen_random_uuid() as b, gen_random_uuid() as t`)
    const { a, b, t } = rows[0]
    for (const [id, plan, isReseller] of [
      [a, 'pro', true],
      [b, 'pro', true],
      [t, 'free', false],
    ])
      await owner.query('insert into tenants (id, name, slug, plan, is_reseller) values ($1, $2, $3, $4, $5)', [
        id,
        'A tenant',
        `t-${id}`,
        plan,
        isReseller,
      ])
    await owner.query('insert into managed_teams (id, reseller_id, tenant_id) values (gen_random_uuid(), $1, $2)', [
      a,
      t,
    ])
    const change = async (reseller: string, tenant: string, id = t) => {
      await app.query(`select set_config('app.reseller_id', $1, false), set_config('app.tenant_id', $2, false)`, [
        reseller,
        tenant,
      ])
      return app.query('select change_managed_tenant($1, $2)', [
        id,
        { plan: 'pro', updated_at: '2026-01-01T00:00:00Z' },
      ])
    }
    for (const [reseller, tenant, id] of [
      ['', t, t],
      [b, b, t],
      [a, a, a],
      [a, t, b],
    ])
      await expect(change(reseller, tenant, id)).rejects.toMatchObject({ code: '42501' })
    await change(a, t)
    expect((await owner.query('select plan from tenants where id = $1', [t])).rows).toEqual([{ plan: 'pro' }])
  })
})
