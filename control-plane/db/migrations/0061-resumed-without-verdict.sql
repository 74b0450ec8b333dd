-- Until it is judged again, nothing is known of what is watched again: the former verdict was not measured then.
create or replace function record_monitor_pause() returns trigger language plpgsql as $$
begin
  insert into verdict_changes (tenant_id, monitor_id, check_id, at, verdict)
  select c.tenant_id, c.monitor_id, c.id, clock_timestamp(),
    case when new.is_enabled and not new.held_by_plan then 'none' else 'paused' end
  from checks c join tenants t on t.id = c.tenant_id
  where c.monitor_id = new.id and c.is_enabled and t.paused_at is null and t.deleted_at is null;
  return null;
end $$;

create or replace function record_check_pause() returns trigger language plpgsql as $$
begin
  insert into verdict_changes (tenant_id, monitor_id, check_id, at, verdict)
  select new.tenant_id, new.monitor_id, new.id, clock_timestamp(),
    case when new.is_enabled then 'none' else 'paused' end
  from monitors m join tenants t on t.id = m.tenant_id
  where m.id = new.monitor_id and m.is_enabled and not m.held_by_plan and t.paused_at is null and t.deleted_at is null;
  return null;
end $$;

create or replace function record_tenant_pause() returns trigger
  language plpgsql security definer set search_path = public, pg_temp as $$
begin
  insert into verdict_changes (tenant_id, monitor_id, check_id, at, verdict)
  select c.tenant_id, c.monitor_id, c.id, clock_timestamp(),
    case when new.paused_at is null and new.deleted_at is null then 'none' else 'paused' end
  from checks c join monitors m on m.id = c.monitor_id
  where c.tenant_id = new.id and c.is_enabled and m.is_enabled and not m.held_by_plan;
  return null;
end $$;
