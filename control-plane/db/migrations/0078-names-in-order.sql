-- lists by name are sorted as people expect, whatever the locale of the database is
drop index monitors_by_name, managed_teams_by_name, monitor_templates_by_name, provisioning_profiles_by_name;
create index monitors_by_name on monitors (tenant_id, name collate "und-x-icu", id);
create index managed_teams_by_name on managed_teams (reseller_id, name collate "und-x-icu", tenant_id)
  include (plan, paused_at, trial_ends_at) where deleted_at is null;
create index monitor_templates_by_name on monitor_templates (tenant_id, name collate "und-x-icu", id);
create index provisioning_profiles_by_name on provisioning_profiles (tenant_id, name collate "und-x-icu", id);
