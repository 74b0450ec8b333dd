create function identity_key(id uuid) returns bigint language sql immutable strict parallel safe return
  hashtextextended(id::text, 0);

create function record_identity_change() returns trigger
  language plpgsql security definer set search_path = public, pg_temp as $$
begin
  if tg_op <> 'INSERT' then insert into identity_changes (about) values (identity_key((to_jsonb(old) ->>
    tg_argv[0])::uuid)); end if;
  if tg_op <> 'DELETE' and (tg_op = 'INSERT' or to_jsonb(new) -> tg_argv[0] <> to_jsonb(old) -> tg_argv[0]) then
    insert into identity_changes (about) values (identity_key((to_jsonb(new) ->> tg_argv[0])::uuid));
  end if;
  return null;
end $$;

create trigger managed_teams_identity_change after update on managed_teams for each row when (old.tenant_id is
  distinct from new.tenant_id or old.reseller_id is distinct from new.reseller_id
  or old.deleted_at is distinct from new.deleted_at) execute function record_identity_change('tenant_id');
create trigger managed_teams_identity_end after delete or insert on managed_teams for each row
  execute function record_identity_change('tenant_id');
create trigger memberships_identity_change after update on memberships for each row when (old.user_id is distinct
  from new.user_id or old.tenant_id is distinct from new.tenant_id
  or old.role is distinct from new.role) execute function record_identity_change('user_id');
create trigger memberships_identity_end after delete or insert on memberships for each row
  execute function record_identity_change('user_id');
create trigger tenants_identity_change after update on tenants for each row when (old.name is distinct from
  new.name or old.slug is distinct from new.slug or old.plan is distinct from new.plan
  or old.feature_overrides is distinct from new.feature_overrides
  or old.is_reseller is distinct from new.is_reseller or old.deleted_at is distinct from new.deleted_at) execute
  function record_identity_change('id');
create trigger tenants_identity_end after delete on tenants for each row execute function record_identity_change('id');
create trigger tenants_identity_suspension after update on tenants for each row
  when (old.suspended_at is distinct from new.suspended_at) execute function record_identity_change('id');
create trigger tokens_identity_change after update on tokens for each row when (old.tenant_id is distinct from
  new.tenant_id or old.user_id is distinct from new.user_id or old.kind is distinct from new.kind
  or old.hash is distinct from new.hash or old.scopes is distinct from new.scopes
  or old.is_active is distinct from new.is_active or old.dies_at is distinct from new.dies_at
  or old.allowed_ips is distinct from new.allowed_ips or old.is_locked is distinct from new.is_locked
  or old.impersonated_by is distinct from new.impersonated_by
  or old.impersonating_tenant_id is distinct from new.impersonating_tenant_id
      or old.expires_at is distinct from new.expires_at and not (new.kind = 'ss'
        and coalesce(new.expires_at > old.expires_at, false))) execute function record_identity_change('id');
create trigger tokens_identity_end after delete on tokens for each row execute function record_identity_change('id');
create trigger users_identity_change after update on users for each row when (old.name is distinct from new.name
  or old.email is distinct from new.email or old.is_super_admin is distinct from new.is_super_admin
  or old.language is distinct from new.language) execute function record_identity_change('id');
create trigger users_identity_end after delete on users for each row execute function record_identity_change('id');
