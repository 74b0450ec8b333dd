-- occurrences of windows that pages announced, kept after their end with the monitors that they covered
create table maintenance_occurrences (
  id bigint generated always as identity primary key,
  tenant_id uuid not null references tenants on delete cascade,
  window_id uuid not null references maintenance_windows on delete cascade,
  monitor_ids uuid[] not null,
  planned_at timestamptz not null,
  started_at timestamptz not null,
  ended_at timestamptz not null
);
create index maintenance_occurrences_tenant on maintenance_occurrences (tenant_id, ended_at);
create index maintenance_occurrences_window on maintenance_occurrences (window_id);
create index maintenance_occurrences_ended on maintenance_occurrences (ended_at);
insert into maintenance_occurrences (tenant_id, window_id, monitor_ids, planned_at, started_at, ended_at)
select w.tenant_id, w.id, array(select distinct s.monitor_id from maintenance_spans s
    where s.window_id = w.id and s.started_at <= w.actual_ended_at and s.ended_at >= w.actual_started_at),
  coalesce(w.last_planned_at, w.actual_started_at), w.actual_started_at, w.actual_ended_at
from maintenance_windows w
where w.status_page_ids <> '{}' and w.state <> 'active' and w.actual_ended_at >= w.actual_started_at;

-- a row's trigger runs before that of the statement, which ends the spans
create function keep_maintenance_occurrence() returns trigger
  language plpgsql security definer set search_path = public, pg_temp as $$
begin
  insert into maintenance_occurrences (tenant_id, window_id, monitor_ids, planned_at, started_at, ended_at)
  select new.tenant_id, new.id, array(
      select s.monitor_id from maintenance_spans s where s.window_id = new.id and s.ended_at is null),
    old.next_starts_at, o.started_at, greatest(o.started_at, least(new.actual_ended_at, old.next_ends_at))
  from (select least(new.actual_started_at, old.next_starts_at) as started_at) o;
  return null;
end $$;

create trigger maintenance_windows_keep_occurrence after update on maintenance_windows for each row
  when (old.state = 'active' and new.state <> 'active' and new.status_page_ids <> '{}')
  execute function keep_maintenance_occurrence();
