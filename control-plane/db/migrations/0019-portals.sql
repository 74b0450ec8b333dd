-- a custom domain leads to a status page, or to the portal of its team or reseller
alter table custom_domains drop constraint custom_domains_purpose_check,
  add constraint custom_domains_purpose_check check (purpose in ('status_page', 'portal')),
  add constraint custom_domains_target_check check (purpose = 'status_page' or target_id is null);
create index custom_domains_of_portal on custom_domains (tenant_id, created_at) where purpose = 'portal';

-- what a team or reseller has chosen for its portal; without a row, the defaults
create table portals (
  tenant_id uuid primary key references tenants on delete cascade,
  slug varchar(100) unique,
  is_enabled boolean not null default true,
  support_email varchar(255),
  sign_up_enabled boolean not null default false,
  -- null: the plan of the profile, or free
  sign_up_plan varchar(20),
  sign_up_profile_id uuid references provisioning_profiles on delete set null,
  sign_up_domains text[] not null default '{}',
  created_at timestamptz not null default clock_timestamp(),
  updated_at timestamptz not null default clock_timestamp()
);
create index portals_of_profile on portals (sign_up_profile_id) where sign_up_profile_id is not null;
-- processes read the hosts again: those of a disabled portal are served without its brand
create trigger portals_changed after insert or update on portals for each row execute function notify_custom_domains();

-- sign-ups whose address is not proven yet; tenant_id is the reseller
create table sign_ups (
  id uuid primary key,
  tenant_id uuid not null references tenants on delete cascade,
  email varchar(255) not null,
  name varchar(255) not null,
  team_name varchar(255) not null,
  language varchar(5) not null,
  token_hash bytea not null unique,
  created_at timestamptz not null default clock_timestamp(),
  expires_at timestamptz not null
);
create index sign_ups_of_reseller on sign_ups (tenant_id, email);
create index sign_ups_ended on sign_ups (expires_at);

-- proofs of work that were used, until they would have ended by themselves
create table used_challenges (
  signature bytea primary key,
  ends_at timestamptz not null
);
create index used_challenges_ended on used_challenges (ends_at);
