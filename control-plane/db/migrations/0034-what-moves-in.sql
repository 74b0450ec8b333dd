-- addresses that a job had at another provider: a ping to one counts for the imported heartbeat. Only the hash of the
-- secret in the address is stored.
create table ping_aliases (
  kind varchar(20) not null check (kind in ('healthchecks', 'uptime-kuma', 'better-stack')),
  token_hash bytea not null check (length(token_hash) = 32),
  tenant_id uuid not null references tenants on delete cascade,
  check_id uuid not null references heartbeats on delete cascade,
  created_at timestamptz not null default clock_timestamp(),
  primary key (kind, token_hash)
);
create unique index ping_aliases_of_check on ping_aliases (check_id, kind);
create index ping_aliases_of_tenant on ping_aliases (tenant_id);

-- whether pings to the address at the source count here; null: it has none that could
alter table migration_items add column keeps_ping_address boolean;
-- how many incidents of the past an import brings with it, and whether it has yet to
alter table migration_items
  add column past_incidents int,
  add column has_history boolean not null default false;
create index migration_items_with_history on migration_items (migration_id, ordinal) where has_history;

-- incidents of another provider: which source, and their id there
alter table incidents add column imported_from varchar(150), add column imported_id varchar(255);
create unique index incidents_imported on incidents (monitor_id, imported_from, imported_id)
  where imported_from is not null;

-- the time for which a source lists all outages of a monitor
create table imported_histories (
  monitor_id uuid primary key references monitors on delete cascade,
  tenant_id uuid not null references tenants on delete cascade,
  source varchar(150) not null,
  known_from timestamptz not null,
  known_until timestamptz not null,
  check (known_from <= known_until)
);
create index imported_histories_of_tenant on imported_histories (tenant_id);
