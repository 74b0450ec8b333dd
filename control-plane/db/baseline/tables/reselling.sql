-- Teams as their reseller sees them. Triggers copy name, slug, plan and pause from the tenant, for its lists.
create table managed_teams (
  id uuid primary key,
  reseller_id uuid not null references tenants,
  tenant_id uuid not null unique references tenants on delete cascade,
  label varchar(255),
  external_ref varchar(255),
  metadata jsonb not null default '{}',
  paused_reason varchar(50),
  trial_ends_at timestamptz,
  deleted_at timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  public_id varchar(20) not null unique default (
    'VT-' || substr(upper(translate(encode(uuid_send(gen_random_uuid()), 'base64'), '+/=01IOilo', '')), 1, 8)
  ),
  name varchar(255) not null,
  slug varchar(100) not null,
  plan varchar(20) not null,
  paused_at timestamptz,
  search_text text generated always as (lower(name || E'\n' || coalesce(label, ''))) stored,
  trial_set_at timestamptz,
  trial_reminded smallint,
  trial_expired_at timestamptz,
  unique (reseller_id, external_ref)
);
create index managed_teams_by_created on managed_teams (reseller_id, created_at, tenant_id) include (plan, paused_at,
  trial_ends_at) where deleted_at is null;
create index managed_teams_by_name on managed_teams (reseller_id, name, tenant_id) include (plan, paused_at,
  trial_ends_at) where deleted_at is null;
create index managed_teams_trashed on managed_teams (reseller_id, deleted_at, id) where deleted_at is not null;

-- Sets of monitors that a reseller provisions teams with.
create table monitor_templates (
  id uuid primary key,
  tenant_id uuid not null references tenants on delete cascade,
  name varchar(255) not null,
  monitors jsonb not null,
  variables jsonb not null,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  unique (tenant_id, id)
);
create index monitor_templates_by_name on monitor_templates (tenant_id, name, id);

-- Settings that a reseller provisions teams with.
create table provisioning_profiles (
  id uuid primary key,
  tenant_id uuid not null references tenants on delete cascade,
  name varchar(255) not null,
  plan varchar(20) not null,
  trial_days int,
  feature_overrides jsonb not null,
  branding jsonb not null,
  monitor_template_id uuid,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  foreign key (tenant_id, monitor_template_id) references monitor_templates(tenant_id, id)
);
create index provisioning_profiles_by_name on provisioning_profiles (tenant_id, name, id);
create index provisioning_profiles_of_template on provisioning_profiles (tenant_id, monitor_template_id);

-- Which tenants were purged. Of a purged tenant only its id is kept.
create table purged_tenants (
  tenant_id uuid primary key,
  managed_team_id uuid not null,
  reseller_id uuid not null,
  deleted_at timestamptz not null,
  purged_at timestamptz not null default clock_timestamp(),
  results_erased_at timestamptz
);
