create function copy_tenant() returns trigger
  language plpgsql security definer set search_path = public, pg_temp as $$
begin
  select t.name, t.slug, t.plan, t.paused_at into new.name, new.slug, new.plan, new.paused_at from tenants t
    where t.id = new.tenant_id;
  return new;
end $$;

create trigger managed_teams_copy before insert on managed_teams for each row execute function copy_tenant();

create function copy_tenant_change() returns trigger
  language plpgsql security definer set search_path = public, pg_temp as $$
begin
  update managed_teams set name = new.name, slug = new.slug, plan = new.plan, paused_at = new.paused_at, updated_at =
    greatest(updated_at, new.updated_at)
  where tenant_id = new.id;
  return null;
end $$;

create trigger tenants_show after update on tenants for each row
  when ((old.name, old.slug, old.plan, old.paused_at) is distinct
    from (new.name, new.slug, new.plan, new.paused_at)) execute function copy_tenant_change();

create function set_trial_times() returns trigger language plpgsql as $$
begin
  new.trial_ends_at := date_trunc('milliseconds', new.trial_ends_at);
  new.deleted_at := date_trunc('milliseconds', new.deleted_at);
  if tg_op = 'INSERT' or new.trial_ends_at is distinct from old.trial_ends_at then
    new.trial_set_at := case when new.trial_ends_at is null then null else clock_timestamp() end;
    new.trial_reminded := null;
    new.trial_expired_at := null;
  end if;
  return new;
end $$;

create trigger managed_teams_trial_times before insert or update of trial_ends_at, deleted_at on managed_teams
  for each row execute function set_trial_times();
