create function notify_assignments() returns trigger language plpgsql as $$
declare
  changed record;
begin
  if tg_op = 'DELETE' then changed := old; else changed := new; end if;
  if tg_table_name = 'checks' then
    perform pg_notify('assignments', jsonb_build_object('monitor', changed.monitor_id)::text);
  elsif tg_table_name = 'monitors' then
    perform pg_notify('assignments', jsonb_build_object('monitor', changed.id)::text);
  else
    perform pg_notify('assignments', jsonb_build_object('tenant', changed.id)::text);
  end if;
  return null;
end $$;

create trigger checks_change after update on checks for each row when (
  (old.type, old.is_enabled, old.settings, old.secrets, old.interval, old.severity) is distinct from
  (new.type, new.is_enabled, new.settings, new.secrets, new.interval, new.severity)
) execute function notify_assignments();
create trigger checks_added_or_deleted after insert or delete on checks for each row execute function notify_assignments();
create trigger monitors_change after update on monitors for each row when (
  (old.url, old.type, old.is_enabled, old.held_by_plan, old.check_interval, old.timeout, old.regions,
    old.region_policy, old.confirmations, old.recovery_confirmations, old.depends_on, old.name)
  is distinct from
  (new.url, new.type, new.is_enabled, new.held_by_plan, new.check_interval, new.timeout, new.regions,
    new.region_policy, new.confirmations, new.recovery_confirmations, new.depends_on, new.name)
) execute function notify_assignments();
create trigger monitors_added_or_deleted after insert or delete on monitors for each row execute function notify_assignments();
create trigger tenants_change after update on tenants for each row when (
  (old.paused_at, old.deleted_at, old.plan, old.feature_overrides) is distinct
    from (new.paused_at, new.deleted_at, new.plan, new.feature_overrides)
) execute function notify_assignments();

create function record_monitor_pause() returns trigger language plpgsql as $$
begin
  insert into verdict_changes (tenant_id, monitor_id, check_id, at, verdict)
  select c.tenant_id, c.monitor_id, c.id, clock_timestamp(), case when new.is_enabled
    and not new.held_by_plan then coalesce(c.verdict, 'none') else 'paused' end
  from checks c join tenants t on t.id = c.tenant_id
  where c.monitor_id = new.id and c.is_enabled and t.paused_at is null and t.deleted_at is null;
  return null;
end $$;

create trigger monitors_pause after update on monitors for each row
  when ((old.is_enabled and not old.held_by_plan) is distinct from (new.is_enabled
    and not new.held_by_plan)) execute function record_monitor_pause();

create function record_check_pause() returns trigger language plpgsql as $$
begin
  insert into verdict_changes (tenant_id, monitor_id, check_id, at, verdict)
  select new.tenant_id, new.monitor_id, new.id, clock_timestamp(), case when new.is_enabled then coalesce(new.verdict,
    'none') else 'paused' end
  from monitors m join tenants t on t.id = m.tenant_id
  where m.id = new.monitor_id and m.is_enabled and not m.held_by_plan and t.paused_at is null and t.deleted_at is null;
  return null;
end $$;

create trigger checks_pause after update on checks for each row
  when (old.is_enabled is distinct from new.is_enabled) execute function record_check_pause();

create function record_tenant_pause() returns trigger
  language plpgsql security definer set search_path = public, pg_temp as $$
begin
  insert into verdict_changes (tenant_id, monitor_id, check_id, at, verdict)
  select c.tenant_id, c.monitor_id, c.id, clock_timestamp(), case when new.paused_at is null
    and new.deleted_at is null then coalesce(c.verdict, 'none') else 'paused' end
  from checks c join monitors m on m.id = c.monitor_id
  where c.tenant_id = new.id and c.is_enabled and m.is_enabled and not m.held_by_plan;
  return null;
end $$;

create trigger tenants_rest after update on tenants for each row
  when ((old.paused_at is null and old.deleted_at is null) is distinct from (new.paused_at is null
    and new.deleted_at is null)) execute function record_tenant_pause();

create function notify_purged() returns trigger language plpgsql as $$
begin
  perform pg_notify('purged', new.tenant_id::text);
  return null;
end $$;

create trigger purged_tenants_notify after insert on purged_tenants for each row execute function notify_purged();
