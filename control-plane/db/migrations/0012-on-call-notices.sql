-- what was noticed of a schedule: when it is examined next, who is on duty and the gaps that were warned of.
-- knows_duty: whether a change of who is on duty is mailed; not for what began before this column
alter table on_call_schedules
  add column watch_at timestamptz not null default clock_timestamp(),
  add column knows_duty boolean not null default false,
  add column on_duty_user_id uuid,
  add column warned_gaps jsonb not null default '[]';
alter table on_call_schedules alter column knows_duty set default true;
create index on_call_schedules_due on on_call_schedules (watch_at);

alter table users add column handover_mails boolean not null default true;

-- a schedule is examined as soon as its rotations, its people or its overrides change, also when a person has left
create function examine_schedule() returns trigger
  language plpgsql security definer set search_path = public, pg_temp as $$
declare
  changed jsonb := to_jsonb(case when tg_op = 'DELETE' then old else new end);
begin
  update on_call_schedules set watch_at = clock_timestamp()
  where id = case when tg_table_name = 'on_call_rotation_users'
    then (select r.schedule_id from on_call_rotations r where r.id = (changed ->> 'rotation_id')::uuid)
    else (changed ->> 'schedule_id')::uuid end;
  return null;
end $$;

create trigger on_call_rotations_examine after insert or update or delete on on_call_rotations for each row
  execute function examine_schedule();
create trigger on_call_rotation_users_examine after insert or delete on on_call_rotation_users for each row
  execute function examine_schedule();
create trigger on_call_overrides_examine after insert or delete on on_call_overrides for each row
  execute function examine_schedule();
