-- lost_at: since when a step calls nobody, until the administrators are mailed
alter table escalation_steps add column lost_at timestamptz;
create index escalation_steps_lost on escalation_steps (lost_at) where lost_at is not null;

-- marks steps whose last target was a person who has left the team or is disabled in it
create function lose_steps() returns trigger
  language plpgsql security definer set search_path = public, pg_temp as $$
begin
  update escalation_steps s set lost_at = clock_timestamp()
  where s.tenant_id = old.tenant_id
    and case when tg_table_name = 'escalation_targets' then s.id = (to_jsonb(old) ->> 'step_id')::uuid
      else s.id in (select t.step_id from escalation_targets t
        where t.user_id = old.user_id and t.tenant_id = old.tenant_id) end
    and not exists (
      select from escalation_targets t
      left join memberships m on m.user_id = t.user_id and m.tenant_id = t.tenant_id
      where t.step_id = s.id and (t.user_id is null or m.disabled_at is null));
  return null;
end $$;

-- at the end of the transaction: a step that is changed has its targets again by then
create constraint trigger escalation_targets_lose after delete on escalation_targets
  deferrable initially deferred for each row when (old.user_id is not null) execute function lose_steps();
create trigger memberships_lose_steps after update of disabled_at on memberships for each row
  when (old.disabled_at is null and new.disabled_at is not null) execute function lose_steps();
