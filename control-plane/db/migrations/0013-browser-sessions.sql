-- a session of a browser: its secret is sent as a cookie alone, and `reauthenticated_at` is when the person last proved
-- to be present
alter table tokens
  add column is_browser boolean not null default false,
  add column auth_method varchar(12),
  add column reauthenticated_at timestamptz;
update tokens set auth_method = 'password' where kind = 'ss';

drop trigger tokens_identity_change on tokens;
create trigger tokens_identity_change after update on tokens for each row when (
  old.tenant_id is distinct from new.tenant_id or old.user_id is distinct from new.user_id
  or old.kind is distinct from new.kind or old.hash is distinct from new.hash
  or old.scopes is distinct from new.scopes or old.is_active is distinct from new.is_active
  or old.dies_at is distinct from new.dies_at or old.allowed_ips is distinct from new.allowed_ips
  or old.is_locked is distinct from new.is_locked or old.impersonated_by is distinct from new.impersonated_by
  or old.impersonating_tenant_id is distinct from new.impersonating_tenant_id
  or old.is_browser is distinct from new.is_browser
  or old.reauthenticated_at is distinct from new.reauthenticated_at
  or (old.expires_at is distinct from new.expires_at
    and not (new.kind = 'ss' and coalesce(new.expires_at > old.expires_at, false)))
) execute function record_identity_change('id');
