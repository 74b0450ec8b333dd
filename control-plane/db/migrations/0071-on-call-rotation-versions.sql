-- what decided who has duty in a rotation, by time: a change of a rotation or of its people leaves the past as it was.
-- from_at: null for the first version, which counts from the beginning.
-- turn, first: the number of a turn, counted from the first hand-off, and the place in users of the person who has it
create table on_call_rotation_versions (
  rotation_id uuid not null,
  number int not null,
  tenant_id uuid not null references tenants on delete cascade,
  from_at timestamptz,
  timezone varchar(64) not null,
  -- people who have left the team since stay, as ids
  users uuid[] not null,
  handoff varchar(10) not null,
  shift_minutes int,
  first_handoff_at varchar(16) not null,
  restrictions jsonb not null,
  starts_at timestamptz,
  ends_at timestamptz,
  turn int not null,
  first int not null,
  primary key (rotation_id, number),
  foreign key (tenant_id, rotation_id) references on_call_rotations (tenant_id, id) on delete cascade
);
create index on_call_rotation_versions_of_tenant on on_call_rotation_versions (tenant_id);

-- row security binds the owner, who has no rights on the people of rotations
alter table on_call_rotation_users no force row level security;
insert into on_call_rotation_versions
select r.id, 0, r.tenant_id, null, s.timezone,
  array(select u.user_id from on_call_rotation_users u where u.rotation_id = r.id order by u.position),
  r.handoff, r.shift_minutes, r.first_handoff_at, r.restrictions, r.starts_at, r.ends_at, 0, 0
from on_call_rotations r join on_call_schedules s on s.id = r.schedule_id;
alter table on_call_rotation_users force row level security;

-- overrides that are over stay when a person leaves: they say who had duty. Those that run end, those ahead are deleted.
-- A schedule is examined as soon as a person who has turns in it leaves the team, or is disabled or enabled there
alter table on_call_overrides
  drop constraint on_call_overrides_user_id_tenant_id_fkey,
  drop constraint on_call_overrides_replaces_user_id_tenant_id_fkey;
create function leave_on_call() returns trigger
  language plpgsql security definer set search_path = public, pg_temp as $$
declare
  at timestamptz := clock_timestamp();
begin
  if tg_op = 'DELETE' then
    delete from on_call_overrides
    where tenant_id = old.tenant_id and old.user_id in (user_id, replaces_user_id) and starts_at >= at;
    update on_call_overrides set ends_at = at
    where tenant_id = old.tenant_id and old.user_id in (user_id, replaces_user_id) and ends_at > at;
  end if;
  update on_call_schedules set watch_at = at
  where tenant_id = old.tenant_id and id in (
    select r.schedule_id from on_call_rotation_versions v join on_call_rotations r on r.id = v.rotation_id
    where v.tenant_id = old.tenant_id and old.user_id = any(v.users));
  return null;
end $$;
create trigger memberships_leave_on_call after delete or update of disabled_at on memberships for each row
  execute function leave_on_call();
create or replace trigger on_call_overrides_examine after insert or update or delete on on_call_overrides for each row
  execute function examine_schedule();

create function examine_schedule_of_zone() returns trigger language plpgsql as $$
begin
  new.watch_at := clock_timestamp();
  return new;
end $$;
create trigger on_call_schedules_zone before update of timezone on on_call_schedules for each row
  when (old.timezone is distinct from new.timezone) execute function examine_schedule_of_zone();
