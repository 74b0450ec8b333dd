-- the schedule is examined by who changes its rotations, overrides and zone; a person who leaves changes them here
drop trigger on_call_overrides_examine on on_call_overrides;
drop trigger on_call_rotation_users_examine on on_call_rotation_users;
drop trigger on_call_rotations_examine on on_call_rotations;
drop trigger on_call_schedules_zone on on_call_schedules;
drop function examine_schedule();
drop function examine_schedule_of_zone();
create or replace function leave_on_call() returns trigger
  language plpgsql security definer set search_path = public, pg_temp as $$
declare
  at timestamptz := clock_timestamp();
begin
  update on_call_schedules set watch_at = at
  where tenant_id = old.tenant_id and id in (
    select r.schedule_id from on_call_rotation_versions v join on_call_rotations r on r.id = v.rotation_id
    where v.tenant_id = old.tenant_id and old.user_id = any(v.users)
    union all
    select schedule_id from on_call_overrides
    where tenant_id = old.tenant_id and old.user_id in (user_id, replaces_user_id) and ends_at > at);
  if tg_op = 'DELETE' then
    delete from on_call_overrides
    where tenant_id = old.tenant_id and old.user_id in (user_id, replaces_user_id) and starts_at >= at;
    update on_call_overrides set ends_at = at
    where tenant_id = old.tenant_id and old.user_id in (user_id, replaces_user_id) and ends_at > at;
  end if;
  return null;
end $$;
