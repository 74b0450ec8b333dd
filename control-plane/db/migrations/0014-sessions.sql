-- a disabled member keeps the membership and the seat, and cannot act in the team
alter table memberships add column disabled_at timestamptz;
create or replace trigger memberships_identity_change after update on memberships for each row
  when (old.user_id is distinct from new.user_id or old.tenant_id is distinct from new.tenant_id
  or old.role is distinct from new.role or old.disabled_at is distinct from new.disabled_at)
  execute function record_identity_change('user_id');

-- whether the members of a team need a second factor, since when, and how long they have to set one up
create table security_policies (
  tenant_id uuid primary key references tenants on delete cascade,
  mfa_required_at timestamptz,
  mfa_grace_days int not null default 7 check (mfa_grace_days between 0 and 30),
  updated_at timestamptz not null default clock_timestamp()
);
create trigger security_policies_identity_change after insert or update or delete on security_policies for each row
  execute function record_identity_change('tenant_id');
create trigger second_factors_identity_change after update on second_factors for each row
  when ((old.confirmed_at is null) <> (new.confirmed_at is null)) execute function record_identity_change('user_id');
create trigger second_factors_identity_end after delete on second_factors for each row
  when (old.confirmed_at is not null) execute function record_identity_change('user_id');

-- browsers in which a code of the second factor is not asked for again, by the hash of their cookie
create table trusted_devices (
  id uuid primary key,
  user_id uuid not null references users on delete cascade,
  secret_hash bytea not null unique,
  name varchar(255) not null,
  created_at timestamptz not null default clock_timestamp(),
  last_used_at timestamptz,
  last_used_ip inet,
  expires_at timestamptz not null
);
create index trusted_devices_of_user on trusted_devices (user_id, created_at);

-- a trusted device ends with the password and the second factor that it was trusted after
create function end_trusted_devices() returns trigger
  language plpgsql security definer set search_path = public, pg_temp as $$
begin
  delete from trusted_devices where user_id = (to_jsonb(old) ->> tg_argv[0])::uuid;
  return null;
end $$;
create trigger users_end_trusted_devices after update on users for each row
  when (old.password_hash is distinct from new.password_hash) execute function end_trusted_devices('id');
create trigger second_factors_end_trusted_devices after update on second_factors for each row
  when (old.secret is distinct from new.secret or (old.confirmed_at is null) <> (new.confirmed_at is null))
  execute function end_trusted_devices('user_id');
create trigger second_factors_end_trusted_devices_too after delete on second_factors for each row
  execute function end_trusted_devices('user_id');

-- who gets another role must prove to be present again before the next dangerous action, which renews the secret
create function age_sessions() returns trigger
  language plpgsql security definer set search_path = public, pg_temp as $$
begin
  update tokens set reauthenticated_at = null
  where user_id = new.user_id and tenant_id = new.tenant_id and is_browser and reauthenticated_at is not null;
  return null;
end $$;
create trigger memberships_age_sessions after update on memberships for each row
  when (old.role is distinct from new.role) execute function age_sessions();
