-- who reads a table into memory is notified of a change of any column but those named here, which processes write
-- themselves: a new column is read without a change of this list. The same change is a reason to try rows in
-- quarantine again
drop trigger monitors_added_or_deleted on monitors;
drop trigger monitors_change on monitors;
drop trigger monitors_retry_changed on monitors;
drop trigger monitors_retry_deleted on monitors;
drop trigger checks_added_or_deleted on checks;
drop trigger checks_change on checks;
drop trigger checks_retry_changed on checks;
drop trigger checks_retry_deleted on checks;
drop trigger tenants_change on tenants;
drop trigger tenants_notify on tenants;
drop trigger tenants_retry_changed on tenants;
drop trigger tenants_retry_deleted on tenants;
drop trigger notification_channels_added_or_deleted on notification_channels;
drop trigger notification_channels_change on notification_channels;
drop trigger notification_channels_retry_changed on notification_channels;
drop trigger notification_channels_retry_deleted on notification_channels;
drop trigger notification_rules_notify on notification_rules;
drop trigger notification_rules_retry_changed on notification_rules;
drop trigger notification_rules_retry_deleted on notification_rules;
drop trigger smtp_configs_retry_changed on smtp_configs;
drop trigger smtp_configs_retry_deleted on smtp_configs;
drop trigger users_retry_changed on users;
drop trigger users_retry_deleted on users;
drop function retry_quarantined();
drop function notify_assignments();

create function retry_quarantined(tenant uuid) returns void
  language plpgsql security definer set search_path = public, pg_temp as $$
begin
  update quarantined_rows set next_try_at = clock_timestamp()
  where next_try_at > clock_timestamp() and tenant_id = tenant;
  if found then perform pg_notify('quarantine', ''); end if;
end $$;

-- rows that verdicts are written to many times a second are compared as rows: as JSON it takes four times as long
create function monitor_changed() returns trigger language plpgsql as $$
declare
  was monitors := old;
begin
  if tg_op = 'UPDATE' then
    was.status := new.status;
    was.status_reason := new.status_reason;
    was.status_changed_at := new.status_changed_at;
    was.coverage := new.coverage;
    was.coverage_since := new.coverage_since;
    was.updated_at := new.updated_at;
    if was is not distinct from new then return null; end if;
  end if;
  perform pg_notify('assignments', jsonb_build_object('monitor', coalesce(new.id, old.id))::text);
  if tg_op <> 'INSERT' then perform retry_quarantined(old.tenant_id); end if;
  return null;
end $$;
create trigger monitors_change after insert or update or delete on monitors for each row
  execute function monitor_changed();

create function check_changed() returns trigger language plpgsql as $$
declare
  was checks := old;
begin
  if tg_op = 'UPDATE' then
    was.verdict := new.verdict;
    was.verdict_since := new.verdict_since;
    was.verdict_reason := new.verdict_reason;
    was.coverage := new.coverage;
    was.failing_regions := new.failing_regions;
    was.updated_at := new.updated_at;
    if was is not distinct from new then return null; end if;
  end if;
  perform pg_notify('assignments', jsonb_build_object('monitor', coalesce(new.monitor_id, old.monitor_id))::text);
  if tg_op <> 'INSERT' then perform retry_quarantined(old.tenant_id); end if;
  return null;
end $$;
create trigger checks_change after insert or update or delete on checks for each row execute function check_changed();

create function tenant_changed() returns trigger language plpgsql as $$
begin
  perform pg_notify('assignments', jsonb_build_object('tenant', new.id)::text);
  perform pg_notify('alerting', new.id::text);
  perform retry_quarantined(new.id);
  return null;
end $$;
create trigger tenants_change after update on tenants for each row
  when (to_jsonb(old) - 'updated_at' is distinct from to_jsonb(new) - 'updated_at') execute function tenant_changed();

-- the argument: columns whose change is none
create function alerting_changed() returns trigger language plpgsql as $$
begin
  if tg_op = 'UPDATE' and to_jsonb(old) - tg_argv[0]::text[] = to_jsonb(new) - tg_argv[0]::text[] then
    return null;
  end if;
  perform pg_notify('alerting', coalesce(new.tenant_id, old.tenant_id)::text);
  if tg_op <> 'INSERT' then perform retry_quarantined(old.tenant_id); end if;
  return null;
end $$;
create trigger notification_channels_change after insert or update or delete on notification_channels for each row
  execute function alerting_changed('{failing_since,failing_notified_at,updated_at}');
create trigger notification_rules_change after insert or update or delete on notification_rules for each row
  execute function alerting_changed('{updated_at}');
create trigger smtp_configs_change after insert or update or delete on smtp_configs for each row
  execute function alerting_changed('{failing_since,failure,updated_at}');

create or replace function notify_alerting() returns trigger language plpgsql as $$
begin
  if tg_op <> 'INSERT' then perform pg_notify('alerting', old.tenant_id::text); end if;
  if tg_op <> 'DELETE' then perform pg_notify('alerting', new.tenant_id::text); end if;
  return null;
end $$;

create function person_changed() returns trigger
  language plpgsql security definer set search_path = public, pg_temp as $$
begin
  update quarantined_rows set next_try_at = clock_timestamp()
  where next_try_at > clock_timestamp() and kind in ('digest', 'monthly_report') and key = old.id::text;
  if found then perform pg_notify('quarantine', ''); end if;
  return null;
end $$;
create trigger users_change after update on users for each row
  when (to_jsonb(old) - '{digest_at,monthly_report_at,updated_at}'::text[]
    is distinct from to_jsonb(new) - '{digest_at,monthly_report_at,updated_at}'::text[])
  execute function person_changed();
