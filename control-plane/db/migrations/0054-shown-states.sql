-- What shows the state of monitors follows it: the stream, status pages, and the counts of teams.

-- The status of a state, as the table of rules has it.
create function monitor_status(state text) returns text language sql immutable parallel safe as $$
  select case $1
    when 'deleted' then 'paused'
    when 'team_paused' then 'paused'
    when 'disabled' then 'paused'
    when 'on_hold' then 'paused'
    when 'maintenance' then 'maintenance'
    when 'down' then 'down'
    when 'degraded' then 'warning'
    when 'up' then 'up'
  end
$$;

-- The notice that what these pages show has changed, in one component or more.
create function notify_shown(changed uuid[], tenants uuid[], group_names text[]) returns void language plpgsql as $$
begin
  perform pg_notify('status_pages', jsonb_build_object('shown', s.slug)::text)
  from (
    select c.page_id from status_page_components c where c.monitor_id = any(changed)
    union
    select c.page_id from unnest(tenants, group_names) as g(tenant_id, name)
    join status_page_components c on c.tenant_id = g.tenant_id and c.type = 'group' and c.monitor_group = g.name
  ) p join status_pages s on s.id = p.page_id where s.state = 'published';
end $$;

create or replace function stream_monitor_statuses(changed uuid[]) returns void language plpgsql as $$
begin
  insert into stream_events (id, tenant_id, name, payload)
  select nextval(pg_get_serial_sequence('outbox', 'id')), m.tenant_id, 'monitor.status', jsonb_build_object(
    'monitor_id', m.id, 'status', monitor_status(s.state), 'state', s.state,
    'since', to_char(s.since at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"'))
  from monitors m
  cross join lateral (select * from monitor_states(m.tenant_id) o where o.monitor_id = m.id) s
  where m.id = any(changed);
  if found then perform pg_notify('stream', ''); end if;
  -- a notice has at most 8,000 bytes
  perform pg_notify('monitors_shown', string_agg(c.id::text, ' '))
  from (select id, (row_number() over () - 1) / 200 as part from unnest(changed) as u(id)) c group by c.part;
  perform notify_shown(changed, array_agg(tenant_id), array_agg(group_name)) from (
    select distinct tenant_id, group_name from monitors where id = any(changed) and group_name is not null) g;
end $$;

-- Once for each change of the state: a pause changes the column status a moment after the monitor.
create or replace function stream_changed_monitors() returns trigger
  language plpgsql security definer set search_path = public, pg_temp as $$
declare changed uuid[];
begin
  select array_agg(m.id) into changed from after m join before b using (id) join tenants t on t.id = m.tenant_id
  where monitor_state(t.deleted_at, t.paused_at, m.is_enabled, m.held_by_plan, null, m.status, m.coverage,
      m.coverage_since)
    <> monitor_state(t.deleted_at, t.paused_at, b.is_enabled, b.held_by_plan, null, b.status, b.coverage,
      b.coverage_since);
  if changed is not null then perform stream_monitor_statuses(changed); end if;
  perform notify_shown('{}', array_agg(g.tenant_id), array_agg(g.group_name)) from (
    select m.tenant_id, unnest(array[m.group_name, b.group_name]) as group_name
    from after m join before b using (id) where m.group_name is distinct from b.group_name) g
  having count(*) > 0;
  return null;
end $$;

-- Monitors that come and go change the components of their groups.
create function notify_groups_shown() returns trigger
  language plpgsql security definer set search_path = public, pg_temp as $$
begin
  perform notify_shown('{}', array_agg(tenant_id), array_agg(group_name)) from (
    select distinct tenant_id, group_name from changed where group_name is not null) g
  having count(*) > 0;
  return null;
end $$;
create trigger monitors_groups_added after insert on monitors
  referencing new table as changed for each statement execute function notify_groups_shown();
create trigger monitors_groups_removed after delete on monitors
  referencing old table as changed for each statement execute function notify_groups_shown();

-- The states of all monitors of a team, and what its pages show, follow the team: its pause, its end and its return.
create function stream_changed_team() returns trigger
  language plpgsql security definer set search_path = public, pg_temp as $$
begin
  perform pg_notify('status_pages', jsonb_build_object('tenant', new.id,
    'ended', new.deleted_at is not null)::text);
  if (old.paused_at is null, old.deleted_at is null) is distinct from (new.paused_at is null, new.deleted_at is null)
  then perform stream_monitor_statuses(array(select id from monitors where tenant_id = new.id)); end if;
  return null;
end $$;
create trigger tenants_stream after update on tenants for each row
  when ((old.paused_at, old.deleted_at, old.suspended_at, old.plan, old.feature_overrides)
    is distinct from (new.paused_at, new.deleted_at, new.suspended_at, new.plan, new.feature_overrides))
  execute function stream_changed_team();

-- Pages of a team, and of the teams of a reseller, show its branding; windows may name no page, but what they cover.
create function notify_pages_of_team() returns trigger language plpgsql as $$
begin
  perform pg_notify('status_pages', jsonb_build_object('tenant', coalesce(new.tenant_id, old.tenant_id))::text);
  return null;
end $$;
create trigger brandings_pages after insert or update or delete on brandings for each row
  execute function notify_pages_of_team();
create trigger maintenance_windows_shown after insert or update or delete on maintenance_windows for each row
  execute function notify_pages_of_team();
create trigger managed_teams_pages after insert or delete or update of reseller_id, deleted_at on managed_teams
  for each row execute function notify_pages_of_team();

-- Counts of teams by the state that follows from a monitor alone.
lock table monitors in share row exclusive mode;
create or replace function count_monitors() returns trigger
  language plpgsql security definer set search_path = public, pg_temp as $$
declare noted jsonb;
begin
  if tg_op = 'INSERT' then
    select jsonb_agg(to_jsonb(d)) into noted from (
      select tenant_id, count(*) as monitors, sum((state = 'up')::int) as monitors_up,
        sum((state = 'down')::int) as monitors_down
      from (select tenant_id,
        monitor_state(null, null, is_enabled, held_by_plan, null, status, coverage, coverage_since) as state
        from added) r
      group by tenant_id
    ) d;
  elsif tg_op = 'DELETE' then
    select jsonb_agg(to_jsonb(d)) into noted from (
      select tenant_id, -count(*) as monitors, -sum((state = 'up')::int) as monitors_up,
        -sum((state = 'down')::int) as monitors_down
      from (select tenant_id,
        monitor_state(null, null, is_enabled, held_by_plan, null, status, coverage, coverage_since) as state
        from removed) r
      group by tenant_id
    ) d;
  else
    select jsonb_agg(to_jsonb(d)) into noted from (
      select tenant_id, sum(n) as monitors, sum(n * (state = 'up')::int) as monitors_up,
        sum(n * (state = 'down')::int) as monitors_down
      from (
        select tenant_id, 1 as n,
          monitor_state(null, null, is_enabled, held_by_plan, null, status, coverage, coverage_since) as state
        from added
        union all
        select tenant_id, -1,
          monitor_state(null, null, is_enabled, held_by_plan, null, status, coverage, coverage_since)
        from removed
      ) r
      group by tenant_id
      having sum(n) <> 0 or sum(n * (state = 'up')::int) <> 0 or sum(n * (state = 'down')::int) <> 0
    ) d;
  end if;
  if noted is not null then insert into count_deltas values (noted); end if;
  return null;
end $$;
insert into count_deltas
select jsonb_agg(to_jsonb(d)) from (
  select tenant_id, -sum((status = 'up')::int) as monitors_up, -sum((status = 'down')::int) as monitors_down
  from monitors
  where is_enabled and not held_by_plan and coverage = 'none' and coverage_since is not null
    and status in ('up', 'down')
  group by tenant_id
) d having count(*) > 0;

create index tenants_resting on tenants (id) where paused_at is not null or deleted_at is not null;

-- Of the counts of the reseller's teams what is in another state by its team or a maintenance window.
create function hidden_counts() returns table (tenant_id uuid, up int, down int)
  language sql stable security definer set search_path = public, pg_temp as $$
  select c.tenant_id, c.monitors_up, c.monitors_down
  from tenant_counts c join tenants t on t.id = c.tenant_id
  where c.reseller_id = current_reseller() and (t.paused_at is not null or t.deleted_at is not null)
    and c.monitors_up + c.monitors_down > 0
  union all
  select m.tenant_id, count(*) filter (where m.state = 'up')::int, count(*) filter (where m.state = 'down')::int
  from (
    select distinct o.id, o.tenant_id,
      monitor_state(null, null, o.is_enabled, o.held_by_plan, null, o.status, o.coverage, o.coverage_since) as state
    from maintenance_spans ms join monitors o on o.id = ms.monitor_id
    where ms.ended_at is null
  ) m join tenant_counts c on c.tenant_id = m.tenant_id join tenants t on t.id = m.tenant_id
  where c.reseller_id = current_reseller() and t.paused_at is null and t.deleted_at is null
  group by 1
$$;
