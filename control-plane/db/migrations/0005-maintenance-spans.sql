-- when a window covered a monitor: the one record of it, which the engine, uptime and the API read. A monitor with a
-- span without an end is in maintenance. Spans are kept after their window, as uptime refers to them
create table maintenance_spans (
  id bigint generated always as identity primary key,
  tenant_id uuid not null references tenants on delete cascade,
  monitor_id uuid not null references monitors on delete cascade,
  window_id uuid references maintenance_windows on delete set null,
  started_at timestamptz not null default clock_timestamp(),
  ended_at timestamptz,
  is_excluded boolean not null default true,
  is_paused boolean not null default false
);
create unique index maintenance_spans_open on maintenance_spans (monitor_id, window_id) where ended_at is null;
create index maintenance_spans_window on maintenance_spans (window_id);
create index maintenance_spans_monitor on maintenance_spans (monitor_id, started_at);
create index maintenance_spans_tenant on maintenance_spans (tenant_id, started_at);
insert into maintenance_spans (tenant_id, monitor_id, window_id, started_at)
select w.tenant_id, m.id, w.id, greatest(w.actual_started_at, m.created_at)
from maintenance_windows w join monitors m on m.tenant_id = w.tenant_id
  and (w.is_all or m.id = any(w.monitor_ids) or w.tags && m.tags)
where w.state = 'active';

alter table incidents add column maintenance_window_id uuid references maintenance_windows on delete set null;
create index incidents_maintenance_window on incidents (maintenance_window_id) where maintenance_window_id is not null;

-- mails about windows that are due: a row is deleted in the transaction that writes its mails
alter table maintenance_windows
  add column notify_on_create boolean not null default false,
  add column notify_before_minutes int[] not null default '{}',
  add column notify_on_start boolean not null default false,
  add column notify_on_end boolean not null default false;
create table maintenance_notices (
  id bigint generated always as identity primary key,
  tenant_id uuid not null references tenants on delete cascade,
  window_id uuid not null references maintenance_windows on delete cascade,
  kind varchar(10) not null default 'reminder' check (kind in ('scheduled', 'reminder', 'started', 'ended')),
  due_at timestamptz not null default clock_timestamp(),
  starts_at timestamptz,
  ends_at timestamptz
);
create index maintenance_notices_due on maintenance_notices (due_at);
create unique index maintenance_notices_reminder on maintenance_notices (window_id, due_at) where kind = 'reminder';
create index maintenance_notices_window on maintenance_notices (window_id);

-- Monitors whose checks pause or resume: the list of work is read again, and what was expected of jobs is forgotten, so
-- that it is expected again from the end on.
create function switch_maintenance(switched uuid[]) returns void language plpgsql as $$
begin
  perform 1 from heartbeats where monitor_id = any(switched) order by check_id for update;
  update heartbeats set expected_at = null, alert_after = null, runs = '{}', wake_at = clock_timestamp()
  where monitor_id = any(switched);
  perform pg_notify('assignments', jsonb_build_object('monitor', id)::text) from unnest(switched) as s(id);
end $$;

-- Windows that a statement begins: a span for each monitor that they cover. Windows that it ends: the end of theirs.
-- What was planned counts, not the second in which a late process got to it; but no time before the window was planned.
-- Run as text, so that it is planned for the number of windows: a kept plan for one window takes seconds for thousands.
create function record_maintenance() returns trigger
  language plpgsql security definer set search_path = public, pg_temp as $$
declare switched uuid[];
begin
  execute $sql$
    with moved as materialized (
      select w.*, o.state = 'active' as is_over, o.next_ends_at as planned_end,
        least(w.actual_started_at, greatest(o.next_starts_at, o.updated_at)) as span_starts_at
      from before o join changed w on w.id = o.id where (o.state = 'active') <> (w.state = 'active')
    ), ended as (
      update maintenance_spans s
      set ended_at = greatest(s.started_at, least(w.actual_ended_at, w.planned_end, clock_timestamp()))
      from moved w where w.is_over and s.window_id = w.id and s.ended_at is null
      returning s.monitor_id, s.is_paused
    ), begun as (
      select id, tenant_id, monitor_ids, tags, is_all, span_starts_at, exclude_from_uptime,
        mode = 'pause_checks' as pauses
      from moved where not is_over
    ), covered as (
      select b.*, m.id as monitor_id, m.created_at from begun b cross join unnest(b.monitor_ids) as n(id)
        cross join lateral (select id, created_at from monitors where id = n.id and tenant_id = b.tenant_id limit 1) m
      union all
      select b.*, m.id, m.created_at from begun b cross join lateral (
        select id, created_at from monitors where tenant_id = b.tenant_id and tags && b.tags
      ) m where b.tags <> '{}'
      union all
      select b.*, m.id, m.created_at from begun b join monitors m on m.tenant_id = b.tenant_id where b.is_all
    ), opened as (
      insert into maintenance_spans (tenant_id, monitor_id, window_id, started_at, is_excluded, is_paused)
      select distinct on (id, monitor_id) tenant_id, monitor_id, id, greatest(span_starts_at, created_at),
        exclude_from_uptime, pauses
      from covered
      on conflict do nothing
      returning monitor_id, is_paused
    ), noticed as (
      insert into maintenance_notices (tenant_id, window_id, kind, starts_at, ends_at)
      select tenant_id, id, case when is_over then 'ended' else 'started' end, actual_started_at,
        case when is_over then actual_ended_at else next_ends_at end
      from moved where case when is_over then notify_on_end else notify_on_start end
    )
    select array_agg(distinct monitor_id) filter (where is_paused)
    from (select * from ended union all select * from opened) s
  $sql$ into switched;
  if switched is not null then perform switch_maintenance(switched); end if;
  return null;
end $$;

create trigger maintenance_windows_record after update on maintenance_windows
  referencing old table as before new table as changed for each statement execute function record_maintenance();

-- A monitor that is new or has other tags: it joins and leaves the active windows of its team at once. The lock lets it
-- wait for windows that begin or end meanwhile; those that begin pass a locked window by until the next round.
create function join_maintenance() returns trigger
  language plpgsql security definer set search_path = public, pg_temp as $$
declare switched uuid[];
begin
  perform 1 from maintenance_windows w
  where w.tenant_id = new.tenant_id and (w.state = 'active' or (w.state = 'scheduled'
    and w.next_starts_at < clock_timestamp() + interval '10 seconds')) order by w.id for share;
  with ended as (
    update maintenance_spans s set ended_at = greatest(s.started_at, clock_timestamp())
    from maintenance_windows w
    where s.monitor_id = new.id and s.ended_at is null and w.id = s.window_id
      and not (w.is_all or new.id = any(w.monitor_ids) or w.tags && new.tags)
    returning s.monitor_id, s.is_paused
  ), opened as (
    insert into maintenance_spans (tenant_id, monitor_id, window_id, is_excluded, is_paused)
    select w.tenant_id, new.id, w.id, w.exclude_from_uptime, w.mode = 'pause_checks'
    from maintenance_windows w
    where w.tenant_id = new.tenant_id and w.state = 'active'
      and (w.is_all or new.id = any(w.monitor_ids) or w.tags && new.tags)
    on conflict do nothing
    returning monitor_id, is_paused
  )
  select array_agg(distinct monitor_id) filter (where is_paused) into switched
  from (select * from ended union all select * from opened) s;
  if switched is not null then perform switch_maintenance(switched); end if;
  return null;
end $$;

create trigger monitors_join_maintenance after insert on monitors for each row execute function join_maintenance();
create trigger monitors_change_maintenance after update on monitors for each row
  when (old.tags is distinct from new.tags) execute function join_maintenance();

-- The reminders of the next occurrence. One whose moment has passed already is dropped; one that is due and not sent
-- yet stays.
create function plan_maintenance_notices() returns trigger
  language plpgsql security definer set search_path = public, pg_temp as $$
begin
  if tg_op = 'INSERT' and new.notify_on_create then
    insert into maintenance_notices (tenant_id, window_id, kind, starts_at, ends_at)
    values (new.tenant_id, new.id, 'scheduled', new.next_starts_at, new.next_ends_at);
  end if;
  delete from maintenance_notices n where n.window_id = new.id and n.kind = 'reminder' and not (
    new.state = 'scheduled' and new.next_ends_at is not null and n.starts_at = new.next_starts_at
    and n.due_at in (select n.starts_at - make_interval(mins => m) from unnest(new.notify_before_minutes) as b(m)));
  insert into maintenance_notices (tenant_id, window_id, kind, due_at, starts_at, ends_at)
  select new.tenant_id, new.id, 'reminder', new.next_starts_at - make_interval(mins => m), new.next_starts_at,
    new.next_ends_at
  from unnest(new.notify_before_minutes) as b(m)
  where new.state = 'scheduled' and new.next_ends_at is not null
    and new.next_starts_at - make_interval(mins => m) > clock_timestamp()
  on conflict do nothing;
  return null;
end $$;

create trigger maintenance_windows_plan_notices after insert on maintenance_windows for each row
  when (new.notify_on_create or new.notify_before_minutes <> '{}') execute function plan_maintenance_notices();
create trigger maintenance_windows_change_notices after update on maintenance_windows for each row
  when ((old.notify_before_minutes <> '{}' or new.notify_before_minutes <> '{}')
    and (old.state, old.next_starts_at, old.next_ends_at, old.notify_before_minutes)
      is distinct from (new.state, new.next_starts_at, new.next_ends_at, new.notify_before_minutes))
  execute function plan_maintenance_notices();
