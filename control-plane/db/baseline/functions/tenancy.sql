create function current_tenant() returns uuid language sql stable parallel safe as
  $$ select nullif(current_setting('app.tenant_id', true), '')::uuid $$;

create function current_reseller() returns uuid language sql stable parallel safe as
  $$ select nullif(current_setting('app.reseller_id', true), '')::uuid $$;

create function current_user_id() returns uuid language sql stable parallel safe as
  $$ select nullif(current_setting('app.user_id', true), '')::uuid $$;

create function fold_counts() returns trigger
  language plpgsql security definer set search_path = public, pg_temp as $$
begin
  if not exists (select from count_deltas) then return null; end if;
  with taken as (
    delete from count_deltas returning changes
  ), summed as (
    select r.tenant_id, coalesce(sum(r.monitors), 0)::int as monitors, coalesce(sum(r.monitors_up), 0)::int as
      monitors_up,
      coalesce(sum(r.monitors_down), 0)::int as monitors_down, coalesce(sum(r.open_incidents), 0)::int as
        open_incidents, coalesce(sum(r.members), 0)::int as members
    from taken, jsonb_to_recordset(taken.changes)
      as r(tenant_id uuid, monitors int, monitors_up int, monitors_down int, open_incidents int, members int)
    group by r.tenant_id
  ), held as (
    select c.tenant_id from tenant_counts c where c.tenant_id in (select tenant_id from summed) order by c.tenant_id
      for update
  )
  update tenant_counts c set monitors = c.monitors + s.monitors, monitors_up = c.monitors_up + s.monitors_up,
    monitors_down = c.monitors_down + s.monitors_down,
    open_incidents = c.open_incidents + s.open_incidents, members = c.members + s.members
  from summed s join held h on h.tenant_id = s.tenant_id
  where c.tenant_id = s.tenant_id;
  return null;
end $$;

create constraint trigger count_deltas_fold after insert on count_deltas deferrable initially deferred for each row
  execute function fold_counts();

create function count_tenant() returns trigger
  language plpgsql security definer set search_path = public, pg_temp as $$
begin
  insert into tenant_counts (tenant_id) values (new.id);
  return null;
end $$;

create trigger tenants_count after insert on tenants for each row execute function count_tenant();

create function count_for_reseller() returns trigger
  language plpgsql security definer set search_path = public, pg_temp as $$
begin
  if tg_op <> 'INSERT' then update tenant_counts set reseller_id = null where tenant_id = old.tenant_id; end if;
  if tg_op <> 'DELETE' then update tenant_counts set reseller_id = new.reseller_id
    where tenant_id = new.tenant_id; end if;
  return null;
end $$;

create trigger managed_teams_count after insert or delete or update of tenant_id, reseller_id on managed_teams for
  each row execute function count_for_reseller();

create function mark_service_user() returns trigger
  language plpgsql security definer set search_path = public, pg_temp as $$
begin
  new.is_service := coalesce((select u.is_service from users u where u.id = new.user_id), false);
  return new;
end $$;

create trigger memberships_service before insert on memberships for each row execute function mark_service_user();

create function count_monitors() returns trigger
  language plpgsql security definer set search_path = public, pg_temp as $$
declare noted jsonb;
begin
  if tg_op = 'INSERT' then
    select jsonb_agg(to_jsonb(d)) into noted from (
      select tenant_id, sum(monitors) as monitors, sum(monitors_up) as monitors_up, sum(monitors_down) as
        monitors_down from (select tenant_id, (1) as monitors, (coalesce(is_enabled and not held_by_plan
        and status = 'up', false)::int) as monitors_up, (coalesce(is_enabled and not held_by_plan
        and status = 'down', false)::int) as monitors_down from added) r
      group by tenant_id having sum(monitors) <> 0 or sum(monitors_up) <> 0 or sum(monitors_down) <> 0
    ) d;
  elsif tg_op = 'DELETE' then
    select jsonb_agg(to_jsonb(d)) into noted from (
      select tenant_id, sum(monitors) as monitors, sum(monitors_up) as monitors_up, sum(monitors_down) as
        monitors_down from (select tenant_id, -(1) as monitors, -(coalesce(is_enabled and not held_by_plan
        and status = 'up', false)::int) as monitors_up, -(coalesce(is_enabled and not held_by_plan
        and status = 'down', false)::int) as monitors_down from removed) r
      group by tenant_id having sum(monitors) <> 0 or sum(monitors_up) <> 0 or sum(monitors_down) <> 0
    ) d;
  else
    select jsonb_agg(to_jsonb(d)) into noted from (
      select tenant_id, sum(monitors) as monitors, sum(monitors_up) as monitors_up, sum(monitors_down) as
        monitors_down from (select tenant_id, (1) as monitors, (coalesce(is_enabled and not held_by_plan
        and status = 'up', false)::int) as monitors_up, (coalesce(is_enabled and not held_by_plan
        and status = 'down', false)::int) as monitors_down from added
        union all select tenant_id, -(1) as monitors, -(coalesce(is_enabled and not held_by_plan
        and status = 'up', false)::int) as monitors_up, -(coalesce(is_enabled and not held_by_plan
        and status = 'down', false)::int) as monitors_down from removed) r
      group by tenant_id having sum(monitors) <> 0 or sum(monitors_up) <> 0 or sum(monitors_down) <> 0
    ) d;
  end if;
  if noted is not null then insert into count_deltas values (noted); end if;
  return null;
end $$;

create trigger monitors_count_added after insert on monitors referencing new table as added for each statement execute
  function count_monitors();
create trigger monitors_count_changed after update on monitors referencing old table as removed new table as added for
  each statement execute function count_monitors();
create trigger monitors_count_removed after delete on monitors referencing old table as removed for each statement
  execute function count_monitors();

create function count_incidents() returns trigger
  language plpgsql security definer set search_path = public, pg_temp as $$
declare noted jsonb;
begin
  if tg_op = 'INSERT' then
    select jsonb_agg(to_jsonb(d)) into noted from (
      select tenant_id, sum(open_incidents) as open_incidents
        from (select tenant_id, ((resolved_at is null)::int) as open_incidents from added) r
      group by tenant_id having sum(open_incidents) <> 0
    ) d;
  elsif tg_op = 'DELETE' then
    select jsonb_agg(to_jsonb(d)) into noted from (
      select tenant_id, sum(open_incidents) as open_incidents
        from (select tenant_id, -((resolved_at is null)::int) as open_incidents from removed) r
      group by tenant_id having sum(open_incidents) <> 0
    ) d;
  else
    select jsonb_agg(to_jsonb(d)) into noted from (
      select tenant_id, sum(open_incidents) as open_incidents
        from (select tenant_id, ((resolved_at is null)::int) as open_incidents from added
        union all select tenant_id, -((resolved_at is null)::int) as open_incidents from removed) r
      group by tenant_id having sum(open_incidents) <> 0
    ) d;
  end if;
  if noted is not null then insert into count_deltas values (noted); end if;
  return null;
end $$;

create trigger incidents_count_added after insert on incidents referencing new table as added for each statement
  execute function count_incidents();
create trigger incidents_count_changed after update on incidents referencing old table as removed new table as added
  for each statement execute function count_incidents();
create trigger incidents_count_removed after delete on incidents referencing old table as removed for each statement
  execute function count_incidents();

create function count_memberships() returns trigger
  language plpgsql security definer set search_path = public, pg_temp as $$
declare noted jsonb;
begin
  if tg_op = 'INSERT' then
    select jsonb_agg(to_jsonb(d)) into noted from (
      select tenant_id, sum(members) as members from (select tenant_id, ((not is_service)::int) as members from added) r
      group by tenant_id having sum(members) <> 0
    ) d;
  elsif tg_op = 'DELETE' then
    select jsonb_agg(to_jsonb(d)) into noted from (
      select tenant_id, sum(members) as members from (select tenant_id, -((not is_service)::int) as members from
        removed) r
      group by tenant_id having sum(members) <> 0
    ) d;
  else
    select jsonb_agg(to_jsonb(d)) into noted from (
      select tenant_id, sum(members) as members from (select tenant_id, ((not is_service)::int) as members from added
        union all select tenant_id, -((not is_service)::int) as members from removed) r
      group by tenant_id having sum(members) <> 0
    ) d;
  end if;
  if noted is not null then insert into count_deltas values (noted); end if;
  return null;
end $$;

create trigger memberships_count_added after insert on memberships referencing new table as added for each statement
  execute function count_memberships();
create trigger memberships_count_changed after update on memberships referencing old table as removed new table as
  added for each statement execute function count_memberships();
create trigger memberships_count_removed after delete on memberships referencing old table as removed for each
  statement execute function count_memberships();

-- Two writes within a millisecond of the clock of the API still leave two moments, so that a version is never met twice.
create function raise_updated_at() returns trigger language plpgsql as $$
begin
  new.updated_at := old.updated_at + interval '1 microsecond';
  return new;
end $$;

do $$ declare name text; begin
  foreach name in array array['brandings', 'checks', 'incidents', 'invitations', 'managed_teams', 'memberships',
    'monitor_templates', 'monitors', 'provisioning_profiles', 'tenants', 'tokens', 'users'] loop
    execute format('create trigger raise_updated_at before update of updated_at on %I for each row
      when (new.updated_at <= old.updated_at and new.updated_at > old.updated_at - interval ''1 minute'') execute
        function raise_updated_at()', name);
  end loop;
end $$;

create function keep_suspension() returns trigger language plpgsql as $$
begin
  if new.suspended_at is null then
    new.paused_at := old.paused_before_suspension;
    new.paused_before_suspension := null;
    new.suspended_reason := null;
  elsif old.suspended_at is null then
    new.paused_before_suspension := old.paused_at;
    new.paused_at := coalesce(old.paused_at, new.suspended_at);
  elsif new.paused_at is distinct from old.paused_at then
    new.paused_before_suspension := new.paused_at;
    new.paused_at := old.paused_at;
  end if;
  return new;
end $$;

create trigger tenants_keep_suspended before update on tenants for each row
  when (old.suspended_at is not null or new.suspended_at is not null) execute function keep_suspension();
