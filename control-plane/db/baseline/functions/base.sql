create function retry_quarantined() returns trigger
  language plpgsql security definer set search_path = public, pg_temp as $$
declare
  changed jsonb;
begin
  if tg_op = 'DELETE' then changed := to_jsonb(old); else changed := to_jsonb(new); end if;
  update quarantined_rows set next_try_at = clock_timestamp()
  where next_try_at > clock_timestamp()
    and case tg_argv[0] when 'user' then kind in ('digest', 'monthly_report') and key = changed ->> 'id'
      else tenant_id = (changed ->> tg_argv[0])::uuid end;
  if found then perform pg_notify('quarantine', ''); end if;
  return null;
end $$;

create trigger checks_retry_changed after update on checks for each row when (old.type is distinct from new.type or
  old.is_enabled is distinct from new.is_enabled or old.settings is distinct from new.settings
  or old.secrets is distinct from new.secrets or old.interval is distinct from new.interval
  or old.severity is distinct from new.severity) execute function retry_quarantined('tenant_id');
create trigger checks_retry_deleted after delete on checks for each row execute function retry_quarantined('tenant_id');
create trigger monitors_retry_changed after update on monitors for each row when (old.url is distinct from new.url or
  old.type is distinct from new.type or old.name is distinct from new.name
  or old.is_enabled is distinct from new.is_enabled or old.held_by_plan is distinct from new.held_by_plan
  or old.check_interval is distinct from new.check_interval or old.timeout is distinct from new.timeout
  or old.regions is distinct from new.regions or old.region_policy is distinct from new.region_policy
  or old.depends_on is distinct from new.depends_on) execute function retry_quarantined('tenant_id');
create trigger monitors_retry_deleted after delete on monitors for each row
  execute function retry_quarantined('tenant_id');
create trigger notification_channels_retry_changed after update on notification_channels for each row when (old.type
  is distinct from new.type or old.config is distinct from new.config
  or old.secrets is distinct from new.secrets or old.is_enabled is distinct from new.is_enabled)
  execute function retry_quarantined('tenant_id');
create trigger notification_channels_retry_deleted after delete on notification_channels for each row
  execute function retry_quarantined('tenant_id');
create trigger notification_rules_retry_changed after update on notification_rules for each row when (old.event_types
  is distinct from new.event_types or old.monitor_filter is distinct from new.monitor_filter
  or old.tenant_filter is distinct from new.tenant_filter or old.channel_id is distinct from new.channel_id) execute
  function retry_quarantined('tenant_id');
create trigger notification_rules_retry_deleted after delete on notification_rules for each row
  execute function retry_quarantined('tenant_id');
create trigger smtp_configs_retry_changed after update on smtp_configs for each row when (old.host is distinct from
  new.host or old.port is distinct from new.port or old.encryption is distinct from new.encryption
  or old.username is distinct from new.username or old.password is distinct from new.password
  or old.from_address is distinct from new.from_address) execute function retry_quarantined('tenant_id');
create trigger smtp_configs_retry_deleted after delete on smtp_configs for each row
  execute function retry_quarantined('tenant_id');
create trigger tenants_retry_changed after update on tenants for each row when (old.plan is distinct from new.plan or
  old.feature_overrides is distinct from new.feature_overrides or old.paused_at is distinct from new.paused_at
  or old.deleted_at is distinct from new.deleted_at) execute function retry_quarantined('id');
create trigger tenants_retry_deleted after delete on tenants for each row execute function retry_quarantined('id');
create trigger users_retry_changed after update on users for each row when (old.timezone is distinct from new.timezone
  or old.language is distinct from new.language or old.email is distinct from new.email
  or old.digest is distinct from new.digest or old.monthly_report is distinct from new.monthly_report) execute
  function retry_quarantined('user');
create trigger users_retry_deleted after delete on users for each row execute function retry_quarantined('user');
