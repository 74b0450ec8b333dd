-- A hostname stops being served as soon as its team loses the feature, is suspended or is deleted.
create function notify_hosts_of_team() returns trigger
  language plpgsql security definer set search_path = public, pg_temp as $$
begin
  if exists (select 1 from custom_domains where tenant_id = new.id) then
    perform pg_notify('custom_domains', '');
  end if;
  return null;
end $$;

create trigger tenants_hosts after update on tenants for each row
  when (old.plan is distinct from new.plan or old.feature_overrides is distinct from new.feature_overrides
    or old.deleted_at is distinct from new.deleted_at or old.suspended_at is distinct from new.suspended_at)
  execute function notify_hosts_of_team();
