-- A monitor that a migration brought and that is compared with the old provider: it is checked, and no channel is notified.
alter table monitors add column is_shadow boolean not null default false;

alter table incidents drop constraint incidents_suppressed_by_check;
alter table incidents add constraint incidents_suppressed_by_check
  check (suppressed_by in ('flapping', 'storm', 'maintenance', 'shadow'));
alter table check_warnings drop constraint check_warnings_suppressed_by_check;
alter table check_warnings add constraint check_warnings_suppressed_by_check
  check (suppressed_by in ('flapping', 'maintenance', 'shadow'));

-- A move from another provider, over its days.
create table provider_migrations (
  id uuid primary key,
  tenant_id uuid not null references tenants on delete cascade,
  provider varchar(30) not null,
  name varchar(255) not null,
  -- distinguishes two installations or accounts of one provider: ids of their records may be the same
  account varchar(100) not null default '',
  base_url text,
  options jsonb not null default '{}',
  state varchar(12) not null default 'draft' check (state in
    ('draft', 'previewed', 'importing', 'imported', 'shadow', 'ready', 'cutover', 'rolled_back', 'failed', 'cancelled')),
  -- the state in which it failed, from which it is resumed
  failed_in varchar(12),
  failure text,
  -- encrypted, and deleted when they expire
  credentials text,
  credentials_expire_at timestamptz,
  has_file boolean not null default false,
  phase varchar(20),
  done int not null default 0,
  total int not null default 0,
  counts jsonb not null default '{}',
  notes jsonb not null default '[]',
  asked_by uuid,
  previewed_at timestamptz,
  shadow_at timestamptz,
  cutover_at timestamptz,
  rollback_until timestamptz,
  polled_at timestamptz,
  poll_failure text,
  polls int not null default 0,
  pauses_source boolean not null default false,
  revision int not null default 0,
  steps int not null default 0,
  created_at timestamptz not null default clock_timestamp(),
  updated_at timestamptz not null default clock_timestamp()
);
create index provider_migrations_by_tenant on provider_migrations (tenant_id, created_at desc, id desc);
create index provider_migrations_with_credentials on provider_migrations (credentials_expire_at)
  where credentials_expire_at is not null;

-- The file of a migration in encrypted parts, until it is read, and for an hour at the most.
create table migration_files (
  migration_id uuid not null references provider_migrations on delete cascade,
  tenant_id uuid not null references tenants on delete cascade,
  ordinal int not null,
  content text not null,
  primary key (migration_id, ordinal)
);
create index migration_files_by_tenant on migration_files (tenant_id);

-- What was found at the source, and what becomes of it.
create table migration_items (
  migration_id uuid not null references provider_migrations on delete cascade,
  tenant_id uuid not null references tenants on delete cascade,
  ordinal int not null,
  kind varchar(20) not null,
  source_id varchar(255) not null,
  source_kind varchar(60) not null,
  name varchar(255) not null,
  target text,
  action varchar(10) not null check (action in ('create', 'update', 'skip')),
  reason text not null,
  exceeds varchar(40),
  stand_ins jsonb not null default '[]',
  -- the monitor as it will be, encrypted: it may hold secrets
  wanted text,
  is_enabled boolean not null default true,
  state varchar(10) not null default 'pending' check (state in ('pending', 'done', 'failed', 'left_out')),
  failure text,
  monitor_id uuid,
  primary key (migration_id, ordinal),
  unique (migration_id, kind, source_id)
);
create index migration_items_by_tenant on migration_items (tenant_id);

-- Which monitor came of which record of which source: a record becomes one monitor, however often it is imported.
create table imported_monitors (
  tenant_id uuid not null references tenants on delete cascade,
  source varchar(150) not null,
  source_id varchar(255) not null,
  monitor_id uuid not null unique references monitors on delete cascade,
  migration_id uuid not null,
  -- of the record as it was when it was imported last
  fingerprint varchar(32) not null,
  is_enabled boolean not null,
  -- whether this migration created it, and may disable it again
  is_created boolean not null default true,
  primary key (tenant_id, source, source_id)
);
create index imported_monitors_by_migration on imported_monitors (migration_id);

-- A span in which the old provider and ours said different things of a monitor.
create table migration_divergences (
  id uuid primary key,
  migration_id uuid not null references provider_migrations on delete cascade,
  tenant_id uuid not null references tenants on delete cascade,
  monitor_id uuid not null references monitors on delete cascade,
  kind varchar(10) not null check (kind in ('state', 'latency', 'missed', 'extra')),
  ours jsonb not null,
  theirs jsonb not null,
  started_at timestamptz not null,
  ended_at timestamptz,
  -- polls that saw it; one alone is no divergence yet
  polls int not null default 1,
  verdict varchar(20) not null,
  explanation text not null
);
create index migration_divergences_listed on migration_divergences (migration_id, started_at desc, id desc);
create unique index migration_divergences_open on migration_divergences (migration_id, monitor_id)
  where ended_at is null;
create index migration_divergences_by_tenant on migration_divergences (tenant_id);
